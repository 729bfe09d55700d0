"""What is asked before rows get a state."""

import pytest

from backlink_audit.risk.result import ASK_ABOVE, Question, Risks
from backlink_audit.risk.run import review_risks
from backlink_audit.settings import RiskLimits
from tests.exported import SEMRUSH, ahrefs_row, exported


def many(number: int, rating: str = "10") -> Risks:
    rows = [
        ahrefs_row(f"https://site{row}.icu/1", domain_rating=str(row) if rating == "rising" else rating)
        for row in range(number)
    ]
    return review_risks(exported(*rows))


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


def strong_and_weak() -> Risks:
    return review_risks(
        exported(
            *(ahrefs_row(f"https://{name}.icu/1", domain_rating=rating) for name, rating in (("a", "9"), ("b", "80")))
        )
    )


def test_domains_worth_keeping_are_found_through_links_that_are_not_among_the_rows():
    risks = review_risks(
        exported(ahrefs_row("https://a.icu/1", domain_rating="10"), ahrefs_row("https://a.icu/2", domain_rating="80"))
    )
    question = Question(risks, "URL", risks.links.head(1), "disavow")
    assert question.worth_keeping["referring_domain"].tolist() == ["a.icu"]


@pytest.mark.parametrize(
    ("scope", "items"), [("domain", ["a.icu", "b.icu"]), ("URL", ["https://a.icu/1", "https://b.icu/1"])]
)
def test_what_is_worth_keeping_is_left_out_unless_it_is_ticked(scope, items):
    risks = strong_and_weak()
    rows = (risks.domains if scope == "domain" else risks.links).sort_values("referring_domain")
    question = Question(risks, scope, rows, "disavow")
    assert question.with_ticked() == items[:1]
    assert question.with_ticked(["b.icu"]) == items


@pytest.mark.parametrize(
    ("state", "asked"),
    [("disavow", True), ("remove (asked)", True), ("keep", False), ("whitelist", False), ("undecided", False)],
)
def test_one_domain_worth_keeping_is_asked_about_where_the_state_would_harm_it(state, asked):
    risks = strong_and_weak()
    question = Question(risks, "domain", risks.domains, state)
    assert question.is_needed is asked
    assert len(question.with_ticked()) == (1 if asked else 2)


def test_semrush_pages_are_named_with_their_own_rating():
    row = {"Source url": "https://a.icu/1", "Page ascore": "44"}
    risks = review_risks(exported(row, base=SEMRUSH), limits=RiskLimits())
    assert Question(risks, "domain", risks.domains, "disavow").largest == "a.icu (Page ascore 44)"
    assert len(Question(risks, "domain", risks.domains, "disavow").worth_keeping) == 1
