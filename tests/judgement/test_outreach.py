"""Sites that already link and are worth approaching: one ask each, good links left alone, the most worth first."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from backlink_audit.audit.tasks import redirect_columns
from backlink_audit.judgement.actions import ONE_LINK, outreach, words_around
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
        "risk_signals": 0,
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
        name: [
            row.get(name, "" if name.startswith(("lost_status", "drop_reason", "redirect")) else None) for row in full
        ]
        for name in names
    }
    links = clean_links(**columns)
    return links.assign(**redirect_columns(links), words_around=words_around(links))


STRONG: dict[str, object] = {"domain_rating": 80.0}
IN_A_MENU = {"in_content": False, "left_context": "More:"}


@pytest.mark.parametrize(
    ("fault", "asked"),
    [
        ({"target_status": 404.0}, f"your page {CHAIRS}, which returns 404: restore or redirect it"),
        ({"lost_link": True, "lost_status": "removedfromhtml"}, "The link was removed from the page: ask"),
        ({"lost_link": True}, "does not say why: check the page first"),
        ({"lost_link": True, "lost_status": "pageredirected"}, "now redirects: look at the new page"),
        ({"lost_link": True, "lost_status": "lostredirect"}, f"ask to link directly to {CHAIRS}"),
        ({"lost_link": True, "drop_reason": "tooold"}, "not checked the page for a long time: check the page first"),
        ({"lost_link": True, "http_status": 429.0}, "could not be read: check the page first"),
        ({"nofollow": True} | STRONG, "nofollow: ask for a followed link"),
        ({"redirect_urls": "https://old.example/oak", "redirect_codes": "301"} | STRONG, ONE_LINK),
        (IN_A_MENU | STRONG, ONE_LINK),
        (STRONG, ONE_LINK),
    ],
)
def test_each_fault_has_its_ask(fault, asked):
    found = outreach(judged({"verdict": "Protect"} | fault))
    assert len(found) == 1 and asked in found["asks"][0]


@pytest.mark.parametrize(
    "anchor", ["Quelle", "Source", "Fuente", "Website", "Zur Website", "Läs mer", "click here", "", "[5]", CHAIRS]
)
@pytest.mark.parametrize("fault", [{}, {"nofollow": True}])
def test_a_newspaper_is_not_asked_about_an_anchor_that_says_nothing(anchor, fault):
    paper = {"verdict": "Protect", "referring_url": "https://tagblatt.example/2025/11/eichenstuehle"}
    assert outreach(judged(STRONG | paper | fault | {"anchor": anchor})).empty


@pytest.mark.parametrize(
    "page",
    [
        "https://vallby.example/login",
        "https://login.vallby.example/start",
        "https://firm.example/karriere/tischler",
        "https://jobs.firm.example/carpenter",
        "https://storage.cloud.example/bucket/chairs.html",
        "https://magazine.example/category/chairs",
        "https://market.example/reports/chair-market",
        "https://firm.example/privacy-policy",
        "https://videos.example/@shop/1",
    ],
)
def test_pages_without_an_editor_are_not_pitched_to(page):
    strong = {"verdict": "Protect", "referring_url": page} | STRONG
    assert outreach(judged(strong)).empty and outreach(judged(strong | {"nofollow": True})).empty


@pytest.mark.parametrize(
    "harmless",
    [
        {},
        {"in_content": False},
        IN_A_MENU,
        {"nofollow": True},
        {"nofollow": True, "left_context": "Website:"} | STRONG,
        {"nofollow": True, "names_site": "title"} | STRONG,
        {"lost_link": True, "referring_url": "https://cards.example/company/shop"},
        {"lost_link": True, "lost_status": "notfound"},
        {"lost_link": True, "http_status": 410.0},
        {"lost_link": True, "lost_status": "noindex"},
        {"nofollow": True, "sponsored": True} | STRONG,
        {"redirect_urls": "https://old.example/oak", "redirect_codes": "301"},
        {"nofollow": True, "band": "off-topic"} | STRONG,
        {"nofollow": True, "page_kind": "visitors"} | STRONG,
        {"nofollow": True, "verdict": "Review"} | STRONG,
        {"nofollow": True, "verdict": "Ignore"} | STRONG,
        {"nofollow": True, "http_status": 404.0} | STRONG,
        {"lost_link": True, "domain_rating": 1.0},
        {"verdict": "Fine"} | STRONG,  # a keyword that may be paid for
        {"verdict": "Protect", "risk_signals": 1} | STRONG,
    ],
)
def test_nothing_is_asked_where_nothing_is_wrong_or_to_be_won(harmless):
    assert outreach(judged(harmless)).empty


def test_a_university_is_asked_even_where_its_page_is_rated_as_nothing():
    page = {"referring_url": "https://oak.example.edu/p", "scale": "Semrush", "domain_rating": None, "url_rating": 0.0}
    assert len(outreach(judged(page | {"lost_link": True}))) == 1


def test_nobody_is_asked_on_a_site_of_the_owner():
    own = {"referring_url": "https://old-shop.example/", "own_site": "old-shop.example", "nofollow": True} | STRONG
    found = outreach(judged({"nofollow": True} | STRONG, own))
    assert found["referring_domain"].tolist() == ["site0.example"]


def test_what_is_lost_comes_before_all_then_dead_targets():
    found = outreach(
        judged({"nofollow": True} | STRONG, {"target_status": 404.0}, {"lost_link": True, "relevance": 70.0})
    )
    assert found["referring_domain"].tolist() == ["site2.example", "site1.example", "site0.example"]


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
            {"nofollow": True, "domain_rating": 60.0},
            {"nofollow": True, "domain_rating": 70.0},
            {"nofollow": True, "domain_rating": 70.0, "relevance": 90.0},
            {"nofollow": True, "domain_rating": None, "url_rating": 45.0, "scale": "Semrush", "relevance": 95.0},
        )
    )
    assert found["referring_domain"].tolist() == ["site3.example", "site2.example", "site1.example", "site0.example"]
