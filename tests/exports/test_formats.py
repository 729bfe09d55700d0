"""Tests of backlink_audit.exports.formats: every format has a sample file and is recognised from it."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from pandas.testing import assert_frame_equal

from backlink_audit.errors import AuditError, UnreadableFile, WrongExport
from backlink_audit.exports.formats import DOMAIN_LIST, FORMATS, LOOKALIKES, Format, Lookalike, find_format, header_key
from backlink_audit.exports.load import load, recognise_file
from backlink_audit.schema import TABLES
from backlink_audit.sources import ROLES
from tests.exports.made import SAMPLES, sample

HEADERS: list[Any] = [
    pytest.param(row["export"], row["read_as"], row["lines"], id=row["export"])
    for row in csv.DictReader(io.StringIO(Path(__file__).with_name("headers.csv").read_text("utf-8")))
]
"""Headers as tools have written them, with invented rows. `read_as`: the format, or “!” and the look-alike's name."""

FORMAT_OF = {
    "ahrefs_anchors.csv": "Ahrefs anchors",
    "semrush_anchors.csv": "Semrush anchors",
    "advertools_pages.csv": "advertools crawl",
    "ahrefs_backlinks_2020.csv": "Ahrefs backlinks (2020)",
    "ahrefs_backlinks_2023.csv": "Ahrefs backlinks",
    "ahrefs_backlinks_2025.csv": "Ahrefs backlinks",
    "ahrefs_backlinks_2026.csv": "Ahrefs backlinks",
    "ahrefs_backlinks_resaved.csv": "Ahrefs backlinks",
    "ahrefs_backlinks_api.csv": "Ahrefs backlinks (API)",
    "ahrefs_best_by_links.csv": "Ahrefs best pages by links",
    "ahrefs_top_pages.csv": "Ahrefs top pages",
    "ga4_pages.csv": "GA4 pages and screens",
    "plain_performance.csv": "Page performance (other tools)",
    "search_console_pages.csv": "Search Console pages",
    "ahrefs_link_intersect.csv": "Ahrefs link intersect",
    "ahrefs_referring_domains.csv": "Ahrefs referring domains",
    "https___shop.example_-Latest links-2026-07-18.csv": "Search Console links",
    "majestic_backlinks.csv": "Majestic backlinks",
    "majestic_referring_domains.csv": "Majestic referring domains",
    "moz_inbound_links.csv": "Moz inbound links",
    "plain_backlinks.csv": "Backlinks (other tools)",
    "plain_inlinks.csv": "Inlinks (other tools)",
    "plain_pages.csv": "Pages (other tools)",
    "plain_referring_domains.csv": "Referring domains (other tools)",
    "screaming_frog_inlinks_2017.csv": "Screaming Frog all inlinks",
    "screaming_frog_inlinks_de.csv": "Screaming Frog all inlinks",
    "screaming_frog_inlinks_en.csv": "Screaming Frog all inlinks",
    "screaming_frog_inlinks_es.csv": "Screaming Frog all inlinks",
    "screaming_frog_inlinks_fr.csv": "Screaming Frog all inlinks",
    "screaming_frog_pages_2015.csv": "Screaming Frog pages",
    "screaming_frog_pages_de.csv": "Screaming Frog pages",
    "screaming_frog_pages_en.csv": "Screaming Frog pages",
    "screaming_frog_pages_es.csv": "Screaming Frog pages",
    "screaming_frog_pages_fr.csv": "Screaming Frog pages",
    "screaming_frog_pages_it.csv": "Screaming Frog pages",
    "screaming_frog_pages_pt.csv": "Screaming Frog pages",
    "search_console_linked_pages.csv": "Search Console top linked pages",
    "search_console_linking_sites.csv": "Search Console top linking sites",
    "search_console_linking_text.csv": "Search Console top linking text",
    "backlink_audit_link_check.csv": "backlink-audit link check",
    "sitebulb_pages.csv": "Sitebulb pages",
    "semrush_backlink_audit.csv": "Semrush Backlink Audit",
    "semrush_backlinks.csv": "Semrush backlinks",
    "semrush_backlinks_semicolon.csv": "Semrush backlinks",
    "semrush_referring_domains.csv": "Semrush referring domains",
}
BY_NAME = {layout.name: layout for layout in FORMATS}
WRONG_PICKS = (
    ("Screaming Frog semantically similar", "pages"),
    ("Screaming Frog near duplicates", "pages"),
    ("Screaming Frog redirects", "pages"),
    ("Screaming Frog redirects", "inlinks"),
    ("Screaming Frog orphan pages", "inlinks"),
    ("bing ai pages", "performance"),
    ("bing ai pages", "pages"),
    ("bing ai overview", "performance"),
    ("bing backlinks domains", "linking_texts"),
    ("bing backlinks anchors", "referring_domains"),
    ("moz top pages", "pages"),
    ("ahrefs internal most linked (partial)", "performance"),
    ("common crawl domain ranks", "referring_domains"),
    ("ahrefs anchors (partial)", "backlinks"),
)
BY_ALL_THEY_HAVE = (
    *("Search Console pages", "Search Console latest", "Search Console linktext", "Screaming Frog orphan"),
    *("bing backlinks domains", "bing backlinks anchors", "Screaming Frog embeddings dims"),
)
"""Known by all columns that they have, or by their values: with one more, or in another order, they may be refused."""
LOOKALIKE_FILES = sorted(path.name for path in (SAMPLES / "lookalikes").glob("*.csv"))


def test_every_format_has_a_sample_and_every_sample_a_format():
    read = {one.values[1] for one in HEADERS}
    assert set(FORMAT_OF.values()) | {name for name in read if not name.startswith("!")} == set(BY_NAME)
    assert set(FORMAT_OF) == {path.name for path in SAMPLES.glob("*.csv")}


@pytest.mark.parametrize("file", sorted(FORMAT_OF))
def test_a_sample_is_recognised_when_its_table_is_asked_for(file):
    wanted = BY_NAME[FORMAT_OF[file]]
    export = load([(file, sample(file))], wanted.table)
    assert export.format is wanted
    assert len(export.table) == len(export.raw) > 0
    assert set(TABLES[wanted.table].names) == set(export.table.columns)


@pytest.mark.parametrize("file", sorted(set(FORMAT_OF) - {"plain_inlinks.csv"}))
def test_a_sample_is_recognised_without_a_hint(file):
    assert recognise_file(file, sample(file)).format.name == FORMAT_OF[file]


@pytest.mark.parametrize(
    "file",
    sorted(file for file, name in FORMAT_OF.items() if BY_NAME[name].table != "backlinks" and BY_NAME[name].tool),
)
def test_an_export_of_another_table_is_refused_by_name(file):
    with pytest.raises(WrongExport, match=f"“{FORMAT_OF[file]}”, but backlinks are required"):
        load([(file, sample(file))], "backlinks")


def test_every_lookalike_has_a_sample():
    seen = {found.name for found in LOOKALIKES for one in HEADERS if f"!{found.name}".startswith(one.values[1])}
    for file in LOOKALIKE_FILES:
        with pytest.raises(WrongExport) as caught:
            recognise_file(file, sample(f"lookalikes/{file}"))
        seen |= {found.name for found in (*LOOKALIKES, DOMAIN_LIST) if found.name in str(caught.value)}
    assert seen == {found.name for found in (*LOOKALIKES, DOMAIN_LIST)}


@pytest.mark.parametrize("file", LOOKALIKE_FILES)
def test_a_lookalike_is_refused_with_its_name_and_what_to_export_instead(file):
    with pytest.raises(WrongExport, match=rf"{file}: this is .+; .*export.+\."):
        load([(file, sample(f"lookalikes/{file}"))], "backlinks")


@pytest.mark.parametrize(("export", "read_as", "lines"), HEADERS)
def test_a_header_that_a_tool_has_written_is_read_as_what_it_is(export, read_as, lines):
    file = f"shop.example-{export}.csv", lines.encode()
    if read_as.startswith("!"):
        with pytest.raises(WrongExport, match=re.escape(f"this is {read_as[1:]}")):
            recognise_file(*file)
        return
    found = recognise_file(*file)
    assert found.format.name == read_as
    for column in TABLES[found.kind].required:
        assert found.table[column].notna().all() and (found.table[column] != "").all()
    for role in ROLES.values():
        if found.kind not in role.tables and not role.many:
            with pytest.raises(AuditError, match="this is|not known|no column|lists URLs"):
                load([file], role.tables[0])


def test_what_tools_say_in_their_own_way_is_read():
    table = {
        one.values[0]: recognise_file("file.csv", one.values[2].encode()).table
        for one in HEADERS
        if one.values[1][0] != "!" and "latest" not in one.values[0]
    }
    assert table["ahrefs broken"]["target_http_status"].tolist() == [404, 404, 404]
    assert table["ahrefs backlinks 2026-04"]["page_type"].tolist() == ["Article > Guide", "", "Site page > About"]
    assert table["dataforseo backlinks"]["nofollow"].tolist() == [False, True, False]
    assert table["dataforseo backlinks"]["domain_rating"].round(1).tolist() == [52.3, 31, 7.7]
    assert table["dofollow of other tools"]["nofollow"].tolist() == [False, True]
    assert table["LinkResearchTools"]["nofollow"].tolist() == [False, True, False]
    assert table["LinkResearchTools"]["scale"].tolist() == ["LinkResearchTools"] * 3
    assert table["majestic api pipe"]["tool_topic"].tolist() == ["Home/Furniture"] * 3
    assert table["Screaming Frog embeddings dims"]["embedding"].tolist() == [
        "0.10,0.11,0.12",
        "0.20,0.21,0.22",
        "0.30,0.31,0.32",
    ]
    pages = table["ahrefs link intersect pages"]
    assert pages["target_url"].value_counts().to_dict() == {"https://ours.com/": 2, "https://theirs.com/": 2}


def changed(lines, change):
    """The file with each of its rows changed; `change` gets the cells of a row and its number."""
    between = next(one for one in "|\t;," if one in lines.split("\n")[0])
    rows = csv.reader(io.StringIO(lines), delimiter=between)
    out = io.StringIO()
    csv.writer(out, delimiter=between, lineterminator="\n").writerows(
        change(row, number) for number, row in enumerate(rows)
    )
    return out.getvalue()


def read(lines):
    """What a file is and its rows; None where it is refused in a sentence."""
    try:
        found = recognise_file("shop.example-file.csv", lines.encode())
    except AuditError:
        return None
    columns = [name for name in TABLES[found.kind].names if name not in ("source_file", "tool", "scale")]
    return found.kind, found.table[columns].sort_values(columns[:2], ignore_index=True)


@pytest.mark.parametrize(("export", "read_as", "lines"), HEADERS)
def test_a_header_that_is_changed_is_read_alike_or_refused(export, read_as, lines):
    alike = {
        "more": changed(lines, lambda row, number: [*row, "x" if number else "My note"]),
        "more in front": changed(lines, lambda row, number: ["x" if number else "My note", *row]),
        "order": changed(lines, lambda row, _: row[::-1]),
        "lines above": f"Report of shop.example\nSite,shop.example\nMade,2026-08-01\n\n{lines}",
        "header again": changed(lines, lambda row, _: row) + changed(lines, lambda row, number: row * (not number)),
    }
    whole = read(lines)
    for what, text in alike.items():
        found = read(text)
        if whole is None or found is None:
            may_be = export.startswith(BY_ALL_THEY_HAVE) and what != "header again"
            assert found is None and (whole is None or may_be), what
        else:
            assert found[0] == whole[0], what
            assert_frame_equal(found[1], whole[1])
    assert read(lines.split("\n")[0]) is None
    below = [["URL", "Title", "H1-1"], ["https://shop.example/", "Oak", "Oak"]]
    assert read(f"{lines}\n\n{changed(lines, lambda _, number: [*below, *[[]] * 9][number])}") is None


@pytest.mark.parametrize("rename", [False, True])
@pytest.mark.parametrize(("export", "read_as", "lines"), HEADERS)
def test_of_a_header_without_a_column_nothing_else_is_read_for_it(export, read_as, lines, rename):
    whole = read(lines)
    for place in range(int(changed(lines, lambda row, _: [len(row)]).split()[0])):
        without = changed(
            lines,
            lambda row, number, place=place: [
                *row[:place],
                *([row[place] if number else "My column"] * rename),
                *row[place + 1 :],
            ],
        )
        found = read(without)
        if whole and found and found[0] == whole[0]:
            rows = found[1]
            unread = rows.isna() | rows.isin(["", False])
            told = [name for name in rows if not (name == "link_type" and read_as.startswith("Semrush"))]
            other = [name for name in told if not (unread[name] | rows[name].isin(whole[1][name])).all()]
            assert not other, (place, other)


@pytest.mark.parametrize(("export", "kind"), WRONG_PICKS)
def test_a_file_picked_for_another_use_is_refused(export, kind):
    lines = next(one.values[2] for one in HEADERS if one.values[0] == export)
    with pytest.raises(AuditError):
        load([("shop.example-file.csv", lines.encode())], kind)


def test_every_format_maps_columns_of_its_table_only():
    for layout in FORMATS:
        assert set(layout.headers) <= set(TABLES[layout.table].names), layout.name
        assert set(TABLES[layout.table].required) <= set(layout.headers), layout.name


def test_every_lookalike_says_what_to_do():
    for lookalike in LOOKALIKES:
        assert isinstance(lookalike, Lookalike)
        assert lookalike.instead


def test_headers_are_compared_without_marks_case_and_spare_spaces():
    assert header_key("\ufeff  Referring  PAGE url ") == header_key("Referring page URL")
    assert header_key("Indexabilite\u0301") == header_key("Indexabilité")


def test_unknown_headers_have_no_format():
    assert find_format(["Colour", "Size"]) is None


def test_of_two_plain_formats_the_one_asked_for_wins():
    headers = ["Source URL", "Target URL", "Anchor"]
    for wanted, table in ((None, "backlinks"), ("inlinks", "inlinks")):
        found = find_format(headers, wanted)
        assert isinstance(found, Format) and found.table == table


def test_an_advertools_crawl_is_the_same_as_csv_and_as_json_lines():
    tables = [load([(name, sample(name))], "pages").table for name in ("advertools_pages.csv", "advertools_pages.jl")]
    for table in tables:
        assert table["url"].tolist() == [
            "https://shop.example/",
            "https://shop.example/tents/",
            "https://shop.example/gone",
        ]
        assert table["h1"].tolist() == ["Camping shop", "Tents", ""]
        assert table["http_status"].tolist() == [200, 200, 404]
        assert table["content"][1] == "Tents of canvas.\nFor two @@ or four."
    assert tables[0].drop(columns="source_file").equals(tables[1].drop(columns="source_file"))


def test_sitebulb_pages_have_their_columns():
    table = load([("sitebulb_pages.csv", sample("sitebulb_pages.csv"))], "pages").table
    assert table[["title", "h1", "http_status", "crawl_depth"]].iloc[1].tolist() == ["Tents | Camp", "Tents", 200, 1]
    assert table["redirect_url"][2] == "https://shop.example/tents/"


def test_a_broken_line_of_json_is_named():
    with pytest.raises(UnreadableFile, match="line 2 is not a JSON object"):
        load([("crawl.jl", b'{"url": "https://shop.example/"}\n{"url": \n')], "pages")


def test_a_file_of_links_that_has_a_link_text_is_not_taken_for_a_list_of_texts():
    assert find_format(["Page", "Leads to", "Link text"]) is None
    found = find_format(["Rank", "Link text"])
    assert isinstance(found, Format) and found.table == "linking_texts"
