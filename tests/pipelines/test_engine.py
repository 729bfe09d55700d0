"""Where an audit runs."""

import pytest

from backlink_audit.pipelines import engine


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("Referring page URL,Target URL\n")
    return path


def test_large_files_are_audited_in_parts_and_small_ones_in_one_piece(links, monkeypatch):
    assert engine.choose_engine("auto", [links]) == "memory"
    monkeypatch.setattr(engine, "PARTS_FROM", links.stat().st_size)
    assert engine.choose_engine("auto", [links]) == "parts"
