"""Which domains look worth keeping: by verdict, relevance, host, strength or relation; no signal is asked."""

import pandas as pd
import pytest

from backlink_audit.risk.review import proposed, worth_keeping
from backlink_audit.settings import VerdictLimits
from backlink_audit.text.urls import institution_of
from tests.backlinks import clean_links

LIMITS = VerdictLimits()


def judged(**columns) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    usual = {"scale": ["Ahrefs"] * rows, "verdict": ["Review"] * rows, "band": ["off-topic"] * rows}
    return clean_links(**{**usual, **columns})


def reasons(links: pd.DataFrame, limits: VerdictLimits = LIMITS) -> dict[str, str]:
    found = worth_keeping(links, limits)
    return dict(zip(found["referring_domain"], found["why"], strict=True))


@pytest.mark.parametrize(
    ("verdict", "band", "rating", "why"),
    [
        ("Protect", "relevant", 5, "1 link with the verdict Protect"),
        ("Fine", "relevant", 60, "1 link with the verdict Fine; DR 60"),
        ("Undervalued", "relevant", 9, "1 link with the verdict Undervalued"),
        ("Review", "relevant", 9, ""),
        ("Ignore", "relevant", 9, "1 relevant link"),
        ("Off-topic authority", "off-topic", 90, "DR 90"),
        ("Review", "off-topic", 49.9, ""),
        ("Ignore", "weak", 9, ""),
        ("Not enough data", "", None, ""),
    ],
)
def test_a_good_verdict_relevance_or_strength_is_enough(verdict, band, rating, why):
    found = reasons(judged(verdict=[verdict], band=[band], domain_rating=[rating]))
    assert found == ({"site0.example": why} if why else {})


def test_each_scale_has_its_own_limit_and_a_setting_goes_before_it():
    links = judged(scale=["Semrush", "Ahrefs"], url_rating=[40, 90], domain_rating=[None, 45])
    assert reasons(links) == {"site0.example": "Page ascore 40"}
    assert list(reasons(links, VerdictLimits(strong_from=(("DR", 40.0),)))) == ["site1.example", "site0.example"]


def test_one_good_link_among_many_is_enough_and_the_best_verdict_is_named():
    links = judged(
        referring_url=[f"https://a.example/{row}" for row in range(4)], verdict=["Review", "Fine", "Protect", "Fine"]
    )
    assert reasons(links) == {"a.example": "1 link with the verdict Protect"}


def test_without_an_audit_a_strong_site_may_be_relevant():
    links = clean_links(scale=["Ahrefs"] * 2, domain_rating=[50, 49])
    assert reasons(links) == {"site0.example": "DR 50, relevance not known yet"}


def test_the_rating_of_a_host_of_many_owners_is_nobodys_own():
    pages = ["https://medium.com/@buy-links/1", "https://wordpress.com/read/1"]
    assert reasons(judged(referring_url=pages, domain_rating=[95, 95])) == {}


def test_a_customer_or_partner_is_known_by_the_address_of_either_page():
    pages = [
        "https://a.example/vara-system/",
        "https://b.example/om-oss/partners",
        "https://nordvatten.example/",
        "https://other.example/",
    ]
    targets = ["https://our.example/", "https://our.example/", *["https://our.example/kunder/nord-vatten"] * 2]
    named = "named as customer or partner"
    assert reasons(judged(referring_url=pages, target_url=targets)) == {"b.example": named, "nordvatten.example": named}


CERTAIN = {"suspicion": 95.0, "worth": 3.0, "signals": 2, "followed": True, "risk_seller": "", "topic_field": "Art"}


@pytest.mark.parametrize(
    ("differs", "kept", "is_proposed"),
    [
        ({}, "", True),
        ({"suspicion": 80.0}, "", False),
        ({"worth": 30.0}, "", False),
        ({"signals": 0}, "", False),  # no authority and nothing else
        ({"followed": False}, "", False),
        ({}, "DR 71", False),  # a strong site that was hacked
        ({"risk_seller": "“SEO” in the title"}, "DR 71", True),  # a seller that bought its rating
        ({"risk_seller": "“SEO” in the title"}, "DR 71; 1 relevant link", False),
        ({"attack": "open redirect\tshop.example/out"}, "", False),  # closing it ends them all
        ({"attack": "homepage\tshop.example"}, "", True),
        ({"referring_domain": "google.ru"}, "", False),
        ({"referring_domain": "blogspot.com"}, "", False),
    ],
)
def test_only_what_is_certainly_bad_and_nothing_else_is_proposed_for_disavowal(differs, kept, is_proposed):
    links = pd.DataFrame([{"referring_domain": "x.example"} | CERTAIN | differs])
    site = links["referring_domain"][0]
    worth = pd.DataFrame({"referring_domain": [site], "rating": ["DR 71"], "why": [kept]})
    assert (site in proposed(links, worth[worth["why"] != ""])) is is_proposed
    good = links.assign(suspicion=5.0, worth=60.0)
    assert not proposed(pd.concat([links, good], ignore_index=True), worth.head(0))


@pytest.mark.parametrize(
    ("host", "what"),
    [
        ("tax.example.gov", "a public authority"),
        ("council.gov.uk", "a public authority"),
        ("ville.gouv.fr", "a public authority"),
        ("dep.admin.ch", "a public authority"),
        ("vallbykommun.se", "a public authority"),
        ("physics.example.edu", "a university or school"),
        ("example.ac.jp", "a university or school"),
        ("universitaet-beispiel.de", "a university or school"),
        ("government.com", ""),
        ("gov.example.com", ""),
        ("my-university-essays.com", ""),
        ("edu.se", ""),
        ("", ""),
    ],
)
def test_authorities_and_universities_are_known_by_their_host(host, what):
    assert institution_of(host) == what


def test_the_strongest_come_first():
    links = judged(band=["relevant"] * 3, verdict=["Ignore"] * 3, domain_rating=[20, None, 70])
    assert list(reasons(links)) == ["site2.example", "site0.example", "site1.example"]
