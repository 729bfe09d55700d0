"""What the decisions of a review teach, on the sample's links with a toy encoder."""

from dataclasses import replace

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import lesson, review_risks
from backlink_audit.risk.tables import tables
from backlink_audit.sample import files
from backlink_audit.settings import AuditSettings
from tests.risk.made import reviewed
from tests.toy import ToyEncoder


@pytest.fixture(scope="module")
def risks():
    return review_risks(audit_backlinks(load(files()["backlinks"]), AuditSettings(), ToyEncoder()))


def taught_by(result):
    found = lesson(result)
    assert found is not None
    return found


def decided(risks, number):
    """A user who keeps what is rated DR 25 and more, and drops the rest, whatever it is about."""
    domains = risks.domains.drop_duplicates("referring_domain").head(number)
    strong = domains["authority"] >= 25
    review = Review().decide("domain", domains.loc[strong, "referring_domain"], "keep")
    return RiskReview(risks, review.decide("domain", domains.loc[~strong, "referring_domain"], "disavow"))


def test_without_an_audit_there_is_nothing_to_learn_from():
    assert lesson(reviewed("a.icu")) is None


def test_without_decisions_verdicts_are_sure_or_not_and_twenty_links_are_to_read(risks):
    taught = taught_by(RiskReview(risks, Review()))
    assert set(taught.links["certainty"]) == {"sure", "ask me"}
    assert len(taught.to_read) == 20 == taught.to_read["referring_domain"].nunique()
    assert taught.headline.endswith("30 decisions are needed; there are 0.")


def test_each_decided_domain_is_one_decision_and_leaves_the_list_to_read(risks):
    taught = taught_by(decided(risks, 40))
    assert taught.learned.decisions == 40
    first = set(risks.domains.head(40)["referring_domain"])
    assert not first & set(taught.to_read["referring_domain"])
    assert "of your 40 decisions" in taught.headline


def test_a_site_won_by_outreach_is_a_decision_to_keep_and_leaves_the_list_to_read(risks):
    weak = decided(risks, 40)
    site = taught_by(weak).to_read["referring_domain"].iloc[0]
    taught = taught_by(replace(weak, won=frozenset({site, "elsewhere.example"})))
    assert taught.learned.decisions == 41 and site not in set(taught.to_read["referring_domain"])
    assert taught.headline.endswith("1 site won on the outreach desk is among them.")


def test_sites_won_are_kept_ones_so_they_alone_are_decisions_of_one_kind(risks):
    sites = risks.domains["referring_domain"].head(40)
    taught = taught_by(RiskReview(risks, Review(), frozenset(sites)))
    assert taught.learned.decisions == 40 and "2 to drop are needed" in taught.headline


def test_what_the_review_decides_on_a_site_counts_although_it_was_won(risks):
    review = decided(risks, 40)
    dropped = frozenset(review.review.disavowed_domains)
    assert dropped and taught_by(replace(review, won=dropped)).learned == taught_by(review).learned


def test_a_link_to_protect_that_is_kept_is_a_decision_to_keep(risks):
    protected = risks.links.loc[risks.links["verdict"] == "Protect", "referring_url"].head(1)
    assert len(protected)
    assert taught_by(RiskReview(risks, Review().decide("URL", protected, "keep"))).learned.decisions == 1


def test_a_verdict_that_what_was_learned_contradicts_is_never_sure(risks):
    links = taught_by(RiskReview(risks, Review())).links
    sure = links[links["certainty"] == "sure"]
    praised = sure["verdict"].isin(["Protect", "Fine", "Undervalued", "Reclaim"])
    assert ((sure["keep"] >= 50) == praised).all()


def test_the_workbook_says_what_was_learned_and_lists_what_to_read(risks):
    sheets = tables(decided(risks, 40)).sheets()
    assert len(sheets["Read these"]) == 20
    assert {"Certainty", "Worth keeping"} <= set(sheets["Links"].columns)
    assert sheets["Summary"]["Value"].str.contains("40 decisions").any()
