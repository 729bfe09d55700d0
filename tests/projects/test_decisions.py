"""Decisions last, and what one window decided is not overwritten by another that had not seen it."""

import random

import pytest

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.project_files import keep_widgets, kept_files, kept_widgets, replace_files
from backlink_audit.projects.projects import create, delete, keep_review, kept_review


def decided(store, project, item, state, note=None, seen=None):
    seen = seen or kept_review(store, project)
    return keep_review(store, project, seen, seen.review.decide("domain", [item], state, note))


def test_a_thousand_decisions_with_notes_come_back(store):
    project = create(store, "Shop")
    seen = kept_review(store, project)
    domains = [f"site{n}.example" for n in range(1000)]
    review = seen.review.decide("domain", domains, "disavow", "spam").decide("URL", ["https://a.example/x"], "keep")
    kept, lost = keep_review(store, project, seen, review)
    assert lost == [] and kept.review == kept_review(store, project).review == review


def test_two_windows_decide_on_different_domains_and_both_last(store):
    project = create(store, "Shop")
    first = second = kept_review(store, project)
    decided(store, project, "a.example", "keep", seen=first)
    kept, lost = decided(store, project, "b.example", "disavow", seen=second)
    assert lost == []
    assert {one.item: one.state for one in kept.review.decisions.values()} == {
        "a.example": "keep",
        "b.example": "disavow",
    }


@pytest.mark.parametrize("before", [None, "whitelist"])
def test_what_another_window_decided_on_the_same_domain_stays_and_is_named(store, before):
    project = create(store, "Shop")
    if before:
        decided(store, project, "a.example", before)
    both = kept_review(store, project)
    decided(store, project, "a.example", "keep", seen=both)
    kept, lost = decided(store, project, "a.example", "disavow", seen=both)
    assert lost == [("domain", "a.example")]
    assert kept.review.decisions["domain", "a.example"].state == "keep"
    again, lost = decided(store, project, "a.example", "disavow", seen=kept)
    assert lost == [] and again.review.decisions["domain", "a.example"].state == "disavow"


def test_a_decision_taken_back_is_noticed_too(store):
    project = create(store, "Shop")
    both, _ = decided(store, project, "a.example", "keep")
    decided(store, project, "a.example", "undecided", seen=both)
    assert kept_review(store, project).review.decisions == {}
    _, lost = decided(store, project, "a.example", "disavow", seen=both)
    assert lost == [("domain", "a.example")]


def test_the_same_decision_in_two_windows_is_no_conflict(store):
    project = create(store, "Shop")
    both = kept_review(store, project)
    decided(store, project, "a.example", "keep", seen=both)
    assert decided(store, project, "a.example", "keep", seen=both)[1] == []


def test_a_deleted_project_takes_no_decision(store):
    project = create(store, "Shop")
    seen = kept_review(store, project)
    delete(store, project)
    with pytest.raises(StoreProblem, match="deleted in another window"):
        decided(store, project, "a.example", "keep", seen=seen)


def test_files_and_choices_come_back(store):
    project = create(store, "Shop")
    files = {"backlinks": [("b.csv", b"x" * 10_000), ("a.csv", b"")], "pages": [("crawl.csv", "ü".encode("utf-16"))]}
    replace_files(store, project, {"backlinks": [("old.csv", b"old")]})
    replace_files(store, project, files)
    assert kept_files(store, project) == files
    replace_files(store, project, {"backlinks": []})
    assert kept_files(store, project) == {"pages": files["pages"]}
    keep_widgets(store, project, {"audit:tabs": "Table", "risk:least": 2})
    keep_widgets(store, project, {"audit:tabs": "Flow", "links:verdict": ["Protect"]})
    assert kept_widgets(store, project) == {"audit:tabs": "Flow", "risk:least": 2, "links:verdict": ["Protect"]}


def test_an_address_of_any_length_is_decided_on_and_taken_back(store):
    project = create(store, "Shop")
    rng = random.Random(7)  # a server would press together what repeats
    long = ["https://a.example/" + "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=20_000)) for _ in "ab"]
    seen = kept_review(store, project)
    kept, lost = keep_review(store, project, seen, seen.review.decide("URL", long, "disavow"))
    assert (
        lost == [] and kept.review == seen.review.decide("URL", long, "disavow") == kept_review(store, project).review
    )
    back, lost = keep_review(store, project, kept, kept.review.decide("URL", long[:1], "undecided"))
    assert lost == [] and [one.item for one in back.review.decisions.values()] == long[1:]
    _, lost = keep_review(store, project, kept, kept.review.decide("URL", long[:1], "keep"))
    assert len(lost) == 1, "the other window saw the decision that was taken back"
