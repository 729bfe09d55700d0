"""The second opinion on a tool's flags: Risk, its sheet and the report for a client say one sentence."""

from dataclasses import replace
from datetime import date

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.projects.client_report import audit_report, client_report
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import save
from backlink_audit.projects.store import open_store
from backlink_audit.report.client import Look, render
from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from backlink_audit.risk.tables import tables
from backlink_audit.settings import AuditSettings
from tests.exported import AHREFS, ahrefs_row
from tests.projects.made import audit_of
from tests.toy import ToyEncoder

FLAG = "Is spam"
"""The header of the tool's own flag."""
LINKS = {
    "https://forest.example/a-walk": ("true", "", "Protect"),
    "https://carpenter.example/2024/glue": ("true", "", "Fine"),
    "https://casino.example/p": ("true", "", "Review"),
    "https://gone.example/old-page": ("true", "2024-03-01", "Reclaim"),
    "https://calm.example/tables": ("false", "", "Protect"),
}
"""Referring pages: whether the tool flags them, since when they are lost, and their verdict."""
SAID = "2 of 3 links that the tool flags are fine by this audit."


@pytest.fixture(scope="module")
def audit():
    """The audit with verdicts that are given, so that the test stays when the rules of the verdicts change."""
    headers = AHREFS | {FLAG: ""}
    rows = [
        headers | ahrefs_row(page, referring_page_title=page[8:], lost=lost) | {FLAG: flag}
        for page, (flag, lost, _) in LINKS.items()
    ]
    text = "\n".join("\t".join(cells) for cells in [list(headers), *(row.values() for row in rows)])
    made = audit_backlinks(load([("links.csv", text.encode("utf-16"))]), AuditSettings(), ToyEncoder())
    verdicts = made.links["referring_url"].map({page: verdict for page, (_, _, verdict) in LINKS.items()})
    return replace(made, links=made.links.assign(verdict=verdicts.astype("str")))


def test_risk_its_sheet_and_the_report_say_the_same_of_the_live_links(audit):
    risks = review_risks(audit)
    assert risks.second_opinion == SAID
    summary = tables(RiskReview(risks, Review())).sheets()["Summary"].set_index("What")["Value"]
    assert summary["Second opinion"] == SAID
    assert dict(audit_report(audit).how)["Second opinion"] == SAID


def test_a_projects_report_says_it_of_the_links_that_its_snapshot_kept(audit, tmp_path):
    with open_store(str(tmp_path / "projects.sqlite")) as store:
        project = create(store, "Shop")
        save(store, project, audit, date(2025, 11, 20))
        assert SAID in render(client_report(store, project), Look()).decode()


def test_a_report_on_links_that_no_tool_flags_says_nothing_of_it():
    assert "Second opinion" not in dict(audit_report(audit_of("older")).how)
