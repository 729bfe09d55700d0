"""Where an audit runs."""

import pytest

from backlink_audit.errors import AuditError
from backlink_audit.pipelines import engine


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("Referring page URL,Target URL\n")
    return path


def test_large_files_are_audited_in_parts_and_small_ones_in_one_piece(links, tmp_path, monkeypatch):
    out = tmp_path / "out.csv"
    assert engine.choose_engine("auto", [links], out) == "memory"
    monkeypatch.setattr(engine, "PARTS_FROM", links.stat().st_size)
    assert engine.choose_engine("auto", [links], out) == "parts"


def test_a_workbook_is_made_in_one_piece_however_large(links, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "PARTS_FROM", 1)
    assert engine.choose_engine("auto", [links], tmp_path / "out.xlsx") == "memory"
    with pytest.raises(AuditError, match="a workbook is made in one piece"):
        engine.choose_engine("parts", [links], tmp_path / "out.xlsx")
