"""What is asked before many rows get a state at once."""

import pandas as pd
import pytest

from backlink_audit.pipelines.risk.question import ASK_ABOVE, Question, good_domains
from backlink_audit.pipelines.risk.result import Risks
from backlink_audit.pipelines.risk.run import review_risks
from backlink_audit.settings import RiskLimits, VerdictLimits
from tests.backlinks import clean_links
from tests.exported import SEMRUSH, ahrefs_row, exported

NO_LIMITS = VerdictLimits()


def many(number: int, rating: str = "10") -> Risks:
    rows = [
        ahrefs_row(f"https://site{row}.icu/1", domain_rating=str(row) if rating == "rising" else rating)
        for row in range(number)
    ]
    return review_risks(exported(*rows))


def judged(**columns) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    return clean_links(
        **{"scale": ["Ahrefs"] * rows, "verdict": ["Fine"] * rows, "band": ["off-topic"] * rows} | columns
    )


@pytest.mark.parametrize(("rows", "asked"), [(ASK_ABOVE, False), (ASK_ABOVE + 1, True)])
def test_more_than_20_rows_are_asked_about(rows, asked):
    risks = many(rows)
    assert Question(risks, "domain", risks.domains, "disavow").is_needed is asked
    assert ASK_ABOVE == 20


def test_the_question_names_the_number_of_rows_and_the_largest_domains():
    risks = many(30, rating="rising")
    question = Question(risks, "domain", risks.domains, "disavow")
    assert question.sentence == "30 domains will get the state “disavow”."
    assert question.largest.startswith("site29.icu (DR 29), site28.icu (DR 28), ")
    assert question.largest.count("(") == 5


def test_links_are_counted_with_their_domains():
    risks = review_risks(exported(*(ahrefs_row(f"https://a.icu/{row}") for row in range(25))))
    question = Question(risks, "URL", risks.links, "keep")
    assert question.sentence == "25 links from 1 domain will get the state “keep”."
    assert question.items == [f"https://a.icu/{row}" for row in range(25)]


def test_domains_without_an_authority_are_named_without_one():
    risks = many(2, rating="")
    assert Question(risks, "domain", risks.domains, "keep").largest == "site0.icu, site1.icu"


@pytest.mark.parametrize(
    ("verdict", "band", "rating", "good"),
    [
        ("Protect", "relevant", 5, True),
        ("Fine", "relevant", 50, True),
        ("Fine", "relevant", 49.9, False),
        ("Off-topic authority", "off-topic", 90, False),
        ("Weak", "weak", 90, False),
        ("Not enough data", "", 90, False),
    ],
)
def test_good_is_a_link_to_protect_or_a_relevant_one_of_a_strong_site(verdict, band, rating, good):
    links = judged(verdict=[verdict], band=[band], domain_rating=[rating])
    assert bool(good_domains(links, NO_LIMITS)) is good


def test_each_scale_has_its_own_limit_and_a_setting_goes_before_it():
    links = judged(scale=["Semrush", "Ahrefs"], band=["relevant"] * 2, url_rating=[40, 90], domain_rating=[None, 40])
    assert list(good_domains(links, NO_LIMITS)) == ["site0.example"]
    assert len(good_domains(links, VerdictLimits(strong_from=(("DR", 40.0),)))) == 2


def test_one_good_link_among_many_makes_its_domain_good_and_says_why():
    links = judged(
        referring_url=[f"https://a.example/{row}" for row in range(3)],
        verdict=["Review", "Fine", "Protect"],
        band=["off-topic", "relevant", "relevant"],
        domain_rating=[71, 71, 71],
    )
    assert good_domains(links, NO_LIMITS) == {"a.example": "verdict Protect, DR 71, 2 links"}


def test_without_an_audit_every_strong_site_may_be_relevant():
    links = clean_links(scale=["Ahrefs"] * 2, domain_rating=[50, 49])
    assert good_domains(links, NO_LIMITS) == {"site0.example": "relevance not known yet, DR 50, 1 link"}


def test_good_domains_are_found_through_links_that_are_not_among_the_rows():
    risks = review_risks(
        exported(ahrefs_row("https://a.icu/1", domain_rating="10"), ahrefs_row("https://a.icu/2", domain_rating="80"))
    )
    assert Question(risks, "URL", risks.links.head(1), "disavow").good["referring_domain"].tolist() == ["a.icu"]


def test_the_others_leave_every_row_of_a_good_domain_out():
    risks = review_risks(
        exported(
            *(ahrefs_row(f"https://{name}.icu/1", domain_rating=rating) for name, rating in (("a", "9"), ("b", "80")))
        )
    )
    assert Question(risks, "domain", risks.domains, "disavow").others == ["a.icu"]
    assert Question(risks, "URL", risks.links, "disavow").others == ["https://a.icu/1"]


def test_semrush_pages_are_named_with_their_own_rating():
    row = {"Source url": "https://a.icu/1", "Page ascore": "44"}
    risks = review_risks(exported(row, base=SEMRUSH), limits=RiskLimits())
    assert Question(risks, "domain", risks.domains, "disavow").largest == "a.icu (Page ascore 44)"
    assert len(Question(risks, "domain", risks.domains, "disavow").good) == 1
