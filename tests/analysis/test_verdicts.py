"""Tests of backlink_audit.analysis.verdicts: the first verdict that fits wins, and each says what decided."""

from typing import Any

import numpy as np
import pytest

from backlink_audit.analysis.verdicts import verdicts
from backlink_audit.labels import VERDICTS
from backlink_audit.settings import VerdictLimits
from tests.backlinks import clean_links

DEFAULTS = {
    "band": "relevant",
    "relevance": 97.5,
    "standing": 4.0,
    "cas": 1.5,
    "cas_percentile": 50.0,
    "domain_rating": 40.0,
    "page_traffic": np.nan,
    "target_status": np.nan,
    "page_kind": "page",
    "kind_why": "",
    "kind_fact": "",
    "has_subject": True,
    "self_made": False,
    "for_links": False,
    "known_language": True,
    "names_site": "title, anchor",
    "shared_words": "oak, chairs",
    "topic": "furniture and interior design",
    "topic_field": "Home and furniture",
    "copies": 1,
    "is_best_copy": True,
    "risk_signals": 0,
    "risk_names": "sitewide, spam TLD",
    "keyword": "",
    "scale": "Ahrefs",
}
GROUNDS = (
    "its title names the site; shares “oak, chairs” with the site; the page is about “furniture and interior design”"
)
STRONG = {"cas_percentile": 92.4, "cas": 4.5454}
OFF_TOPIC = {"band": "off-topic", "relevance": 3.0}
NO_TEXT = {"band": "", "relevance": np.nan, "standing": np.nan, "cas": np.nan, "cas_percentile": np.nan}


def judged(limits=None, **facts: Any):
    values: dict[str, Any] = DEFAULTS | facts
    table = clean_links(anchor=["x"]).assign(**values)
    return verdicts(table, limits or VerdictLimits()).iloc[0]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"link_state": "lost"}, "Reclaim"),
        ({"target_status": 404.0, "risk_signals": 3}, "Reclaim"),
        ({"target_status": 503.0, **OFF_TOPIC, "cas_percentile": 75.0}, "Off-topic"),
        ({"link_state": "lost", "followed": False}, "Ignore"),
        ({"link_state": "lost", "page_kind": "list", **STRONG}, "Ignore"),
        ({"link_state": "lost", "page_kind": "spam"}, "Review"),
        ({"link_state": "lost", "page_kind": "list", "followed": False}, "Ignore"),
        ({"link_state": "lost", "band": "weak", "cas_percentile": 74.0}, "Weak"),
        ({"link_state": "lost", "page_kind": "list", "has_subject": False, **STRONG}, "Ignore"),
        ({"link_state": "lost", "copies": 5, "is_best_copy": False}, "Fine"),
        ({"link_state": "lost", "copies": 5}, "Reclaim"),
        ({"page_kind": "list", "for_links": True}, "Review"),
        ({"risk_signals": 2, **STRONG}, "Review"),
        ({"page_kind": "spam", "relevance": 0.0, "band": "off-topic"}, "Review"),
        ({"risk_signals": 2, "followed": False}, "Fine"),
        ({"page_kind": "list", "followed": False, **STRONG}, "Ignore"),
        ({"page_kind": "list", "followed": False, "page_traffic": 500.0}, "Fine"),
        ({"page_kind": "visitors", "followed": False, **STRONG}, "Fine"),
        ({"page_kind": "visitors", "self_made": True, **STRONG}, "Ignore"),
        ({"page_kind": "spam", "followed": False}, "Review"),
        ({"risk_signals": 1, **STRONG}, "Protect"),
        (STRONG, "Protect"),
        ({"domain_rating": 93.0}, "Protect"),
        ({"keyword": "the anchor “cheap oak” is a commercial keyword", **STRONG}, "Fine"),
        ({"keyword": "the anchor “cheap oak” is a commercial keyword", "page_traffic": 100.0}, "Protect"),
        ({"keyword": "the anchor “cheap oak” is a commercial keyword", "domain_rating": 29.9}, "Fine"),
        ({"page_traffic": 100.0, "domain_rating": 12.0}, "Protect"),
        ({"page_traffic": 99.0, "domain_rating": 12.0}, "Undervalued"),
        ({**STRONG, "domain_rating": 0.1}, "Undervalued"),
        ({**STRONG, "domain_rating": 1.9}, "Undervalued"),
        ({**STRONG, "domain_rating": 2.0}, "Protect"),
        ({"domain_rating": 12.0, "followed": False}, "Fine"),
        ({**STRONG, "followed": False}, "Fine"),
        ({**STRONG, "page_kind": "unclear"}, "Fine"),
        ({**STRONG, "link_state": "dead page"}, "Fine"),
        ({**STRONG, "copies": 438, "is_best_copy": False}, "Fine"),
        ({**STRONG, "copies": 438, "is_best_copy": True}, "Protect"),
        ({**STRONG, "copies": 4, "is_best_copy": False}, "Protect"),
        ({**STRONG, "page_kind": "list"}, "Fine"),
        ({"page_kind": "list"}, "Ignore"),
        ({"page_kind": "visitors", **OFF_TOPIC, **STRONG}, "Ignore"),
        ({"cas_percentile": np.nan, "cas": np.nan}, "Fine"),
        ({"domain_rating": 29.9}, "Undervalued"),
        ({"domain_rating": 30.0}, "Fine"),
        ({"domain_rating": 19.0, "scale": "Semrush"}, "Undervalued"),
        ({"domain_rating": 20.0, "scale": "Semrush"}, "Fine"),
        ({"domain_rating": np.nan}, "Fine"),
        ({**OFF_TOPIC, "domain_rating": 50.0}, "Off-topic authority"),
        ({**OFF_TOPIC, "domain_rating": 49.0}, "Off-topic"),
        ({**OFF_TOPIC, "domain_rating": 40.0, "scale": "Semrush"}, "Off-topic authority"),
        ({"band": "weak", "domain_rating": 90.0}, "Weak"),
        (NO_TEXT, "Not enough data"),
    ],
)
def test_the_first_verdict_that_fits_wins(facts, verdict):
    assert judged(**facts).verdict == verdict


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (
            STRONG,
            f"Relevance 97.5: {GROUNDS}. Followed. DR 40; CAS 4.545, higher than 92% of the links.",
        ),
        (
            {"page_traffic": 1234.0, "names_site": "anchor", "shared_words": "", "topic": "unclear"},
            "Relevance 97.5: its title is close to the site's subject; its site is about “home and "
            "furniture”. Followed. DR 40; CAS 1.500, higher than 50% of the links; 1,234 monthly visits to the "
            "page.",
        ),
        (
            {"target_status": 404.0, "domain_rating": np.nan, "cas": np.nan, "cas_percentile": np.nan},
            f"The target page returns 404. Relevance 97.5: {GROUNDS}. Followed. No CAS.",
        ),
        (
            {"page_kind": "spam", "kind_why": "spam: a page in a folder", "risk_signals": 1, "has_subject": False},
            "Spam: a page in a folder. 1 risk signal: sitewide, spam TLD. Spam is never relevant. Followed.",
        ),
        (
            {"page_kind": "visitors", "kind_why": "user-generated: its URL has “viewtopic.php”"},
            f"User-generated: its URL has “viewtopic.php”. Relevance 97.5: {GROUNDS}. Followed.",
        ),
        (
            {**STRONG, "copies": 438, "is_best_copy": False},
            f"Relevance 97.5: {GROUNDS}. The same link is on 438 pages of its site. Followed. DR 40; CAS 4.545, "
            "higher than 92% of the links.",
        ),
        (
            {**OFF_TOPIC, "domain_rating": 12.0, "names_site": ""},
            "Relevance 3: its title is far from the site's subject; the page is about “furniture and "
            "interior design”. Followed. DR 12; CAS 1.500, higher than 50% of the links.",
        ),
        (
            {"page_kind": "visitors", "kind_why": "a profile", **OFF_TOPIC, "known_language": False},
            "A profile. The model does not support the language of the page, so its relevance is unclear: choose "
            "another model. Followed.",
        ),
        (
            {"link_state": "lost", "followed": False, "names_site": ""},
            "The link is lost. It has little value: not a followed link. Relevance 97.5: shares “oak, chairs” with the "
            "site; the page is about “furniture and interior design”. Not followed.",
        ),
        (
            STRONG | {"cas_percentile": 100.0, "followed": False, "topic": "Music in general", "names_site": ""},
            "Not followed. Relevance 97.5: shares “oak, chairs” with the site. DR 40; CAS 4.545, the highest of the "
            "links.",
        ),
        (
            {"scale": "Semrush", "domain_rating": np.nan, "url_rating": 3.0, "band": "weak", "shared_words": ""}
            | {"names_site": "", "topic": "Music in general", "cas": 0.0},
            "Relevance 97.5: its title does not clearly show if it is about the site's subject. Followed. Page "
            "ascore 3; CAS 0.",
        ),
        (
            {**STRONG, "keyword": "4 sites link to the same page with the anchor “oak chairs”", "topic": "unclear"},
            "4 sites link to the same page with the anchor “oak chairs”, so the link may be a paid link. Relevance "
            "97.5: its title names the site; shares “oak, chairs” with the site; its site is about “home and "
            "furniture”. Followed. DR 40; CAS 4.545, higher than 92% of the links.",
        ),
        (
            {"page_kind": "list", "kind_why": "a list with 900 external links", "has_subject": False}
            | {"kind_fact": "risk_external_links"},
            "A list with 900 external links. Relevance 0: the page has too many links to be about one subject. "
            "Followed.",
        ),
        (NO_TEXT, "There is no text to compare for the referring page or the target page."),
        (
            {"band": "", "relevance": np.nan, "language": "vi"},
            "The model does not support the language of the page (vi), so its relevance is unclear: choose another "
            "model.",
        ),
    ],
)
def test_the_reason_names_the_words_and_the_numbers_that_decided(facts, why):
    assert judged(**facts).why == why


def test_no_reason_holds_a_missing_number():
    facts = {"domain_rating": np.nan, "cas": np.nan, "cas_percentile": np.nan, "external_links": np.nan}
    for kind in ("page", "list", "spam", "visitors", "unclear"):
        for band in ("relevant", "weak", "off-topic", ""):
            relevance = np.nan if band == "" else 50.0
            why = judged(**facts, page_kind=kind, band=band, relevance=relevance, risk_signals=2).why
            assert why.endswith(".") and "nan" not in why.lower() and "<NA>" not in why and ".." not in why


def test_every_limit_is_a_setting():
    assert judged(VerdictLimits(undervalued_below=(("DR", 45.0),))).verdict == "Undervalued"
    assert judged(VerdictLimits(strong_percentile=50)).verdict == "Protect"
    assert judged(VerdictLimits(review_signals=1), risk_signals=1).verdict == "Review"
    assert judged(VerdictLimits(strong_from=(("DR", 40.0),)), **OFF_TOPIC).verdict == "Off-topic authority"
    assert judged(VerdictLimits(page_traffic=10), page_traffic=10.0).verdict == "Protect"
    assert judged(VerdictLimits(review_nofollow=True), risk_signals=2, followed=False).verdict == "Review"
    assert judged(VerdictLimits(copies=500), **STRONG, copies=438, is_best_copy=False).verdict == "Protect"


def test_every_verdict_has_a_label():
    assert judged().verdict in {label.word for label in VERDICTS}
