"""The steps of a client's report: what each is about, and nothing that is decided or cannot be won back."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.errors import StoreProblem
from backlink_audit.exports.load import load
from backlink_audit.projects.client_actions import MOST_ROWS, steps
from backlink_audit.projects.client_report import audit_report, client_report
from backlink_audit.projects.history import compare
from backlink_audit.projects.projects import KeptReview, create, keep_review
from backlink_audit.projects.snapshots import save
from backlink_audit.report.client import Look, Step, render
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
    for name in (
        "verdict",
        "band",
        "relevance",
        "target_status",
        "risk_signals",
        "page_traffic",
        "suspicion",
        "linked_url",
    ):
        given = [row.get(name) for row in rows]
        links[name] = pd.Series(given, links.index).combine_first(links[name]).astype(links[name].dtype)
    return Audit(links, audit.settings, audit.cleaned, "toy", "toy").chosen(LinkChoice())


def protect(name: str, rating: str, **more: Any) -> dict[str, Any]:
    return {"page": f"https://{name}.example/p", "verdict": "Protect", "row": {"domain_rating": rating}} | more


def lost(name: str, rating: str, status: str, **more) -> dict[str, object]:
    row = {"domain_rating": rating, "lost_status": status, "lost": "2024-03-01"}
    return {"page": f"https://{name}.example/p", "verdict": "Reclaim", "row": row} | more


def named(found: Sequence[Step]) -> list[tuple[str, list[str]]]:
    """The first word of each step, and the sites that it names."""
    return [
        (step.what.split()[0], [row.url.split("/")[2].split(".")[0] if row.url else row.what for row in step.rows])
        for step in found
    ]


def bad(name: str, **more: Any) -> dict[str, Any]:
    return {"page": f"https://{name}.example/p", "verdict": "Review", "suspicion": 60.0} | more


def test_each_step_names_its_links_the_strongest_and_most_relevant_first():
    small = lost("small", "31", "removedfromhtml")
    audit = made(
        small, protect("press", "96"), lost("paper", "70", "removedfromhtml"), protect("old", "30", relevance=60.0)
    )
    found = steps(audit)
    assert named(found) == [("Write", ["paper", "small"]), ("Check", ["press", "old"])]
    assert found[0].worth == "up to 2 links back" and found[0].number == 2
    assert found[0].rows[0].why == "Ask to add the link again. DR 70."


def test_a_lost_link_says_what_to_do_and_lost_spam_is_left_out():
    audit = made(
        lost("moved", "40", "pageredirected"),
        lost("spam", "90", "removedfromhtml", verdict="Ignore"),
    )
    [step] = steps(audit)
    assert named([step]) == [("Write", ["moved"])] and step.what == "Write to 1 site that dropped a link"
    assert step.rows[0].why == (
        "Look at the page that it redirects to. If your link is missing there, ask for it. DR 40."
    )


def test_of_copies_on_other_sites_the_strongest_is_named():
    copy = {"referring_page_title": "Why we build with oak"}
    audit = made(
        protect("copy", "50", row={"domain_rating": "50"} | copy),
        protect("paper", "80", row={"domain_rating": "80"} | copy),
    )
    assert named(steps(audit)) == [("Check", ["paper"])]


def test_a_link_with_a_risk_signal_or_of_an_unknown_site_is_none_to_name():
    audit = made(protect("placed", "90", risk_signals=1), protect("tiny", "8"), protect("paper", "40"))
    [step] = steps(audit)
    assert named([step]) == [("Check", ["paper"])] and step.number == 3


@pytest.mark.parametrize("state", ["disavow", "remove (asked)"])
def test_what_was_given_up_is_no_step(state):
    audit = made(protect("a", "60"), protect("b", "50"), bad("bad"), lost("gone", "60", "removedfromhtml"))
    review = Review().decide("domain", ["a.example", "bad.example", "gone.example"], state)
    assert named(steps(audit, review=review)) == [("Check", ["b"])]


def test_what_the_disavow_file_has_is_no_step_but_a_good_link_in_it_comes_before_all():
    audit = made(protect("a", "60"), protect("b", "90"), bad("bad"), lost("c", "99", "removedfromhtml"))
    sent = SentFile(parse_disavow_file(b"domain:a.example\ndomain:bad.example\ndomain:c.example\n"), audit.links)
    assert named(steps(audit, sent=sent)) == [("Remove", ["a"]), ("Check", ["b"])]


def test_what_is_to_review_is_named_by_groups_then_by_the_most_doubtful_and_without_what_is_decided():
    shared = {"row": {"referring_page_title": "Most visited website list of the year 2025"}}
    rows = [bad(f"list{n}", **shared) for n in range(3)] + [bad(f"bad{n}", suspicion=60.0 + n) for n in range(4)]
    [step] = steps(made(*rows), review=Review().decide("domain", ["bad3.example"], "keep"))
    assert (
        step.what == "Optional: look through 6 doubtful links (4 decisions) and disavow the spam" and step.number == 4
    )
    group, *single = step.rows
    assert (
        group.what
        == "“Most visited website list of the year 2025” (the same title): 3 links from 3 sites, such as list0.example"
    )
    assert group.why == "Look at a few of them first." and not group.url
    assert [row.url.split("/")[2] for row in single] == ["bad2.example", "bad1.example", "bad0.example"]
    assert {row.why for row in single} == {"Look at it first."}


def test_links_over_another_domain_hang_on_its_redirects():
    audit = made(*(protect(f"a{n}", "50", linked_url="https://old.example/a") for n in range(3)))
    first = steps(audit)[0]
    assert named([first]) == [("Keep", ["old"])] and first.worth == "3 links worth keeping, of 3"
    assert first.rows[0].what == "https://old.example/a: 3 links from 3 sites"


def test_a_step_names_some_and_says_how_many_more_and_the_page_too():
    keeps = [protect(f"keep{n}", str(90 - n)) for n in range(12)] + [
        protect("keep0", "90", page="https://keep0.example/q")
    ]
    [step] = steps(made(*keeps))
    assert len(step.rows) == MOST_ROWS and len({row.url.split("/")[2] for row in step.rows}) == MOST_ROWS
    page = render(audit_report(made(*keeps)), Look()).decode()
    assert f"<h3>1. {step.what}</h3>" in page and f"and {13 - MOST_ROWS} more" in page


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
    rows = [row for step in client_report(store, project).steps for row in step.rows]
    found = [one for one in rows if one.why.startswith(began)]
    assert {one.url for one in found} <= set(gone["referring_url"]) and bool(found) is bool(len(gone))


def test_the_report_on_an_audit_knows_the_decisions_of_whoever_asks():
    audit = audit_of("backlinks")
    first = audit_report(audit).steps[0]
    sites = [row.url.split("/")[2].removeprefix("www.") for row in first.rows]
    assert audit_report(audit, review=Review().decide("domain", sites, "disavow")).steps[0] != first


def test_a_project_without_a_snapshot_has_no_report(store):
    with pytest.raises(StoreProblem, match="“Shop” has no snapshot yet"):
        client_report(store, create(store, "Shop"))
