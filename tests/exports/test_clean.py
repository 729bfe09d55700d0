"""Tests of backlink_audit.exports.clean: counts add up, and each filter removes what it says."""

import pandas as pd
import pytest

from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.clean import clean_backlinks, clean_pages
from backlink_audit.exports.load import recognise_file
from backlink_audit.settings import BacklinkFilters, PageFilters
from tests.exports.made import backlinks, pages, sample

ALL_PAGE_FILTERS = PageFilters()
NO_PAGE_FILTERS = PageFilters(**dict.fromkeys(vars(ALL_PAGE_FILTERS), False))


def kept(export, **switches) -> list[int]:
    filters = BacklinkFilters(**{**vars(BacklinkFilters.none()), **switches})
    return clean_backlinks(export, filters).table.index.tolist()


def states(export) -> list[str]:
    return clean_backlinks(export, BacklinkFilters()).table["link_state"].tolist()


def kept_pages(export, **switches) -> list[int]:
    filters = PageFilters(**{**vars(NO_PAGE_FILTERS), **switches})
    return clean_pages(export, filters).table.index.tolist()


@pytest.mark.parametrize(
    "name",
    [
        "ahrefs_backlinks_2023.csv",
        "ahrefs_backlinks_2026.csv",
        "semrush_backlinks.csv",
        "majestic_backlinks.csv",
        "moz_inbound_links.csv",
    ],
)
@pytest.mark.parametrize("filters", [BacklinkFilters(), BacklinkFilters.none()])
def test_counts_of_backlinks_add_up(name, filters):
    export = recognise_file(name, sample(name))
    cleaned = clean_backlinks(export, filters)
    assert len(cleaned.table) + sum(cleaned.removed.values()) == len(export.raw)
    assert sorted([*cleaned.table.index, *cleaned.set_aside.index]) == export.raw.index.tolist()


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt"])
def test_a_crawl_is_cleaned_the_same_in_every_language(language):
    name = f"screaming_frog_pages_{language}.csv"
    export = recognise_file(name, sample(name))
    cleaned = clean_pages(export, PageFilters())
    assert cleaned.removed == {
        "Not http(s) URLs": 0,
        "Not HTML": 1,
        "Status not 200": 1,
        "Not indexable": 1,
        "Paginated": 0,
        "With parameters": 0,
        "Duplicates": 0,
    }
    assert cleaned.table["url_key"].tolist() == ["shop.example", "shop.example/chairs"]


def test_every_active_filter_is_listed_in_order_even_with_nothing_removed():
    assert list(clean_backlinks(backlinks(), BacklinkFilters()).removed.items()) == [
        ("Not http(s) URLs", 0),
        ("Exact duplicates", 0),
    ]
    assert list(clean_backlinks(backlinks(), BacklinkFilters.none()).removed) == []


def test_what_is_no_web_address_is_removed():
    urls = [
        "https://a.example/x",
        "mailto:anna@a.example",
        "javascript:void(0)",
        "a.example/page",
        "just words",
        "ftp://a.example/",
    ]
    assert kept(backlinks(Referring_page_URL=urls), web_urls=True) == [0, 3]
    assert kept(backlinks(Target_URL=urls), web_urls=True) == [0, 3]


def test_repeats_are_the_same_pages_with_the_same_anchor():
    export = backlinks(Referring_page_URL=["https://a.example"] * 4, Anchor=["x", "x", "y", "x"])
    assert kept(export, repeats=True) == [0, 2]


def test_a_lost_date_status_or_drop_reason_makes_a_link_lost():
    export = backlinks(
        Lost=["2025-01-01", "", "", ""], Lost_status=["", "notfound", "", ""], Drop_reason=["", "", "tooold", ""]
    )
    assert states(export) == ["lost", "lost", "lost", "live"]
    assert clean_backlinks(export, BacklinkFilters.none()).table["is_lost"].tolist() == [True, True, True, False]


@pytest.mark.parametrize(("name", "lost"), [("semrush_backlinks.csv", [2]), ("majestic_backlinks.csv", [1])])
def test_lost_links_of_other_tools_are_known_too(name, lost):
    table = clean_backlinks(recognise_file(name, sample(name)), BacklinkFilters.none()).table
    assert table.index[table["is_lost"]].tolist() == lost


def test_only_a_known_dead_status_makes_a_dead_page():
    export = backlinks(Referring_page_HTTP_code=["200", "204", "301", "404", "500", "0", "403", "429", "", "200.0"])
    assert [row for row, state in enumerate(states(export)) if state == "dead page"] == [2, 3, 4]


def test_a_lost_link_on_a_dead_page_is_lost():
    assert states(backlinks(Lost=["2025-01-01"], Referring_page_HTTP_code=["404"])) == ["lost"]


def test_a_link_stands_in_content_outside_it_or_nobody_knows():
    table = clean_backlinks(backlinks(Content=["true", "FALSE", ""]), BacklinkFilters()).table
    assert table["placement"].tolist() == ["in content", "outside content", "unknown"]


def test_a_sitewide_link_of_semrush_stands_outside_the_content():
    table = clean_backlinks(recognise_file("s.csv", sample("semrush_backlinks.csv")), BacklinkFilters()).table
    assert table["placement"].eq("outside content").equals(table["sitewide"].fillna(False).astype(bool))
    assert table["sitewide"].any()


def test_backlinks_get_keys_domains_and_whether_they_are_followed():
    export = backlinks(
        Referring_page_URL=[
            "https://www.blog.example/a/",
            "https://b.example/",
            "https://c.example/",
            "https://d.example/",
        ],
        Nofollow=["false", "true", "", "false"],
        UGC=["false", "false", "", "true"],
    )
    table = clean_backlinks(export, BacklinkFilters.none()).table
    assert table["referring_key"].tolist()[0] == "blog.example/a"
    assert table["referring_domain"].tolist() == ["blog.example", "b.example", "c.example", "d.example"]
    assert set(table["target_domain"]) == {"shop.example"}
    assert table["followed"].tolist() == [True, False, True, False]
    assert table["followed"].dtype == table["is_lost"].dtype == bool


def test_no_row_is_removed_for_what_it_says():
    export = backlinks(Lost=["", "2025-01-01", "2025-01-01"], Referring_page_HTTP_code=["404", "200", "200"])
    assert len(clean_backlinks(export, BacklinkFilters()).table) == 3


def test_urls_that_are_none_end_in_a_sentence():
    with pytest.raises(NoRowsLeft, match=r"“Not http\(s\) URLs” removed the last 2"):
        clean_backlinks(backlinks(Referring_page_URL=["nothing here", "neither here"]), BacklinkFilters())


def test_rows_that_are_all_the_same_leave_one():
    assert kept(backlinks(Referring_page_URL=["https://a.example"] * 50), repeats=True) == [0]


def test_the_export_is_not_changed():
    export = backlinks(Lost=["", "2025-01-01"])
    before = export.table.copy()
    clean_backlinks(export, BacklinkFilters())
    pd.testing.assert_frame_equal(export.table, before)


@pytest.mark.parametrize(
    "words",
    [
        "Non-Indexable",
        "Nicht indexierbar",
        "Non indexable",
        "No indexable",
        "Non indicizzabile",
        "Não indexável",
        "false",
    ],
)
def test_not_indexable_is_understood_in_every_language(words):
    assert kept_pages(pages(Indexability=["Indexable", words, ""]), not_indexable=True) == [0, 2]


def test_pages_that_are_not_html_are_removed_where_the_type_is_known():
    assert kept_pages(
        pages(Content_Type=["text/html; charset=UTF-8", "image/png", "", "application/xhtml+xml"]), not_html=True
    ) == [0, 2, 3]


def test_pages_with_another_status_than_200_are_removed_where_it_is_known():
    assert kept_pages(pages(Status_Code=["200", "301", "", "404", "200.0"]), not_ok=True) == [0, 2, 4]


def test_spellings_of_one_page_are_duplicates():
    urls = [
        "https://www.shop.example/a/",
        "http://shop.example/a",
        "https://shop.example/a#top",
        "https://shop.example/b",
    ]
    assert kept_pages(pages(Address=urls), duplicates=True) == [0, 3]


def test_paginated_pages_can_be_removed():
    urls = [
        "https://shop.example/a",
        "https://shop.example/blog/page/2/",
        "https://shop.example/a?page=3",
        "https://shop.example/page/",
        "https://shop.example/p/12",
        "https://shop.example/blog/p2",
        "https://shop.example/page/20251106",
    ]
    assert kept_pages(pages(Address=urls), paginated=True) == [0, 3, 4, 6]


def test_pages_with_parameters_can_be_removed():
    assert kept_pages(pages(Address=["https://shop.example/a", "https://shop.example/a?x=1"]), parameters=True) == [0]


def test_rows_of_a_crawl_without_an_address_are_always_removed():
    cleaned = clean_pages(pages(Address=["https://shop.example/a", ""]), NO_PAGE_FILTERS)
    assert cleaned.removed == {"Not http(s) URLs": 1}


def test_counts_of_pages_add_up():
    export = recognise_file("screaming_frog_pages_en.csv", sample("screaming_frog_pages_en.csv"))
    cleaned = clean_pages(export, ALL_PAGE_FILTERS)
    assert len(cleaned.table) + sum(cleaned.removed.values()) == len(export.raw)
