from dataclasses import fields
from typing import Any

import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import AuditSettings, ClusterSettings, InterlinkSettings, RiskLimits, asked


@pytest.mark.parametrize("name", ["same_anchor_domains", "same_title_domains", "sitewide_pages"])
def test_what_only_one_has_is_not_shared(name):
    with pytest.raises(InvalidSetting, match=r"must be between 2 and .+, not 1"):
        RiskLimits(**{name: 1})
    assert RiskLimits(**{name: 2})


@pytest.mark.parametrize(
    ("name", "value"), [("toxic_score", 0), ("toxic_score", 101), ("maybe_toxic_score", 0), ("external_links", 0)]
)
def test_a_risk_limit_beyond_its_range_is_refused(name, value):
    with pytest.raises(InvalidSetting, match=f"must be between .+, not {value}"):
        RiskLimits(**{name: value})


def test_potentially_toxic_begins_below_toxic():
    with pytest.raises(InvalidSetting, match="Potentially toxic score must be between 1 and 60, not 70"):
        RiskLimits(maybe_toxic_score=70)


def test_every_risk_limit_has_a_range():
    assert all(asked(RiskLimits, field.name).least for field in fields(RiskLimits))


def wrong(field: str, value: str) -> dict[str, Any]:
    """A setting as a file or a caller without types may give it."""
    return {field: value}


def test_a_choice_that_there_is_not_is_refused_with_those_there_are():
    with pytest.raises(InvalidSetting, match="referring page must be one of .*title.*, not 'anchors'"):
        AuditSettings(**wrong("link_text", "anchors"))
    for kind in (InterlinkSettings, ClusterSettings):
        with pytest.raises(InvalidSetting, match="Text that represents a page must be one of h1, title.+, not 'h3'"):
            kind(**wrong("text", "h3"))
