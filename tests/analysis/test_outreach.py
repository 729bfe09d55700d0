"""Sites that already link and are worth approaching: one ask each, good links left alone, the most worth first."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from backlink_audit.analysis.outreach import ONE_LINK, outreach, words_around
from backlink_audit.analysis.redirected_links import redirect_columns
from tests.backlinks import clean_links

CHAIRS = "https://shop.example/oak-chairs"


def judged(*rows: Mapping[str, object]) -> pd.DataFrame:
    """Relevant, followed links in the content of real pages, but for what each row says."""
    usual: dict[str, object] = {
        "target_url": CHAIRS,
        "anchor": "oak chairs",
        "domain_rating": 20.0,
        "scale": "Ahrefs",
        "in_content": True,
        "band": "relevant",
        "page_kind": "page",
        "verdict": "Fine",
        "relevance": 80.0,
        "target_status": np.nan,
        "names_site": "",
        "own_site": "",
        "left_context": "Of all the chairs that we have tried, we like these",
        "right_context": "",
    }
    full = [
        {"referring_url": f"https://site{place}.example/p", "link_type": "text", **usual, **row}
        for place, row in enumerate(rows)
    ]
    names = list(dict.fromkeys(name for row in full for name in row))
    columns = {
        name: [row.get(name, "" if name.startswith(("lost_status", "redirect")) else None) for row in full]
        for name in names
    }
    links = clean_links(**columns)
    return links.assign(**redirect_columns(links), words_around=words_around(links))


STRONG = {"domain_rating": 80.0}
IN_A_MENU = {"in_content": False, "left_context": "More:"}


@pytest.mark.parametrize(
    ("fault", "asked"),
    [
        ({"target_status": 404.0}, "a page that returns 404"),
        ({"lost_link": True}, "The link was removed"),
        ({"lost_link": True, "http_status": 429.0}, "could not be read: check the page first"),
        ({"nofollow": True}, "nofollow: ask for a followed link"),
        (IN_A_MENU | STRONG, "outside the main content"),
        ({"redirect_urls": "https://old.example/oak", "redirect_codes": "301"}, f"link directly to {CHAIRS}"),
        ({"anchor": "click here"} | STRONG, "“click here” does not describe"),
        (STRONG, ONE_LINK),
    ],
)
def test_each_fault_has_its_ask(fault, asked):
    found = outreach(judged(fault))
    assert len(found) == 1 and asked in found["asks"][0]


@pytest.mark.parametrize(
    "harmless",
    [
        {},
        {"in_content": False},
        IN_A_MENU,
        {"anchor": "click here"},
        {"nofollow": True, "left_context": "Website:"},
        {"nofollow": True, "left_context": "Website:", "anchor": "click here"} | STRONG,
        {"anchor": CHAIRS, "left_context": "Website:"} | STRONG,
        {"nofollow": True, "anchor": CHAIRS},
        {"nofollow": True, "names_site": "title"},
        {"nofollow": True, "referring_url": "https://videos.example/@shop/1"},
        {"lost_link": True, "referring_url": "https://cards.example/company/shop"},
        {"referring_url": "https://answers.example/p", "anchor": "[5]"} | STRONG,
        {"nofollow": True, "sponsored": True},
        {"anchor": "", "link_type": "image"},
        {"anchor": ""},
        {"redirect_urls": "http://www.shop.example/oak-chairs/", "redirect_codes": "301"},
        {"nofollow": True, "band": "off-topic"},
        {"nofollow": True, "page_kind": "visitors"},
        {"nofollow": True, "verdict": "Review"},
        {"nofollow": True, "verdict": "Ignore"},
        {"nofollow": True, "http_status": 404.0},
    ],
)
def test_nothing_is_asked_where_nothing_is_wrong_or_to_be_won(harmless):
    assert outreach(judged(harmless)).empty


def test_nobody_is_asked_on_a_site_of_the_owner():
    own = {"referring_url": "https://old-shop.example/", "own_site": "old-shop.example", "nofollow": True}
    found = outreach(judged({"nofollow": True}, own))
    assert found["referring_domain"].tolist() == ["site0.example"]


def test_what_is_lost_comes_before_all_then_dead_targets():
    found = outreach(judged({"nofollow": True}, {"target_status": 404.0}, {"lost_link": True, "relevance": 70.0}))
    assert found["referring_domain"].tolist() == ["site2.example", "site1.example", "site0.example"]


def test_without_the_words_around_links_a_followed_one_is_asked_of_strong_sites_only():
    bare = {"nofollow": True, "left_context": ""}
    assert outreach(judged(bare, bare | STRONG))["referring_domain"].tolist() == ["site1.example"]


def test_a_site_with_a_good_link_is_left_alone_but_for_dead_targets():
    page = {"referring_url": "https://blog.example/1"}
    good = {"referring_url": "https://blog.example/2"}
    assert outreach(judged(page | {"nofollow": True}, good)).empty
    found = outreach(judged(page | {"target_status": 410.0}, good))
    assert found[["referring_domain", "links", "example_url"]].to_numpy().tolist() == [
        ["blog.example", 2, "https://blog.example/1"]
    ]


def test_the_most_relevant_and_strongest_sites_come_first_each_by_its_own_scale():
    found = outreach(
        judged(
            {"nofollow": True, "domain_rating": 20.0},
            {"nofollow": True, "domain_rating": 40.0},
            {"nofollow": True, "domain_rating": 40.0, "relevance": 90.0},
            {"nofollow": True, "domain_rating": None, "url_rating": 9.0, "scale": "Semrush", "relevance": 95.0},
        )
    )
    assert found["referring_domain"].tolist() == ["site3.example", "site2.example", "site1.example", "site0.example"]


def test_a_link_without_words_is_a_fault_only_where_the_export_has_anchors():
    strong = STRONG | {"referring_url": "https://site0.example/1"}
    other = STRONG | {"referring_url": "https://site0.example/2"}
    assert outreach(judged(strong | {"anchor": ""}, other | {"anchor": ""})).empty
    assert "has no anchor text" in outreach(judged(strong | {"anchor": ""}, {}))["asks"][0]
