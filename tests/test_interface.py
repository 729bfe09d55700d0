"""The features as functions, on the sample's files and with a toy encoder."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import backlink_audit as ba
from backlink_audit import sample
from backlink_audit.errors import FileProblem, InvalidSetting
from tests.toy import ToyEncoder

TOY = ToyEncoder()
DATA = Path(ba.__file__).parent / "sample" / "data"


@pytest.fixture(scope="module")
def backlinks():
    return ba.read(DATA / "longroad-backlinks-2025-11.csv")


@pytest.fixture(scope="module")
def pages():
    return ba.read(DATA / "longroad-crawl.csv", table="pages")


def test_files_are_read_as_the_app_reads_them(backlinks):
    assert backlinks.fingerprint == ba.read(DATA / sample.files()["backlinks"][0][0]).fingerprint


def test_a_table_with_a_tools_headers_is_read_like_its_file(backlinks):
    assert ba.read(backlinks.raw).table["referring_url"].tolist() == backlinks.table["referring_url"].tolist()


def test_several_tables_or_a_file_that_is_not_there_are_refused_in_a_sentence(backlinks):
    with pytest.raises(InvalidSetting, match="or one table"):
        ba.read(backlinks.raw, backlinks.raw)
    with pytest.raises(FileProblem, match="cannot be opened"):
        ba.read("nowhere.csv")


def test_every_feature_gives_a_result_with_a_headline_and_tables(backlinks, pages):
    inlinks = ba.read(DATA / "longroad-all-inlinks.csv", table="inlinks")
    audit = ba.audit(backlinks, pages=pages, encoder=TOY)
    results = [
        audit,
        ba.profile(audit),
        ba.gap(backlinks, [ba.read(DATA / "farpedal-backlinks.csv")], encoder=TOY),
        ba.changes(ba.read(DATA / "longroad-backlinks-2025-05.csv"), backlinks, encoder=TOY),
        ba.interlinks(pages, inlinks=inlinks, encoder=TOY),
        ba.clusters(pages, encoder=TOY),
        ba.authority(inlinks, pages=pages, audit=audit),
        ba.inlinks(inlinks, pages=pages, encoder=TOY),
        ba.redirects(ba.read(DATA / "longroad-crawl-2023.csv", table="pages"), pages, encoder=TOY),
        ba.search(audit, "panniers", encoder=TOY),
    ]
    for result in results:
        assert result.headline
        assert all(isinstance(table, pd.DataFrame) for table in ba.tables(result).values())
    assert "Risk signals" in ba.risk(audit).risks.headline or ba.tables(ba.risk(audit))


def test_a_crawl_of_the_referring_pages_corrects_an_audit(backlinks):
    rows = pd.DataFrame(
        {"Source": backlinks.table["referring_url"], "Destination": "https://x.example/", "Anchor": "x"}
    )
    audit = ba.audit(backlinks, outlinks=ba.read(rows, table="inlinks"), encoder=TOY)
    assert set(audit.links["check_state"]) == {"link gone"}
    assert set(audit.links["link_state"]) == {"lost"}


def test_pages_are_searched_by_the_vectors_of_the_suggestions_and_in_a_crawl(pages):
    suggested = ba.interlinks(pages, encoder=TOY)
    for source in (suggested, pages):
        assert ba.search(source, "panniers", 3, encoder=TOY).table["match"].iloc[0] == "exact words"


def test_a_result_is_saved_and_anything_else_refused(backlinks, tmp_path):
    ba.save(ba.audit(backlinks, encoder=TOY), tmp_path / "scored.csv")
    assert len(pd.read_csv(tmp_path / "scored.csv")) == 310
    with pytest.raises(InvalidSetting, match="is no result"):
        ba.save(backlinks, tmp_path / "x.csv")


def test_the_page_of_reference_describes_every_function(tmp_path):
    pdoc = [sys.executable, "-m", "pdoc", "--docformat", "google", "-o", str(tmp_path), "backlink_audit.interface"]
    subprocess.run(pdoc, check=True, capture_output=True)
    page = (tmp_path / "backlink_audit" / "interface.html").read_text(encoding="utf-8")
    functions = [name for name in ba.__all__ if getattr(ba, name).__module__ == "backlink_audit.interface"]
    assert len(functions) > 10
    assert [name for name in functions if f'id="{name}"' not in page or not getattr(ba, name).__doc__] == []
