"""Tests of backlink_audit.judgement.verdicts: the first verdict that fits wins, and each says what decided."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from backlink_audit.judgement.verdicts import verdict_facts, verdicts, worth_winning_back
from backlink_audit.labels import VERDICTS
from backlink_audit.settings import VerdictLimits
from tests.backlinks import clean_links

DEFAULTS = {
    "band": "relevant",
    "relevance": 97.4,
    "relevance_why": "its title is close to the site's pages",
    "worth": 70.0,
    "suspicion": 5.0,
    "suspicion_why": "",
    "worth_why": "",
    "cas": 1.5,
    "cas_percentile": 50.0,
    "domain_rating": 40.0,
    "page_traffic": np.nan,
    "target_status": np.nan,
    "page_kind": "page",
    "kind_why": "",
    "names_site": "",
    "own_site": "",
    "topic": "furniture and interior design",
    "topic_field": "Home and furniture",
    "copies": 1,
    "is_best_copy": True,
    "risk_signals": 0,
    "risk_names": "",
    "keyword": "",
    "attack": "",
    "addresses": 1,
    "same_title": 0,
    "dated_url": 0.0,
    "nofollow": False,
    "scale": "Ahrefs",
}
PAGE = "site0.example, a page about “furniture and interior design”, with the anchor “x”."
VISITORS = PAGE.replace("a page", "a user-generated page")
SUBJECT = "Relevance 97: its title is close to the site's pages. Followed."
STRENGTH = "DR 40; CAS 1.500, higher than 50% of the links."
STRONG = {"cas_percentile": 92.4, "cas": 4.5454}
OFF_TOPIC = {"band": "off-topic", "relevance": 3.0, "worth": 20.0}
NO_TEXT = {"band": "", "relevance": np.nan, "relevance_why": "", "worth": 20.0, "cas": np.nan, "cas_percentile": np.nan}
KEYWORD = {"keyword": "the anchor “cheap oak” is a commercial keyword"}
LOST = {"link_state": "lost"}
SHOWN = {"suspicion_why": "its title is like that of a link seller"}


def links(**facts: Any) -> pd.DataFrame:
    return clean_links(anchor=["x"]).assign(**dict[str, Any](DEFAULTS | facts))


def judged(limits: VerdictLimits | None = None, **facts: Any) -> pd.Series:
    return verdicts(links(**facts), limits or VerdictLimits()).iloc[0]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        (LOST, "Reclaim"),
        ({"target_status": 404.0}, "Reclaim"),
        ({**LOST, "copies": 5}, "Reclaim"),
        ({**LOST, "copies": 5, "is_best_copy": False}, "Fine"),
        ({**LOST, "followed": False}, "Fine"),
        ({**LOST, "is_lost": True, "referring_url": "https://a.example/blog/category/oak"}, "Fine"),
        ({**LOST, "worth": 51.0}, "Ignore"),
        ({**LOST, "suspicion": 50.0, **SHOWN}, "Review"),
        ({"target_status": 404.0, "http_status": 404.0}, "Ignore"),
        ({**LOST, "own_site": "oakworks"}, "Ignore"),
        ({"suspicion": 50.0, "worth": 90.0, **SHOWN}, "Review"),
        ({"suspicion": 90.0, "worth": 90.0}, "Weak"),
        ({"suspicion": 90.0, "suspicion_why": "the page has no authority", "worth": 90.0}, "Weak"),
        ({"suspicion": 90.0, "page_kind": "list"}, "Ignore"),
        ({"suspicion": 90.0, "page_kind": "list", "kind_why": "900 external links"}, "Review"),
        ({"suspicion": 90.0, "page_kind": "spam"}, "Review"),
        ({**STRONG, "referring_title": "Oak directory"}, "Fine"),
        ({**STRONG, "referring_url": "https://a.example/2008/03/"}, "Fine"),
        ({**STRONG, "referring_url": "https://a.example/2008/03/oak"}, "Protect"),
        ({**OFF_TOPIC, "domain_rating": 93.0, "referring_url": "https://a.example/members/anna"}, "Off-topic"),
        ({"suspicion": 44.0, "risk_signals": 2}, "Fine"),
        ({"suspicion": 90.0, "own_site": "oakworks"}, "Ignore"),
        ({"page_kind": "spam", "worth": 20.0, "band": "weak"}, "Ignore"),
        ({"page_kind": "spam", **OFF_TOPIC, "domain_rating": 93.0}, "Ignore"),
        ({"anchor": "SEO LINKS – TELEGRAM @seo_links", "page_kind": "list"}, "Review"),
        ({"anchor": "SEO LINKS – TELEGRAM @seo_links", "own_site": "oakworks"}, "Ignore"),
        ({"page_kind": "list", "worth": 69.0}, "Ignore"),
        ({"referring_url": "https://a.example/images/search?q=oak", **STRONG}, "Ignore"),
        ({"page_kind": "visitors", **OFF_TOPIC, **STRONG}, "Ignore"),
        ({"page_kind": "list", **STRONG}, "Fine"),
        (STRONG, "Protect"),
        ({"cas_percentile": 64.0}, "Fine"),
        ({"domain_rating": 93.0}, "Protect"),
        ({"page_traffic": 100.0, "domain_rating": 12.0}, "Protect"),
        ({"page_traffic": 99.0, "domain_rating": 12.0}, "Undervalued"),
        ({"worth": 85.0}, "Protect"),
        ({**STRONG, "domain_rating": 14.9}, "Undervalued"),
        ({"worth": 90.0, "domain_rating": 14.9}, "Undervalued"),
        ({**LOST, "page_kind": "visitors"}, "Fine"),
        ({**STRONG, "domain_rating": 15.0}, "Protect"),
        ({**STRONG, "domain_rating": 89.0, "scale": "Common Crawl"}, "Undervalued"),
        ({**STRONG, "domain_rating": 95.0, "scale": "Common Crawl"}, "Protect"),
        ({**STRONG, "followed": False}, "Fine"),
        ({**STRONG, "link_state": "dead page"}, "Fine"),
        ({**STRONG, "band": "weak"}, "Fine"),
        ({**STRONG, **KEYWORD}, "Fine"),
        ({**KEYWORD, "page_traffic": 100.0}, "Protect"),
        ({**STRONG, "copies": 5, "is_best_copy": False}, "Fine"),
        ({**STRONG, "copies": 4, "is_best_copy": False}, "Protect"),
        ({"domain_rating": 29.9}, "Undervalued"),
        ({"domain_rating": 19.0, "scale": "Semrush"}, "Undervalued"),
        ({"domain_rating": 20.0, "scale": "Semrush"}, "Fine"),
        ({"domain_rating": np.nan}, "Fine"),
        ({**OFF_TOPIC, "domain_rating": 50.0}, "Off-topic authority"),
        ({**OFF_TOPIC, "domain_rating": 49.0}, "Off-topic"),
        ({"worth": 51.0, **STRONG}, "Weak"),
        ({"worth": 52.0, **STRONG}, "Protect"),
        ({"worth": 69.0, **STRONG, "band": "weak"}, "Weak"),
        ({"worth": 70.0, **STRONG, "band": "weak"}, "Fine"),
        ({**STRONG, "attack": "homepage\tshop.example"}, "Review"),
        ({**STRONG, "attack": "open redirect\tshop.example/out.php"}, "Ignore"),
        ({**LOST, "attack": "hacked pages\tshop.example/#"}, "Ignore"),
        (NO_TEXT, "Not enough data"),
    ],
)
def test_the_first_verdict_that_fits_wins(facts, verdict):
    assert judged(**facts).verdict == verdict


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (STRONG, f"{PAGE} {SUBJECT} DR 40; CAS 4.545, higher than 92% of the links."),
        ({"worth": 85.5}, f"{PAGE} {SUBJECT} {STRENGTH[:-1]}; worth keeping (85 of 100)."),
        (
            {"worth": 40.0},
            PAGE
            + " "
            + SUBJECT.replace(" Followed.", " Probably not worth keeping (40 of 100). Followed.")
            + f" {STRENGTH}",
        ),
        (
            {"worth": 62.0, "page_kind": ""},
            PAGE
            + " "
            + SUBJECT.replace(" Followed.", " Not clearly worth keeping (62 of 100). Followed.")
            + f" {STRENGTH}",
        ),
        (
            {"anchor": "TELEGRAM @seo_links"},
            PAGE.replace("“x”", "“TELEGRAM @seo_links”") + f" The anchor is a link seller's contact. {SUBJECT}",
        ),
        ({**STRONG, "cas_percentile": 100.0}, f"{PAGE} {SUBJECT} DR 40; CAS 4.545, the highest of the links."),
        ({"page_traffic": 1234.0}, f"{PAGE} {SUBJECT} {STRENGTH[:-1]}; 1,234 monthly visits to the page."),
        (
            {"target_status": 404.0, "domain_rating": np.nan, "cas": np.nan, "cas_percentile": np.nan},
            f"{PAGE} The target page returns 404. {SUBJECT} No CAS.",
        ),
        (
            {"suspicion": 81.6, "suspicion_why": "it is about selling links", "page_kind": "spam"}
            | {"kind_why": "900 external links", "risk_signals": 1, "risk_names": "sitewide"},
            PAGE.replace("a page", "a spam page")
            + " Likely manipulative (82 of 100): looks like spam: 900 external links; it is about selling links. "
            f"1 risk signal: sitewide. {SUBJECT}",
        ),
        (
            {**LOST, "suspicion": 81.6, "risk_signals": 2, "risk_names": "sitewide, spam TLD"},
            PAGE + " The link is lost. Likely manipulative (82 of 100). 2 risk signals: sitewide, spam TLD. " + SUBJECT,
        ),
        ({"own_site": "oakworks"}, f"{PAGE} A site of the target's owner: “oakworks”. {SUBJECT}"),
        (
            {"page_kind": "visitors", "kind_why": "its URL is that of a profile", "worth": 5.0},
            f"{VISITORS} User-generated: its URL is that of a profile. {SUBJECT}",
        ),
        (
            {"domain_rating": 12.0},
            PAGE
            + " "
            + SUBJECT.replace(" Followed.", " The page is relevant, but its site is not strong yet. Followed.")
            + " DR 12; CAS 1.500, higher than 50% of the links.",
        ),
        (
            {"scale": "Semrush", "domain_rating": np.nan, "url_rating": 3.0, "cas": 0.0},
            PAGE
            + " "
            + SUBJECT.replace(" Followed.", " The page is relevant, but it is not strong yet. Followed.")
            + " Page ascore 3; CAS 0.",
        ),
        ({"nofollow": pd.NA}, f"{PAGE} {SUBJECT.removesuffix(' Followed.')} {STRENGTH}"),
        ({"followed": False}, f"{PAGE} Not followed. {SUBJECT.removesuffix(' Followed.')} {STRENGTH}"),
        (
            KEYWORD,
            f"{PAGE} The anchor “cheap oak” is a commercial keyword, so the link may be a paid link. {SUBJECT} "
            + STRENGTH,
        ),
        (
            {"copies": 1438, "is_best_copy": False},
            PAGE
            + " "
            + SUBJECT.replace(" Followed.", " The same link is on 1,438 pages of its site. Followed.")
            + " "
            + STRENGTH,
        ),
        (NO_TEXT, f"{PAGE} There is no text to compare for one of the two pages."),
    ],
)
def test_the_reason_names_the_words_and_the_numbers_that_decided(facts, why):
    assert judged(**facts, addresses=2).why == f"{why} The file has this page under 2 addresses."


OPENINGS: list[tuple[dict[str, Any], str]] = [
    ({}, "site0.example, a page about “furniture and interior design”, with the anchor “x”. "),
    (
        {"dated_url": 1.0, "names_site": "title, URL"},
        "site0.example, an article about “furniture and interior design”, with your site's name in it. ",
    ),
    (
        {"page_kind": "list", "external_links": 6983.0, "same_title": 106},
        "site0.example, a list of 6,983 links about “furniture and ",
    ),
    ({"page_kind": "list", "external_links": 99.0}, "site0.example, a page about “furniture and "),
    ({"referring_title": "Oak forums"}, "site0.example, a forum page: “Oak forums”, with the anchor “x”. "),
    (
        {"referring_title": "Oak tables " * 9},
        "site0.example, a page: “" + "Oak tables " * 7 + "Oa…”, ",
    ),
    ({"topic": "unclear", "referring_title": " "}, "site0.example, a page without a title, with"),
    (
        {"page_kind": "spam", "suspicion": 90.0, "same_title": 4},
        "site0.example, a spam page about “furniture and interior design”, the same on 4 ",
    ),
    ({"page_kind": "visitors"}, "site0.example, a user-generated page about “"),
    (
        {"referring_url": "https://a.example/login", "anchor": ""},
        "site0.example, a login or an account page about “furniture",
    ),
]


@pytest.mark.parametrize(("facts", "beginning"), OPENINGS)
def test_a_reason_begins_with_what_tells_the_link_from_others(facts, beginning):
    assert judged(**facts).why.startswith(beginning)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"topic": "unclear", "band": "weak"}, "; its site is about “home and furniture”"),
        ({"topic": "Music in general", "band": "weak"}, ""),
        ({"topic": "Music in general", "band": "off-topic"}, ""),
        ({"topic": "unclear", "topic_field": "unclear", "band": "weak"}, ""),
        ({}, ""),
    ],
)
def test_what_the_page_is_about_is_said_where_it_is_clear_and_not_what_the_site_is_about(facts, said):
    why = judged(**facts).why
    assert why.split(". ")[1] == f"Relevance 97: its title is close to the site's pages{said}"


@pytest.mark.parametrize(
    ("facts", "ground"),
    [
        (
            {"target_url": "https://shop.example/oak-tables"},
            "“oak, table” in its title and in the target page's address",
        ),
        ({"anchor": "A table of oak"}, "“oak, table” in its title and in the anchor"),
        ({"anchor": "https://oak.example/table"}, "its title is close to the site's pages"),
        ({"anchor": "A table of oak", "band": "weak"}, "its title is close to the site's pages"),
        ({"anchor": "A table of oak", "band": "weak", "relevance_why": "its title is far from the target page"}, ""),
        (
            {"band": "weak", "relevance_why": ""},
            "its title has no word in common with the target page's address or the anchor",
        ),
    ],
)
def test_a_relevant_link_shows_the_words_that_its_title_shares_with_the_target(facts, ground):
    assert (
        f"Relevance 97{': ' * bool(ground)}{ground}. " in judged(**facts, referring_title="The oak table: a guide").why
    )


def test_a_ground_is_said_once_and_last_that_nobody_knows_the_page():
    facts: dict[str, Any] = {"suspicion": 90.0, "kind_why": "900 external links", "page_kind": "list"}
    why = judged(**facts, suspicion_why="the page has no authority; 900 external links").why
    assert "100): probably a list or a copy: 900 external links; the page has no authority. " in why


def test_no_reason_holds_a_missing_number():
    facts: dict[str, Any] = {"domain_rating": np.nan, "cas": np.nan, "cas_percentile": np.nan, "external_links": np.nan}
    for kind in ("page", "list", "spam", "visitors", "unclear"):
        for band in ("relevant", "weak", "off-topic", ""):
            for worth, suspicion in ((90.0, 0.0), (10.0, 0.0), (10.0, 90.0)):
                relevance = np.nan if band == "" else 50.0
                judgement: dict[str, Any] = {"relevance": relevance, "worth": worth, "suspicion": suspicion}
                why = judged(**facts, **judgement, page_kind=kind, band=band).why
                assert why.endswith(".") and "nan" not in why.lower() and "<NA>" not in why and ".." not in why


def test_every_limit_is_a_setting():
    assert judged(VerdictLimits(worth=71), band="weak").verdict == "Weak"
    assert judged(VerdictLimits(worth=71, relevant_worth=71)).verdict == "Weak"
    assert judged(VerdictLimits(strong_worth=70)).verdict == "Protect"
    assert judged(VerdictLimits(suspicion=5), **SHOWN).verdict == "Review"
    assert judged(VerdictLimits(undervalued_below=(("DR", 45.0),))).verdict == "Undervalued"
    assert judged(VerdictLimits(strong_percentile=50)).verdict == "Protect"
    assert judged(VerdictLimits(strong_from=(("DR", 40.0),)), **OFF_TOPIC).verdict == "Off-topic authority"
    assert judged(VerdictLimits(page_traffic=10), page_traffic=10.0).verdict == "Protect"
    assert judged(VerdictLimits(copies=500), **STRONG, copies=438, is_best_copy=False).verdict == "Protect"


@pytest.mark.parametrize(
    ("facts", "worth_it"),
    [({}, True), ({"worth": 51.0}, False), ({"suspicion": 50.0}, False), ({"own_site": "oakworks"}, False)],
)
def test_what_is_worth_winning_back(facts, worth_it):
    assert worth_winning_back(verdict_facts(links(**facts), VerdictLimits())).tolist() == [worth_it]


def test_every_verdict_has_a_label():
    assert judged().verdict in {label.word for label in VERDICTS}


@pytest.mark.parametrize(
    ("found", "verdict", "said"),
    [
        ("removedfromhtml", "Reclaim", "The link is lost. Relevance 97"),
        ("notfound", "Ignore", "The link is lost. Nothing to ask: the referring page is gone. "),
        ("noindex", "Ignore", "The link is lost. Nothing to ask: the link may still be there. "),
    ],
)
def test_a_lost_link_is_to_reclaim_only_where_it_can_be_won_back(found, verdict, said):
    judgement = judged(link_state="lost", is_lost=True, lost_status=found)
    assert judgement.verdict == verdict and f" {said}" in judgement.why


def test_a_link_to_a_dead_page_that_is_not_reclaimed_says_why():
    assert "404. Not clearly worth keeping (51 of 100)." in judged(target_status=404.0, worth=51.0).why
    assert "worth keeping (" not in judged(target_status=404.0, worth=51.0, own_site="oakworks").why


@pytest.mark.parametrize(("kind", "verdict"), [("page", "Review"), ("list", "Fine")])
def test_many_risk_signals_are_looked_at_however_likely_a_link_is_manipulative(kind, verdict):
    judgement = judged(risk_signals=3, risk_names="One, Two, Three", page_kind=kind, suspicion=5.0)
    assert judgement.verdict == verdict
    assert verdict != "Review" or judgement.why.removeprefix(PAGE).startswith(
        " 3 risk signals: One, Two, Three. Relevance 97"
    )


@pytest.mark.parametrize(
    ("url", "verdict", "noun"),
    [
        ("https://paper.example/2024/oak-chairs", "Protect", "a page"),
        ("https://paper.example/careers-of-carpenters/", "Protect", "a page"),
        ("https://shop.example/login/", "Fine", "a login or an account page"),
        ("https://login.school.example/oak", "Fine", "a login or an account page"),
        ("https://board.example/jobs/carpenter-malmo", "Fine", "a job advertisement"),
        ("https://makers.s3.eu-west-1.amazonaws.example/oak.html", "Fine", "a file in a storage bucket"),
        ("https://town.example/datenschutz", "Fine", "a legal notice"),
        ("https://network.example/members/anna", "Fine", "a profile or author page about"),
        ("https://town.example/employer/oak-works/", "Fine", "a listing"),
    ],
)
def test_a_profile_a_login_or_a_bucket_on_a_strong_host_is_none_to_protect(url, verdict, noun):
    found = judged(**dict[str, Any](STRONG), referring_url=url)
    assert found["verdict"] == verdict
    assert found["why"].startswith(f"site0.example, {noun}")
