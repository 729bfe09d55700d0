"""Backlinks of several tools become one row per link; what differs stays apart, and no row is lost."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.errors import InvalidSetting, WrongExport
from backlink_audit.exports.load import load, merging_sentence, seen_by_tools
from backlink_audit.exports.parts import split
from tests.crawls import as_csv

AHREFS = ("Referring page title", "Referring page URL", "Target URL", "Anchor", "UR", "Domain rating", "External links")
SEMRUSH = ("Page ascore", "Source title", "Source url", "Target url", "Anchor", "External links")
SHOP = "https://shop.example/chairs"


def ahrefs(*links: tuple[str, str, str]) -> tuple[str, bytes]:
    return "ahrefs.csv", as_csv(AHREFS, [("About chairs", *link, 30, 40, 10) for link in links])


def semrush(*links: tuple[str, str, str]) -> tuple[str, bytes]:
    return "semrush.csv", as_csv(SEMRUSH, [(12, "Chairs", *link, 11) for link in links])


def google(*pages: str) -> tuple[str, bytes]:
    return "shop.example-Latest links.csv", as_csv(("Linking page", "Last crawled"), [(p, "2026-07-11") for p in pages])


def twins(anchor: str) -> st.SearchStrategy[tuple[str, str, str]]:
    """A link as another tool may write it."""
    referring = st.sampled_from(
        ["https://blog.example/post", "http://www.blog.example/post/", "https://blog.example/post#c"]
    )
    target = st.sampled_from([SHOP, "http://shop.example/chairs/", "https://www.shop.example/chairs#top"])
    return st.tuples(referring, target, st.sampled_from([anchor, f" {anchor.upper()} ", anchor.replace(" ", "  ")]))


@given(twins("oak chairs"))
def test_a_link_written_another_way_is_the_same_link(twin):
    merged = load([ahrefs(("https://blog.example/post", SHOP, "oak chairs")), semrush(twin)])
    assert merged.raw["Seen by"].tolist() == ["Ahrefs, Semrush"]


@pytest.mark.parametrize(
    "other",
    [
        ("https://blog.example/post2", SHOP, "oak"),
        ("https://blog.example/post", f"{SHOP}?id=1", "oak"),
        ("https://blog.example/post", SHOP, "chairs"),
    ],
)
def test_another_page_or_another_anchor_is_another_link(other):
    merged = load([ahrefs(("https://blog.example/post", SHOP, "oak")), semrush(other)])
    assert merged.raw["Seen by"].tolist() == ["Ahrefs", "Semrush"]


def test_a_row_without_an_anchor_joins_the_only_link_of_its_pages():
    page = "https://blog.example/post"
    one = load([ahrefs((page, SHOP, "oak")), semrush((page, SHOP, ""))])
    assert one.table["anchor"].tolist() == ["oak"]
    two = load([ahrefs((page, SHOP, "oak"), (page, SHOP, "chairs")), semrush((page, SHOP, ""))])
    assert two.table["anchor"].tolist() == ["oak", "chairs", ""]


def test_the_first_file_counts_and_ratings_of_two_scales_are_never_mixed():
    link = ("https://blog.example/post", SHOP, "oak")
    merged = load([semrush(link), ahrefs(link)])
    row = merged.table.iloc[0]
    assert (row["url_rating"], row["scale"], row["external_links"]) == (12, "Semrush", 11)
    assert pd.isna(row["domain_rating"]) and row["referring_title"] == "Chairs"
    raw = merged.raw.iloc[0]
    assert (raw["UR"], raw["Page ascore"], raw["Domain rating"]) == ("30", "12", "40")
    assert merged.notes[-1] == "2 rows of 2 tools are 1 link."


def test_google_lists_pages_domains_or_neither_and_adds_no_link():
    pages = ["https://blog.example/post", "https://forum.example/2", "https://other.example/"]
    files = [
        ahrefs(*((page, SHOP, "oak") for page in pages)),
        google("http://www.blog.example/post/", "https://forum.example/1"),
    ]
    merged = load(files)
    assert merged.raw["Google lists it"].tolist() == ["yes", "its domain only", "no"]
    assert list(merged.raw.columns)[-2:] == ["Seen by", "Google lists it"]


def test_search_console_alone_leads_to_the_site_in_its_name():
    alone = load([google("https://blog.example/post")])
    assert alone.table["target_url"].tolist() == ["https://shop.example/"]
    with pytest.raises(WrongExport, match="put your site in the file name"):
        load([("Latest links.csv", google("https://blog.example/post")[1])])


def test_the_site_may_be_given_and_is_else_that_of_the_other_files():
    latest = ("Latest links.csv", google("https://blog.example/post")[1])
    assert load([latest], site="shop.example").table["target_url"].tolist() == ["https://shop.example/"]
    merged = load([latest, ahrefs(("https://blog.example/post", SHOP, "oak"))])
    assert merged.raw["Google lists it"].tolist() == ["yes"]
    with pytest.raises(WrongExport, match="--site example.com"):
        load([latest, ("More links.csv", google("https://blog.example/2")[1])])


def test_files_of_several_tools_are_refused_in_parts(tmp_path):
    paths = []
    for name, data in (
        ahrefs(("https://blog.example/post", SHOP, "oak")),
        semrush(("https://blog.example/post", SHOP, "oak")),
    ):
        (tmp_path / name).write_bytes(data)
        paths.append(tmp_path / name)
    with pytest.raises(WrongExport, match="cannot be merged with --engine parts or ray"):
        split(paths, tmp_path / "run")


@pytest.mark.parametrize("site", ["https://www.Shop.example/oak", " shop.example/ ", "sc-domain:shop.example"])
def test_the_site_may_be_given_as_an_address(site):
    found = load([("Latest links.csv", google("https://blog.example/post")[1])], site=site)
    assert found.table["target_url"].tolist() == ["https://shop.example/"]


@pytest.mark.parametrize("site", ["not a site", "localhost", "shop", "https://"])
def test_what_is_no_site_is_refused(site):
    with pytest.raises(InvalidSetting, match="is not a site; write it as example.com"):
        load([("Latest links.csv", google("https://blog.example/post")[1])], site=site)


OWN = b"Referring page URL,Target URL,Anchor,UR,Seen by,Google lists it\nhttps://a.example/1,https://s.example/,oak,9,Ann,no\n"


def test_a_column_of_the_users_own_by_our_name_does_not_pass_for_a_merging():
    alone = load([("ahrefs.csv", OWN), ("same.csv", OWN.replace(b"/1,", b"/2,"))])
    assert alone.merged is None and merging_sentence(alone) == ""
    assert list(seen_by_tools(alone).columns) == []


def test_of_several_tools_the_users_own_columns_stay_beside_ours():
    merged = load([("ahrefs.csv", OWN), semrush(("https://a.example/1", "https://s.example/", "oak"))])
    assert merged.merged is not None and merged.merged.tools == ("Ahrefs", "Semrush")
    assert merging_sentence(merged) == "2 rows of 2 tools are 1 link."
    assert merged.raw[["Seen by", "Seen by (in the file)"]].iloc[0].tolist() == ["Ahrefs, Semrush", "Ann"]
    assert seen_by_tools(merged).columns.tolist() == ["seen_by"]
