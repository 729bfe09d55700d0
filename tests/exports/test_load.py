"""Tests of backlink_audit.exports.load."""

import pandas as pd
import pytest

from backlink_audit.errors import MissingColumns, UnreadableFile, WrongExport
from backlink_audit.exports.load import load, recognise_file
from tests.exports.made import HEADER, ROWS, csv_bytes, sample

OTHER_ROWS = [["https://c.example/3", "https://shop.example/", "other", "1", "2"]]


def test_one_file_is_loaded_under_its_name():
    export = load([("folder/links.csv", csv_bytes())])
    assert export.name == "links.csv"
    assert export.raw.to_numpy().tolist() == ROWS
    assert set(export.table["source_file"]) == {"links.csv"}


def test_files_of_one_kind_merge_and_each_row_knows_its_file():
    export = load([("a.csv", csv_bytes()), ("b.csv", csv_bytes([HEADER, *OTHER_ROWS]))])
    assert export.name == "a.csv + b.csv"
    assert export.table["source_file"].tolist() == ["a.csv", "a.csv", "b.csv"]
    assert export.raw["Source file"].tolist() == ["a.csv", "a.csv", "b.csv"]
    assert export.raw[HEADER].to_numpy().tolist() == ROWS + OTHER_ROWS
    assert export.raw.index.tolist() == export.table.index.tolist() == [0, 1, 2]


def test_two_files_of_one_name_are_distinguished():
    export = load([("mine/a.csv", csv_bytes()), ("theirs/a.csv", csv_bytes([HEADER, *OTHER_ROWS]))])
    assert export.name == "a.csv + a.csv (2)"
    assert export.table["source_file"].tolist() == ["a.csv", "a.csv", "a.csv (2)"]
    assert export.raw["Source file"].tolist() == ["a.csv", "a.csv", "a.csv (2)"]


def test_a_problem_in_the_second_file_of_one_name_names_it():
    with pytest.raises(UnreadableFile, match=r"^a\.csv \(2\): the file has a header but no rows"):
        load([("mine/a.csv", csv_bytes()), ("theirs/a.csv", csv_bytes([HEADER]))])


def test_a_column_of_the_users_named_like_the_name_of_the_file_is_kept():
    first = csv_bytes([[*HEADER, "Source file", "Source file (in the file)"], [*ROWS[0], "mine", "older"]])
    export = load([("a.csv", first), ("b.csv", csv_bytes([HEADER, ROWS[1]]))])
    assert export.raw["Source file (in the file)"].tolist() == ["mine", ""]
    assert export.raw["Source file (in the file) (2)"].tolist() == ["older", ""]
    assert export.raw["Source file"].tolist() == ["a.csv", "b.csv"]


def test_files_of_two_tools_merge_and_each_row_keeps_its_scale():
    names = ["ahrefs_backlinks_2025.csv", "semrush_backlinks.csv"]
    export = load([(name, sample(name)) for name in names])
    assert export.table["tool"].tolist() == ["Ahrefs"] * 3 + ["Semrush"] * 3
    assert export.table["url_rating"].tolist() == [12.5, 0, 3.7, 52, 47, 0]
    assert export.has("domain_rating")
    assert export.has("lost_link")
    assert export.raw["Page ascore"].tolist() == ["", "", "", "52", "47", "0"]
    assert {str(dtype) for dtype in export.raw.dtypes} == {"str"}


def test_the_same_file_twice_is_counted_once_and_said():
    export = load([("a.csv", csv_bytes()), ("copy of a.csv", csv_bytes())])
    assert len(export.table) == len(ROWS)
    assert export.notes == ("copy of a.csv is the same file as a.csv; it is counted once.",)


def test_a_file_of_another_kind_among_the_files_is_named():
    with pytest.raises(WrongExport, match=r"^screaming_frog_pages_en\.csv: this is “Screaming Frog pages”"):
        load([("a.csv", csv_bytes()), ("screaming_frog_pages_en.csv", sample("screaming_frog_pages_en.csv"))])


def test_no_file_is_said():
    with pytest.raises(UnreadableFile, match=r"upload an export with backlinks first"):
        load([])


def test_a_header_without_rows_is_said():
    with pytest.raises(UnreadableFile, match=r"^a\.csv: the file has a header but no rows"):
        load([("a.csv", csv_bytes([HEADER]))])


def test_a_mapping_holds_for_every_file_that_has_the_header():
    first = csv_bytes([[*HEADER, "Wort"], [*ROWS[0], "one"]])
    second = csv_bytes([HEADER, ROWS[1]])
    export = load([("a.csv", first), ("b.csv", second)], mapping={"anchor": "Wort"})
    assert export.table["anchor"].tolist() == ["one", "café chairs"]


def test_unknown_columns_are_said():
    with pytest.raises(MissingColumns, match="the columns do not match any known export"):
        recognise_file("a.csv", b"Colour,Size\nred,4\n")


def test_the_fingerprint_follows_files_and_mapping():
    one = load([("a.csv", csv_bytes())])
    assert load([("renamed.csv", csv_bytes())]).fingerprint == one.fingerprint
    assert load([("a.csv", csv_bytes([HEADER, *OTHER_ROWS]))]).fingerprint != one.fingerprint
    assert load([("a.csv", csv_bytes())], mapping={"anchor": ""}).fingerprint != one.fingerprint


def test_one_row_is_enough():
    assert len(load([("a.csv", csv_bytes([HEADER, ROWS[0]]))]).table) == 1


def test_a_page_list_with_urls_only_is_a_crawl_when_one_is_asked_for():
    export = load([("urls.csv", b"URL\nhttps://shop.example/a\nhttps://shop.example/b\n")], "pages")
    assert export.table["url"].tolist() == ["https://shop.example/a", "https://shop.example/b"]
    assert not export.has("title")


def test_a_merged_table_keeps_its_types():
    table = load([("a.csv", csv_bytes()), ("b.csv", sample("semrush_backlinks.csv"))]).table
    single = load([("a.csv", csv_bytes())]).table
    pd.testing.assert_series_equal(table.dtypes, single.dtypes)


def test_two_sites_in_one_file_and_ratings_that_are_none_are_said():
    rows = [("https://a.example/", "250", "https://one.example/"), ("https://b.example/", "-7", "https://two.example/")]
    lines = ["Referring page URL,Domain rating,Target URL", *(",".join(row) for row in rows)]
    found = load([("links.csv", "\n".join(lines).encode())])
    assert found.table["domain_rating"].isna().all()
    assert found.notes == (
        "2 cells of “Domain rating” are not from 0 to 100, and left blank.",
        "The links lead to 2 sites: one.example (1), two.example (1). Results are about all; for one site, use its "
        "export alone.",
    )
