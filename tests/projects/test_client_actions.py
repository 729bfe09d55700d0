"""The ten actions of a client's report: the most at stake first, and nothing that is decided or cannot be won back."""

from typing import Any

import pandas as pd
import pytest

from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.errors import StoreProblem
from backlink_audit.exports.load import load
from backlink_audit.projects.client_actions import ACTIONS, MOST_OF_A_KIND, actions
from backlink_audit.projects.client_report import audit_report, client_report
from backlink_audit.projects.history import compare
from backlink_audit.projects.projects import KeptReview, create, keep_review
from backlink_audit.projects.snapshots import save
from backlink_audit.report.client import Look, render
from backlink_audit.risk.disavow import SentFile
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.review import Review
from backlink_audit.settings import AuditSettings, LinkChoice
from tests.exported import AHREFS, ahrefs_row
from tests.projects.made import audit_of
from tests.toy import ToyEncoder


def made(*rows: dict[str, Any]) -> Audit:
    """An audit with these judgements: `page`, `verdict` and whatever else differs."""
    pages = [ahrefs_row(str(row["page"]), **row.get("row", {})) for row in rows]
    text = "\n".join("\t".join(cells) for cells in [list(AHREFS), *((AHREFS | page).values() for page in pages)])
    audit = audit_backlinks(load([("links.csv", text.encode("utf-16"))]), AuditSettings(), ToyEncoder())
    links = audit.links.assign(
        band="relevant", page_kind="page", relevance=90.0, worth=90.0, risk_signals=0, cas=1.0, why="It fits."
    )
    for name in ("verdict", "band", "relevance", "target_status", "risk_signals", "page_traffic"):
        given = [row.get(name) for row in rows]
        links[name] = pd.Series(given, links.index).combine_first(links[name]).astype(links[name].dtype)
    return Audit(links, audit.settings, audit.cleaned, "toy", "toy").chosen(LinkChoice())


def protect(name: str, rating: str, **more: Any) -> dict[str, Any]:
    return {"page": f"https://{name}.example/p", "verdict": "Protect", "row": {"domain_rating": rating}} | more


def lost(name: str, rating: str, status: str, **more) -> dict[str, object]:
    row = {"domain_rating": rating, "lost_status": status, "lost": "2024-03-01"}
    return {"page": f"https://{name}.example/p", "verdict": "Reclaim", "row": row} | more


def about(found) -> list[tuple[str, str]]:
    return [(one.verb, one.url.split("/")[2].split(".")[0] if one.url else one.what) for one in found]


def test_the_strongest_and_most_relevant_come_first_whatever_their_verdict():
    small = lost("small", "31", "removedfromhtml")
    audit = made(
        small, protect("press", "96"), lost("paper", "70", "removedfromhtml"), protect("odd", "90", relevance=20.0)
    )
    assert about(actions(audit)) == [
        ("Protect", "press"),
        ("Reclaim", "paper"),
        ("Reclaim", "small"),
        ("Protect", "odd"),
    ]


def test_a_lost_link_says_what_to_do_and_lost_spam_is_left_out():
    audit = made(
        lost("moved", "40", "pageredirected"),
        lost("spam", "90", "removedfromhtml", verdict="Review"),
    )
    [action] = actions(audit)
    assert about([action]) == [("Reclaim", "moved")]
    assert (
        action.why
        == "Look at the page that it redirects to. If your link is missing there, ask for it. A page about your subject of a site with DR 40."
    )


def test_what_is_not_worth_the_time_is_left_out_and_nothing_takes_its_place():
    audit = made(protect("tiny", "8"), lost("unknown", "8", "removedfromhtml"), protect("paper", "40"))
    assert about(actions(audit)) == [("Protect", "paper")]


def test_of_copies_on_other_sites_the_strongest_is_one_action():
    copy = {"referring_page_title": "Why we build with oak"}
    audit = made(
        protect("copy", "50", row={"domain_rating": "50"} | copy),
        protect("paper", "80", row={"domain_rating": "80"} | copy),
    )
    assert about(actions(audit)) == [("Protect", "paper")]


def test_a_link_with_a_risk_signal_is_none_to_keep():
    audit = made(protect("placed", "90", risk_signals=1), protect("paper", "40"))
    assert about(actions(audit)) == [("Protect", "paper")]


@pytest.mark.parametrize("state", ["disavow", "remove (asked)"])
def test_what_was_given_up_is_no_action(state):
    audit = made(protect("a", "60"), protect("b", "50"), {"page": "https://bad.example/p", "verdict": "Review"})
    review = Review().decide("domain", ["a.example", "bad.example"], state)
    assert about(actions(audit, review=review)) == [("Protect", "b")]


def test_what_the_disavow_file_has_is_no_action_but_a_good_link_in_it_comes_before_all():
    audit = made(
        protect("a", "60"),
        protect("b", "90"),
        {"page": "https://bad.example/p", "verdict": "Review"},
        lost("c", "99", "removedfromhtml"),
    )
    sent = SentFile(parse_disavow_file(b"domain:a.example\ndomain:bad.example\ndomain:c.example\n"), audit.links)
    assert about(actions(audit, sent=sent)) == [("Remove from the disavow file", "a"), ("Protect", "b")]


def test_what_is_to_review_is_one_action_at_the_end_with_what_is_decided():
    bad = [{"page": f"https://bad{n}.example/p", "verdict": "Review", "risk_signals": n} for n in range(5)]
    review = Review().decide("domain", ["bad4.example"], "keep")
    *_, last = actions(made(*bad, protect("a", "90")), review=review)
    assert last.verb == "Review"
    assert last.what == (
        "4 links from 4 domains that look bought or generated: begin with bad3.example, bad2.example, bad1.example and 1 more"
    )
    assert last.why.endswith("1 of 5 are decided already.")


def test_there_are_ten_of_several_kinds_one_for_each_domain():
    keeps = [protect(f"keep{n}", str(90 - n)) for n in range(12)] + [
        protect("keep0", "90", page="https://keep0.example/q")
    ]
    back = [lost(f"back{n}", "30", "removedfromhtml") for n in range(7)]
    found = actions(made(*keeps, *back))
    assert len(found) == ACTIONS and len({one.what.split("/")[2] for one in found}) == ACTIONS
    assert [one.verb for one in found] == ["Protect"] * MOST_OF_A_KIND + ["Reclaim"] * MOST_OF_A_KIND
    assert {verb: len(of_verb) for verb, of_verb in audit_report(made(*keeps, *back)).tasks.items()} == {
        "Protect": MOST_OF_A_KIND,
        "Reclaim": MOST_OF_A_KIND,
    }
    assert len(actions(made(*keeps))) == ACTIONS  # where there is nothing else, the rest is filled up


def test_the_report_of_a_project_says_what_was_done(store):
    project = create(store, "Shop")
    save(store, project, audit_of("backlinks"))
    assert not client_report(store, project).done
    review = Review().decide("domain", ["a.example", "b.example"], "disavow").decide("domain", ["c.example"], "keep")
    keep_review(store, project, KeptReview(Review(), {}), review)
    report = client_report(store, project)
    assert list(report.done) == ["Decided in the risk review: 1 keep, 2 disavow."]
    assert "<h2>What was done</h2>" in render(report, Look()).decode()


def test_a_link_that_was_to_be_protected_and_is_in_the_file_no_more_is_to_be_checked_and_asked_for(store):
    project = create(store, "Shop")
    older, _ = save(store, project, audit_of("older"))
    newer, _ = save(store, project, audit_of("backlinks"))
    gone = compare(store, older, newer).lost_to_protect
    gone = gone[gone["newer_row"].isna()]
    began = f"One of the most valuable links on {older.day}"
    found = [one for one in client_report(store, project).actions if one.why.startswith(began)]
    assert {one.url for one in found} <= set(gone["referring_url"]) and bool(found) is bool(len(gone))


def test_the_report_on_an_audit_knows_the_decisions_of_whoever_asks():
    audit = audit_of("backlinks")
    first = audit_report(audit).actions[0]
    domain = first.url.split("/")[2].removeprefix("www.")
    assert audit_report(audit, review=Review().decide("domain", [domain], "disavow")).actions[0] != first


def test_a_project_without_a_snapshot_has_no_report(store):
    with pytest.raises(StoreProblem, match="“Shop” has no snapshot yet"):
        client_report(store, create(store, "Shop"))
