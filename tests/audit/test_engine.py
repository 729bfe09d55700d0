"""Where an audit runs."""

import pytest

from backlink_audit.audit import feature


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("Referring page URL,Target URL\n")
    return path


def test_large_files_are_audited_in_parts_and_small_ones_in_one_piece(links, monkeypatch):
    assert feature.choose_engine("auto", [links]) == "memory"
    monkeypatch.setattr(feature, "PARTS_FROM", links.stat().st_size)
    assert feature.choose_engine("auto", [links]) == "parts"
