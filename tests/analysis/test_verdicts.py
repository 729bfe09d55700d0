import numpy as np
import pytest

from backlink_audit.analysis.verdicts import verdicts
from backlink_audit.labels import VERDICTS
from backlink_audit.settings import VerdictLimits
from tests.backlinks import clean_links

DEFAULTS = {
    "band": "relevant",
    "relevance": 97.5,
    "cas": 1.5,
    "cas_percentile": 50.0,
    "domain_rating": 40.0,
    "target_status": np.nan,
    "risk_signals": 0,
    "risk_names": "sitewide, spam TLD",
    "scale": "Ahrefs",
}


def judged(limits=None, **facts):
    table = clean_links(anchor=["x"]).assign(**(DEFAULTS | facts))
    return verdicts(table, limits or VerdictLimits()).iloc[0]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"is_lost": True}, "Reclaim"),
        ({"target_status": 404.0, "risk_signals": 3}, "Reclaim"),
        ({"target_status": 503.0, "band": "off-topic", "cas_percentile": 75.0}, "Reclaim"),
        ({"is_lost": True, "band": "weak", "cas_percentile": 74.0}, "Weak"),
        ({"risk_signals": 2, "cas_percentile": 99.0}, "Review"),
        ({"risk_signals": 1, "cas_percentile": 75.0}, "Protect"),
        ({"cas_percentile": 75.0, "followed": False}, "Relevant"),
        ({"cas_percentile": np.nan, "cas": np.nan}, "Relevant"),
        ({"domain_rating": 29.9}, "Undervalued"),
        ({"domain_rating": 30.0}, "Relevant"),
        ({"domain_rating": 19.0, "scale": "Semrush"}, "Undervalued"),
        ({"domain_rating": 20.0, "scale": "Semrush"}, "Relevant"),
        ({"domain_rating": np.nan}, "Relevant"),
        ({"band": "off-topic", "domain_rating": 50.0}, "Off-topic authority"),
        ({"band": "off-topic", "domain_rating": 49.0}, "Off-topic"),
        ({"band": "off-topic", "domain_rating": 40.0, "scale": "Semrush"}, "Off-topic authority"),
        ({"band": "weak", "domain_rating": 90.0}, "Weak"),
        ({"band": "", "relevance": np.nan, "cas": np.nan, "cas_percentile": np.nan}, "Not enough data"),
    ],
)
def test_the_first_verdict_that_fits_wins(facts, verdict):
    assert judged(**facts).verdict == verdict


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"is_lost": True, "cas_percentile": 80.0}, ["lost", "97%", "CAS 1.500", "percentile 80"]),
        ({"target_status": 404.0}, ["404", "97%"]),
        ({"risk_signals": 3}, ["3 risk signals (sitewide, spam TLD); closer"]),
        ({"risk_signals": 3, "band": "", "relevance": np.nan}, ["3 risk signals", "no text"]),
        ({"cas_percentile": 99.8}, ["Live and followed", "97%", "percentile 99"]),
        ({"domain_rating": 12.0}, ["97%", "DR 12"]),
        ({"scale": "Semrush", "domain_rating": 12.0}, ["ascore 12"]),
        ({"band": "off-topic", "relevance": 12.0, "domain_rating": 80.0}, ["DR 80", "12%"]),
        ({"band": "weak", "relevance": 85.0}, ["85%"]),
        ({"cas": np.nan, "cas_percentile": np.nan}, ["no CAS"]),
        ({"band": "", "relevance": np.nan}, ["No text"]),
    ],
)
def test_the_reason_says_what_decided_in_words_and_numbers(facts, words):
    why = judged(**facts).why
    assert all(word in why for word in words), why
    assert why.endswith(".") and "nan" not in why.lower() and "<NA>" not in why


def test_every_limit_is_a_setting():
    assert judged(VerdictLimits(undervalued_below=(("DR", 45.0),))).verdict == "Undervalued"
    assert judged(VerdictLimits(protect_percentile=50)).verdict == "Protect"
    assert judged(VerdictLimits(review_signals=1), risk_signals=1).verdict == "Review"
    assert judged(VerdictLimits(strong_from=(("DR", 40.0),)), band="off-topic").verdict == "Off-topic authority"
    assert judged(VerdictLimits(reclaim_percentile=50), is_lost=True, band="weak").verdict == "Reclaim"


def test_every_verdict_has_a_label():
    assert judged().verdict in {label.word for label in VERDICTS}
