"""Tests of backlink_audit.exports.recognise."""

import re

import pandas as pd
import pytest

from backlink_audit.errors import MissingColumns, WrongExport
from backlink_audit.exports.load import recognise_file
from backlink_audit.exports.recognise import BY_HAND, recognise
from backlink_audit.schema import BACKLINKS, TABLES
from tests.exports.made import sample


def frame(**columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame({header.replace("_", " "): pd.Series(cells, dtype="str") for header, cells in columns.items()})


LINKS = frame(Referring_page_URL=["https://a.example"], Target_URL=["https://b.example"])


def export(name: str):
    return recognise_file(name, sample(name))


def test_a_mapped_table_has_every_column_of_its_schema_with_its_type():
    types = {
        "text": "str",
        "prose": "str",
        "vector": "str",
        "url": "str",
        "number": "float64",
        "flag": "boolean",
        "date": "datetime64[us]",
    }
    for name in (
        "ahrefs_backlinks_2025.csv",
        "ahrefs_referring_domains.csv",
        "plain_pages.csv",
        "screaming_frog_inlinks_en.csv",
    ):
        found = export(name)
        schema = TABLES[found.kind]
        assert tuple(found.table.columns) == schema.names
        assert {column.name: str(found.table[column.name].dtype) for column in schema.columns} == {
            column.name: types[column.kind] for column in schema.columns
        }


def test_an_ahrefs_row_arrives_under_our_names():
    row = export("ahrefs_backlinks_2025.csv").table.iloc[0]
    assert row["referring_title"] == "Ten garden chairs, tested – Patio Review"
    assert row["anchor"] == 'teak chair by "Shop"'
    assert (row["url_rating"], row["domain_rating"], row["external_links"], row["http_status"]) == (12.5, 46, 14, 200)
    assert (row["nofollow"], row["in_content"], row["link_type"]) == (False, True, "text")
    assert row["first_seen"] == pd.Timestamp("2025-03-25 17:46:24")
    assert pd.isna(row["lost_date"])
    assert (row["tool"], row["source_file"]) == ("Ahrefs", "ahrefs_backlinks_2025.csv")


def test_a_title_that_reads_null_is_text():
    assert export("ahrefs_backlinks_2025.csv").table["referring_title"].tolist()[1] == "NULL"


def test_raw_is_untouched_where_the_table_is_cleaned():
    found = export("ahrefs_backlinks_2023.csv")
    assert found.raw["Referring page title"].tolist()[2] == "Gartenmöbel pflegen \u200b– ein Überblick"
    assert found.table["referring_title"].tolist()[2] == "Gartenmöbel pflegen – ein Überblick"


def test_a_resaved_export_reads_like_the_native_one():
    native, resaved = export("ahrefs_backlinks_2025.csv"), export("ahrefs_backlinks_resaved.csv")
    dated = [column.name for column in BACKLINKS.columns if column.kind == "date"]
    same = [name for name in BACKLINKS.names if name not in (*dated, "source_file")]
    pd.testing.assert_frame_equal(native.table[same], resaved.table[same])
    for column in dated:
        pd.testing.assert_series_equal(native.table[column].dt.floor("min"), resaved.table[column])


def test_semrush_page_ascore_is_the_url_rating_on_semrushs_scale():
    found = export("semrush_backlinks.csv")
    assert found.columns["url_rating"] == "Page ascore"
    assert found.table["url_rating"].tolist() == [52, 47, 0]
    assert set(found.table["tool"]) == {"Semrush"}
    assert not found.has("domain_rating")
    assert found.table["domain_rating"].isna().all()


def test_one_column_for_each_link_type_becomes_the_link_type():
    found = export("semrush_backlinks.csv")
    assert found.table["link_type"].tolist() == ["text", "image", "frame"]
    assert found.has("link_type")


def test_nofollow_written_as_the_type_of_the_link_is_nofollow():
    assert export("ahrefs_backlinks_2020.csv").table["nofollow"].tolist() == [False, True]
    assert export("moz_inbound_links.csv").table["nofollow"].tolist() == [False, True]


def test_content_is_the_content_type_where_it_holds_media_types():
    found = export("screaming_frog_pages_2015.csv")
    assert found.table["content_type"].tolist() == ["text/html; charset=UTF-8", "text/html"]
    assert not found.has("content")


def test_a_crawlers_own_vectors_are_found_by_their_header():
    assert export("plain_pages.csv").columns["embedding"] == "OpenAI Embedding"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt"])
def test_a_crawl_reads_the_same_in_every_language(language):
    english, other = (export(f"screaming_frog_pages_{code}.csv").table for code in ("en", language))
    same = [name for name in english.columns if name not in ("source_file", "indexability")]
    pd.testing.assert_frame_equal(english[same], other[same])


def test_any_column_can_be_mapped_by_hand():
    raw = LINKS.assign(Mein_Text=["Stuhl"])
    found = recognise(raw, "a.csv", {"anchor": "Mein_Text"})
    assert found.table["anchor"].tolist() == ["Stuhl"]
    assert found.columns["anchor"] == "Mein_Text"


def test_a_column_can_be_mapped_to_nothing():
    raw = LINKS.assign(Anchor=["x"])
    assert recognise(raw, "a.csv").has("anchor")
    assert not recognise(raw, "a.csv", {"anchor": ""}).has("anchor")


def test_unknown_headers_can_be_mapped_by_hand():
    raw = frame(Von=["https://a.example"], Nach=["https://b.example"])
    said = "the Referring page URL or the Target URL; the file has “Von”, “Nach”. Give the right columns these names."
    with pytest.raises(MissingColumns, match=re.escape(said)):
        recognise(raw, "a.csv", table="backlinks")
    found = recognise(raw, "a.csv", {"referring_url": "Von", "target_url": "Nach"}, "backlinks")
    assert found.format.name == BY_HAND
    assert found.table["target_url"].tolist() == ["https://b.example"]


def test_a_full_mapping_by_hand_overrules_what_the_file_looks_like():
    name = "lookalikes/semrush_indexed_pages.csv"
    found = recognise_file("plain_pages.csv", sample("plain_pages.csv"))
    mapping = {"referring_url": "URL", "target_url": "Title"}
    assert recognise(found.raw, name, mapping, "backlinks").kind == "backlinks"


def test_a_mapping_to_a_header_that_is_not_there_names_it():
    with pytest.raises(
        MissingColumns, match=r"^a\.csv: the file has no column “Anker”; its columns are “Referring page URL”"
    ):
        recognise(LINKS, "a.csv", {"anchor": "Anker"})


def test_a_mapping_of_a_column_we_do_not_have_names_it():
    with pytest.raises(MissingColumns, match="backlinks have no column “colour”"):
        recognise(LINKS, "a.csv", {"colour": "Anchor"})


def test_a_needed_column_that_is_blank_throughout_is_named():
    raw = frame(Referring_page_URL=["https://a.example", ""], Target_URL=["", " "])
    with pytest.raises(MissingColumns, match=r"the column “Target URL” is empty in every row"):
        recognise(raw, "a.csv")


def test_unnamed_columns_are_counted_and_can_be_mapped():
    raw = LINKS.assign(**{"Unnamed 3": ["shop"], "Unnamed 4": ["x"]})
    found = recognise(raw, "a.csv", {"anchor": "Unnamed 3"})
    assert found.table["anchor"].tolist() == ["shop"]
    assert found.notes == (
        "2 columns have no name in the file (Unnamed 3, Unnamed 4). If you need them, add their names in the file.",
    )


def test_unknown_columns_are_listed():
    raw = frame(**{f"Column_{n}": ["x"] for n in range(12)})
    with pytest.raises(MissingColumns, match=r"the columns do not match any known export: “Column 0”.+ and 4 more\."):
        recognise(raw, "a.csv")


def test_a_list_of_domains_is_refused_by_name():
    with pytest.raises(WrongExport, match="a list of domains without any metrics"):
        recognise(frame(Sites=["a.example", "b.example"]), "a.csv", table="backlinks")


def test_the_fingerprint_follows_content_and_mapping():
    one = recognise(LINKS, "a.csv")
    assert recognise(LINKS.copy(), "b.csv").fingerprint == one.fingerprint
    assert recognise(LINKS, "a.csv", {"anchor": ""}).fingerprint != one.fingerprint
    assert recognise(LINKS.replace("https://a.example", "https://c.example"), "a.csv").fingerprint != one.fingerprint


def test_the_raw_table_is_not_changed():
    before = LINKS.copy()
    recognise(LINKS, "a.csv")
    pd.testing.assert_frame_equal(LINKS, before)
