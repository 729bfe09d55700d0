"""The package's public names."""

import pytest

import backlink_audit


@pytest.mark.parametrize("name", backlink_audit.__all__)
def test_every_public_name_can_be_had(name: str):
    assert getattr(backlink_audit, name).__name__ == name


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = backlink_audit.nothing
