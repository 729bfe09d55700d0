"""The sample project has what every page needs to have something to show."""

import csv
import io

import pytest

from backlink_audit import sample
from backlink_audit.exports.load import load
from backlink_audit.text.urls import registrable_domains

DEAD = ("/guides/best-panniers-2019/", "/tents/three-person-tent/", "/sale/winter-clearance/")


def rows(role: str, encoding: str = "utf-8-sig", delimiter: str = ",", number: int = 0) -> list[dict[str, str]]:
    text = sample.files()[role][number][1].decode(encoding)
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.fixture(scope="module")
def backlinks() -> list[dict[str, str]]:
    return rows("backlinks", "utf-16", "\t")


def host(url: str) -> str:
    return url.split("/")[2]


def domain(url: str) -> str:
    return ".".join(host(url).split(".")[-2:])


def link_key(row: dict[str, str]) -> tuple[str, str, str]:
    return row["Referring page URL"], row["Target URL"], row["Anchor"]


def test_every_role_has_its_files_and_together_they_are_small():
    loaded = sample.files()
    assert {role: len(files) for role, files in loaded.items()} == {
        "backlinks": 1,
        "older": 1,
        "competitors": 2,
        "pages": 1,
        "old_pages": 1,
        "inlinks": 1,
        "citations": 3,
    }
    assert sum(len(data) for files in loaded.values() for _, data in files) < 600_000


def test_backlinks_are_laid_out_as_ahrefs_writes_them(backlinks):
    data = sample.files()["backlinks"][0][1]
    assert data.startswith(b"\xff\xfe")
    assert len(backlinks) == 310
    assert len(backlinks[0]) == 34
    assert {None} not in [set(row) for row in backlinks]


@pytest.mark.parametrize(
    ("role", "number"), [("older", 0), ("competitors", 0), ("competitors", 1), ("old_pages", 0), ("inlinks", 0)]
)
def test_every_row_has_as_many_cells_as_the_header(role, number):
    for row in rows(role, number=number):
        assert None not in row and None not in row.values()


def test_every_host_is_invented(backlinks):
    urls = [row[column] for row in backlinks for column in ("Referring page URL", "Target URL")]
    urls += [row[column] for row in rows("competitors") for column in ("Source url", "Target url")]
    urls += [row["Address"] for row in rows("pages")]
    assert {host(url).rsplit(".", 1)[-1] for url in urls} == {"example"}


def test_backlinks_hold_every_kind_of_link(backlinks):
    def count(column: str, value: str) -> int:
        return sum(row[column] == value for row in backlinks)

    assert 30 <= sum(row["Lost status"] != "" for row in backlinks) <= 60
    assert count("Nofollow", "true") >= 40 and count("UGC", "true") >= 30 and count("Sponsored", "true") >= 3
    assert count("Content", "false") >= 30
    assert sum(row["Type"] == "image" and row["Anchor"] == "" for row in backlinks) >= 15
    assert sum(row["Anchor"].startswith("https://") for row in backlinks) >= 15
    assert len({row["Language"] for row in backlinks}) >= 8
    assert sum(row["Language"] not in ("en", "ru", "zh", "id", "vi") for row in backlinks) >= 25
    assert {"200", "404", "403", "0", "301"} <= {row["Referring page HTTP code"] for row in backlinks}
    assert sum(row["UR"] == "0" for row in backlinks) > len(backlinks) / 2
    assert sum(float(row["UR"]) > 30 for row in backlinks) >= 8
    assert sum(int(row["Links in group"]) >= 5 for row in backlinks) >= 15
    assert sum(row["Target URL"].endswith(DEAD) for row in backlinks) >= 9
    assert sum(row["Redirect Chain URLs"] != "" for row in backlinks) >= 5


def test_first_seen_spans_two_years_with_one_spike(backlinks):
    months = [row["First seen"][:7] for row in backlinks]
    counts = {month: months.count(month) for month in set(months)}
    assert min(counts) == "2023-11" and max(counts) == "2025-11"
    spike = counts.pop("2025-06")
    assert spike > 1.8 * max(counts.values())


def test_one_exact_match_anchor_and_one_title_repeat_over_many_domains(backlinks):
    followed = [
        row
        for row in backlinks
        if (row["Content"], row["Nofollow"], row["UGC"], row["Sponsored"]) == ("true", "false", "false", "false")
        and not row["Lost"]
        and not row["Lost"]
        and "true" not in (row["Nofollow"], row["UGC"], row["Sponsored"])
    ]
    domains = {domain(row["Referring page URL"]) for row in followed}
    exact = {domain(row["Referring page URL"]) for row in followed if row["Anchor"] == "waterproof rear panniers"}
    assert len(exact) > 0.15 * len(domains)
    titles: dict[str, set[str]] = {row["Referring page title"]: set() for row in backlinks}
    for row in backlinks:
        titles[row["Referring page title"]].add(domain(row["Referring page URL"]))
    assert max(map(len, titles.values())) >= 10


def test_older_export_misses_has_and_changes_links(backlinks):
    older = {link_key(row): row for row in rows("older")}
    newer = {link_key(row): row for row in backlinks}
    assert len(older) == 211
    assert len(older.keys() - newer.keys()) >= 12
    assert len(newer.keys() - older.keys()) >= 80
    changed = [key for key in older.keys() & newer.keys() if older[key]["UR"] != newer[key]["UR"]]
    assert len(changed) >= 5


def test_competitors_share_some_referring_domains_with_the_shop(backlinks):
    ours = {domain(row["Referring page URL"]) for row in backlinks}
    semrush = {domain(row["Source url"]) for row in rows("competitors")}
    ahrefs = {domain(row["Referring page URL"]) for row in rows("competitors", number=1)}
    assert len(rows("competitors")) == 200 and len(rows("competitors", number=1)) == 120
    for theirs in (semrush, ahrefs):
        assert len(theirs & ours) >= 15
        assert len(theirs - ours) >= 25


def test_crawl_has_text_to_read_and_the_troubles_of_a_real_one():
    pages = rows("pages")
    assert {"200", "301", "404"} <= {page["Status Code"] for page in pages}
    assert {"noindex", "Redirected", "Client Error"} <= {page["Indexability Status"] for page in pages}
    live = [
        page for page in pages if page["Indexability"] == "Indexable" and page["Content Type"].startswith("text/html")
    ]
    assert 60 <= len(live) <= 75
    assert all(len(page["Content"].split()) >= 30 for page in live)
    assert len({page["Content"] for page in live}) == len(live)
    assert sum(page["Title 1"].endswith(" | Long Road") for page in live) >= len(live) - 1
    assert sum(page["H1-1"] == "" for page in live) >= 5
    assert sum("image" in page["Content Type"] for page in pages) >= 2


def test_pages_mention_titles_they_do_not_link_to_yet():
    pages = [page for page in rows("pages") if page["H1-1"] and page["Content"]]
    linked = {(row["Source"], row["Destination"]) for row in rows("inlinks")}
    mentions = [
        (page["Address"], other["Address"])
        for page in pages
        for other in pages
        if page is not other and other["H1-1"].lower() in page["Content"].lower()
    ]
    assert len([pair for pair in mentions if pair not in linked]) >= 30


def test_inlinks_know_the_crawl_its_positions_and_two_orphans():
    addresses = {page["Address"] for page in rows("pages")}
    inlinks = rows("inlinks")
    assert {row["Source"] for row in inlinks} <= addresses
    assert {row["Link Position"] for row in inlinks} == {"Header", "Navigation", "Footer", "Content"}
    linked = {row["Destination"] for row in inlinks}
    orphans = {
        page["Address"]
        for page in rows("pages")
        if page["Indexability"] == "Indexable" and page["Content"] and page["Address"] not in linked
    }
    assert len(orphans) == 2


@pytest.mark.parametrize(
    ("role", "table"),
    [
        ("backlinks", "backlinks"),
        ("older", "backlinks"),
        ("competitors", "backlinks"),
        ("pages", "pages"),
        ("old_pages", "pages"),
        ("inlinks", "inlinks"),
    ],
)
def test_every_file_is_recognised_and_fully_mapped(role, table):
    for name, data in sample.files()[role]:
        export = load([(name, data)], table)
        assert export.kind == table
        assert len(export.table) == len(export.raw)
        assert registrable_domains(export.table.filter(regex="url").iloc[:, 0]).str.endswith(".example").all()
