"""A second opinion on what a tool flags: links that the audit finds worth keeping, with the reason."""

from dataclasses import replace

from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from backlink_audit.risk.tables import tables
from tests.exported import ahrefs_row, exported

WHY = "about oak chairs; DR 60"


def row(page, spam, **differences):
    return ahrefs_row(page, **differences) | {"Is spam": spam}


EXPORT = exported(
    row("https://good.com/1", "true"), row("https://bad.com/1", "true"), row("https://calm.com/1", "false")
)


def judged(*verdicts):
    risks = review_risks(EXPORT)
    scores = {"relevance": 50.0, "worth": 50.0, "suspicion": 50.0}
    return replace(risks, links=risks.links.assign(verdict=list(verdicts), why=WHY, **scores))


def test_a_link_that_the_tool_flags_and_the_audit_praises_is_listed_with_the_reason():
    risks = judged("Protect", "Review", "Protect")
    assert risks.second_opinions["referring_domain"].tolist() == ["good.com"]
    said = risks.second_opinions["second_opinion"].iloc[0]
    assert said.startswith("Flagged by the tool (") and said.endswith(f"fine here: {WHY}")
    assert risks.second_opinion == "1 of 2 links that the tool flags is fine by this audit."


def test_a_link_with_another_signal_beside_the_flag_gets_no_second_opinion():
    export = exported(row("https://good.com/1", "true", external_links="900"))
    risks = review_risks(export)
    assert replace(risks, links=risks.links.assign(verdict="Protect", why=WHY)).second_opinions.empty


def test_without_an_audit_or_without_flags_nothing_is_said():
    assert review_risks(EXPORT).second_opinion == ""
    assert review_risks(EXPORT).second_opinions.empty
    assert review_risks(exported(ahrefs_row("https://calm.com/1"))).second_opinion == ""


def test_the_workbook_lists_second_opinions():
    sheets = tables(RiskReview(judged("Fine", "Review", "Fine"), Review())).sheets()
    assert sheets["Second opinion"]["Second opinion"].str.contains("fine here").all()
    assert (sheets["Summary"]["What"] == "Second opinion").sum() == 1
