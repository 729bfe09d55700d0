"""Where an audit runs."""

import pytest

from backlink_audit.audit import run


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("Referring page URL,Target URL\n")
    return path


def test_large_files_are_audited_in_parts_and_small_ones_in_one_piece(links, monkeypatch):
    assert run.choose_engine("auto", [links]) == "memory"
    monkeypatch.setattr(run, "PARTS_FROM", links.stat().st_size)
    assert run.choose_engine("auto", [links]) == "parts"
