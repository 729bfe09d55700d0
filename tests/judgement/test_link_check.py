"""What a referring page says of a link is a state with its reasons, and never just yes or no."""

from typing import Any

import pandas as pd
import pytest

from backlink_audit.judgement.referring_page_crawl import check_links
from backlink_audit.labels import CHECK_STATES
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS
from tests.backlinks import clean_links, mapped_table

PAGE = "https://blog.example/post"
TARGET = "https://www.our-site.example/chains"
GIVEN: dict[str, Any] = {"referring_url": PAGE, "target_url": TARGET, "anchor": "chains"}


def state(
    link: dict[str, Any] | None = None, page: dict[str, Any] | None = None, found: list[dict[str, Any]] | None = None
) -> pd.Series:
    """Check one link. `found`: what differs of each link on the page from the one that the export names."""
    links = clean_links(**{name: [value] for name, value in {**GIVEN, **(link or {})}.items()})
    said = {"url": PAGE, "outcome": "read", "http_status": 200, "final_url": PAGE, "noindex": False, **(page or {})}
    pages = mapped_table(PAGE_FACTS, **{name: [value] for name, value in said.items()})
    on_page = {"referring_url": PAGE, "target_url": TARGET, "page_anchor": "chains", "kind": "text"}
    rows = [
        {**on_page, "page_nofollow": False, "page_ugc": False, "page_sponsored": False, **one} for one in found or []
    ]
    names = list(rows[0]) if rows else ["referring_url"]
    table = mapped_table(LINK_FACTS, **{name: [row[name] for row in rows] for name in names})
    return check_links(links, pages, table).iloc[0]


NOFOLLOW = {"nofollow": False, "ugc": False, "sponsored": False}


@pytest.mark.parametrize(
    ("link", "page", "found", "expected", "note"),
    [
        ({}, {}, [{}], "there", ""),
        ({}, {}, [{"target_url": "http://our-site.example/chains/?utm_source=x"}], "there", ""),
        ({"lost_date": "2026-01-01"}, {}, [{}], "there", "The export says that it is lost."),
        (NOFOLLOW, {}, [{"page_nofollow": True}], "there, now nofollow", "Nofollow on the page, not in the export."),
        (
            NOFOLLOW,
            {},
            [{"page_nofollow": True, "page_ugc": True}],
            "there, now ugc",
            "Nofollow on the page, not in the export; ugc on the page, not in the export.",
        ),
        (NOFOLLOW, {}, [{"page_sponsored": True}], "there, now sponsored", "Sponsored on the page, not in the export."),
        ({"nofollow": True}, {}, [{"page_nofollow": True}], "there", ""),
        ({"nofollow": True}, {}, [{}], "there", "Not nofollow any more."),
        ({}, {}, [{"page_nofollow": True}], "there", "Nofollow on the page, the export does not say."),
        ({}, {"noindex": True}, [{}], "there, page noindex or canonical elsewhere", "The page is noindex."),
        (
            {},
            {"canonical": "https://blog.example/other"},
            [{}],
            "there, page noindex or canonical elsewhere",
            "Its canonical is https://blog.example/other.",
        ),
        ({}, {"canonical": "http://www.blog.example/post/"}, [{}], "there", ""),
        (
            {},
            {"final_url": "https://blog.example/new"},
            [{}],
            "moved",
            "The page is now at https://blog.example/new.",
        ),
        ({}, {"final_url": "http://www.blog.example/post/"}, [{}], "there", ""),
        ({}, {}, [], "link gone", ""),
        (
            {},
            {},
            [{"target_url": "https://our-site.example/"}],
            "link gone",
            "The page links to https://our-site.example/ instead.",
        ),
        ({}, {"outcome": "gone", "reason": "the server answered 404"}, [], "page gone", "The server answered 404."),
        ({}, {"outcome": "not readable", "reason": "a login"}, [], "not readable", "A login."),
        ({}, {"outcome": "not asked", "reason": "robots.txt forbids it"}, [], "not asked", "Robots.txt forbids it."),
        ({"anchor": "Chain shop"}, {}, [{}], "there", "The anchor is “chains”."),
        ({"external_links": 12}, {"external_links": 1480}, [{}], "there", "1,480 external links, 12 in the export."),
        ({"redirect_urls": f"http://a.example/, {TARGET}"}, {}, [{"target_url": "http://a.example/"}], "there", ""),
        ({}, {"final_url": TARGET, "http_status": 301}, [{"kind": "redirect", "page_anchor": ""}], "there", ""),
    ],
)  # fmt: skip
def test_the_state_and_what_differs(link, page, found, expected, note):
    checked = state(link, page, found)
    assert (checked["check_state"], checked["check_note"]) == (expected, note)


def test_every_state_is_one_that_has_words():
    assert len({label.word for label in CHECK_STATES}) == 10


def test_of_several_links_to_the_target_the_one_with_the_anchor_counts():
    checked = state({}, {}, [{"page_anchor": "home", "place": "footer"}, {"place": "content"}])
    assert checked["place"] == "content"


def test_a_link_of_the_text_comes_before_one_of_the_head():
    checked = state({"anchor": ""}, {}, [{"kind": "canonical", "page_anchor": ""}, {"page_anchor": "x"}])
    assert checked["kind"] == "text"


def test_of_a_page_that_nobody_asked_nothing_is_said():
    checked = state({"referring_url": "https://other.example/"}, {}, [{}])
    assert (checked["check_state"], checked["check_note"], checked["place"]) == ("", "", "")
    assert pd.isna(checked["page_external_links"])


def test_the_links_passed_in_stay_as_they_are():
    links = clean_links(**{name: [value] for name, value in GIVEN.items()})
    before = links.copy()
    check_links(links, mapped_table(PAGE_FACTS, url=[PAGE], outcome=["read"]), mapped_table(LINK_FACTS, kind=["text"]))
    pd.testing.assert_frame_equal(links, before)
