"""One number of one thing: from one file to Audit, Risk, History, report, sheets and terminal, all say the same."""

from dataclasses import replace

import pandas as pd
import pytest

from backlink_audit import sample
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables as audit_tables
from backlink_audit.audit.tasks import to_do
from backlink_audit.changes.reclaim import find_reclaims
from backlink_audit.exports.load import load
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.projects.client_report import audit_report
from backlink_audit.projects.snapshots import figures_of
from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from backlink_audit.risk.tables import tables as risk_tables
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.ui import audit as audit_screen
from backlink_audit.ui import show
from backlink_audit.wording import percent
from tests.exported import AHREFS, ahrefs_row
from tests.projects.made import audit_of
from tests.toy import ToyEncoder

SHOP = "https://oak-tables.example"
SELLER = {"referring_page_title": "Buy cheap backlinks and guest posts", "external_links": "900"}
LOST = {"lost": "2024-03-01", "lost_status": "removedfromhtml"}


def export():
    """Followed sellers, the same not followed, lost ones on the same template, and lost links worth having."""
    rows = [
        *(ahrefs_row(f"https://seller{n}.icu/links", **SELLER) for n in range(9)),
        *(ahrefs_row(f"https://quiet{n}.icu/links", nofollow="true", **SELLER) for n in range(5)),
        *(ahrefs_row(f"https://past{n}.icu/links", **SELLER, **LOST) for n in range(4)),
        *(
            ahrefs_row(
                f"https://oak{n}.example/oak-tables",
                referring_page_title="oak tables of oak",
                domain_rating="70",
                **(LOST if n < 3 else {}),
            )
            for n in range(8)
        ),
    ]
    rows = [row | {"Target URL": f"{SHOP}/oak-tables", "Anchor": "these"} for row in rows]
    text = "\n".join("\t".join(cells) for cells in [list(AHREFS), *((AHREFS | row).values() for row in rows)])
    return load([("links.csv", text.encode("utf-16"))])


@pytest.fixture(scope="module")
def made():
    """The audit with verdicts that are given, so that the test stays when the rules of the verdicts change."""
    whole = audit_backlinks(export(), AuditSettings(), ToyEncoder())
    links = whole.links
    names = links["referring_domain"].str.extract(r"([a-z]+)")[0]
    verdict = names.map({"seller": "Review", "quiet": "Ignore", "past": "Ignore", "oak": "Protect"})
    verdict = verdict.mask((names == "oak") & links["is_lost"], "Reclaim")
    signals = names.isin(["seller", "quiet", "past"])
    assert (links.loc[signals, "risk_signals"] >= 2).all() and (links.loc[~signals, "risk_signals"] < 2).all()
    whole = replace(whole, links=links.assign(verdict=verdict.astype("str")))
    return whole, whole.chosen(LinkChoice()), review_risks(whole)


def in_summary(table: pd.DataFrame, what: str):
    return table.loc[table["What"] == what, "Value"].item()


def test_what_is_to_review_is_one_number(made):
    whole, live, risks = made
    number = int((live.links["verdict"] == "Review").sum())
    assert 0 < number < risks.with_enough_signals  # those that are not followed show as many signals
    assert risks.to_review == number == figures_of(whole)["verdicts"]["Review"]
    assert f"review {number}" in live.headline
    assert risks.headline.startswith(f"{number} of {len(risks.links)} links")
    assert {bar.label: bar.words for bar in audit_report(whole).charts[0].bars}["Review"] == f"{number}"
    sheets, review = audit_tables(live).sheets(), RiskReview(risks, Review())
    assert int(in_summary(sheets["Summary"], "To review")) == number
    assert sheets["Verdicts"].set_index("Verdict").loc["Review", "Links"] == number
    assert int(in_summary(risk_tables(review).sheets()["Summary"], "To review")) == number
    assert risk_tables(review).sheets()["Links"]["To review"].sum() == number


def test_signals_are_the_same_in_the_audit_the_risk_review_and_history(made):
    whole, live, risks = made
    assert risks.links["signals"].tolist() == live.links["risk_signals"].tolist()
    share = risks.with_enough_signals / len(risks.links)
    assert figures_of(whole)["risk_share"] == pytest.approx(share)
    rows = dict((row[0], row[1]) for row in audit_report(whole).figures)
    assert rows["With 2 or more risk signals"] == percent(share)


def test_the_list_of_the_risk_review_has_every_link_to_review_and_names_the_others(made):
    _, live, risks = made
    rows = RiskReview(risks, Review()).rows("URL")
    chosen = rows[rows["to_review"]]
    assert set(chosen["referring_url"]) == set(live.links.loc[live.links["verdict"] == "Review", "referring_url"])
    others = rows[(rows["signals"] >= risks.review_signals) & ~rows["to_review"]]
    assert others["referring_url"].str.contains("quiet").all() and len(others) == 5


def test_what_is_to_be_won_back_is_one_number_lost_links_included(made):
    whole, live, _ = made
    number = int((whole.links["verdict"] == "Reclaim").sum())
    assert number == 3 and "Reclaim" not in live.verdict_counts
    assert f"reclaim {number} (lost links included)" in live.headline
    assert f"reclaim {number}" in whole.headline and "included" not in whole.headline
    assert live.to_reclaim == figures_of(whole)["verdicts"]["Reclaim"] == number
    rows = dict((row[0], row[1]) for row in audit_report(whole).figures)
    assert rows["Reclaim (lost links included)"] == f"{number}"
    sheets = audit_tables(live).sheets()
    assert int(in_summary(sheets["Summary"], "To reclaim, of all scored links (lost links included)")) == number
    row = sheets["Verdicts"].set_index("Verdict").loc["Reclaim"]
    assert row["Links"] == 0
    assert row["Meaning"].endswith(f"Of all {len(whole.links)} scored links, lost ones included, 3 have this verdict.")


def test_the_list_of_links_to_win_back_has_as_many_as_the_audit_says():
    backlinks = load(sample.files()["backlinks"])
    found = find_reclaims(backlinks, AuditSettings(), ToyEncoder())
    assert len(found.links) == audit_of("backlinks").chosen(LinkChoice()).to_reclaim > 0


def test_what_to_do_is_the_same_on_the_screen_in_the_sheet_and_in_the_terminal(made):
    whole, live, _ = made
    sheet = audit_tables(live).sheets()["Do this now"].set_index("To do")
    said = dict(line.split(" ", 1) for line in to_do(live))
    for task in live.tasks:
        word = task.label.word
        assert len(live.to_do(word)) == task.number == sheet.loc[word, "Number"]
        assert said.get(word, "").startswith(task.of_what if task.number else "")
    assert sheet["Number"].to_dict() == {"Reclaim": 3, "Protect": 5, "Review": 9, "Pitch": len(live.outreach)}
    assert sheet.loc["Protect", "Highest DR"] == 70


def test_every_figure_above_a_result_is_in_the_summary_and_the_report(made):
    whole, live, _ = made
    above = {label: show.as_text(value) for label, value, _ in audit_screen.figures(live)}
    summary = audit_tables(live).sheets()["Summary"]
    reported = dict((row[0], row[1]) for row in audit_report(whole).figures)
    assert above["Backlinks"] == reported["Backlinks"] == in_summary(summary, "Links")
    assert above["Referring domains"] == reported["Referring domains"] == in_summary(summary, "Referring domains")
    assert above["Median DR"] == in_summary(summary, "Median DR") and float(above["Median DR"]) == live.median_authority
    assert above["Followed"] == in_summary(summary, "Followed")
    assert above["Lost"] == in_summary(summary, "State: lost")
    assert above["To reclaim"] == reported["Reclaim (lost links included)"]
    assert above["To reclaim"] == in_summary(summary, "To reclaim, of all scored links (lost links included)")


def test_the_median_authority_and_the_share_followed_are_those_of_the_profile():
    live = audit_of("backlinks").chosen(LinkChoice())
    profile = profile_backlinks(live)
    assert live.median_authority == profile.median_authority
    assert live.share_followed == profile.follow_share


def test_means_and_the_median_say_of_which_links_they_are(made):
    _, live, _ = made
    said = in_summary(audit_tables(live).sheets()["Summary"], "Links of the means and the median")
    assert (
        said
        == f"live: {len(live.links)} of {len(live.links)} have a similarity, {live.links['cas'].notna().sum()} a CAS"
    )
