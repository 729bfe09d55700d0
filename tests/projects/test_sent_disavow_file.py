"""The disavow file that Google has lasts in a project, and digest and report show it."""

import pytest

from backlink_audit.projects.client_report import client_report
from backlink_audit.projects.project_files import (
    NO_NAMED_FILE,
    keep_disavow_file,
    kept_disavow_file,
    kept_files,
    replace_files,
)
from backlink_audit.projects.projects import create
from backlink_audit.projects.watch import as_json, as_markdown, watch
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.settings import LinkChoice, WatchLimits
from tests.projects.made import audit_of

FILE = parse_disavow_file("# ü\ndomain:spam.example\nnot a line\n".encode())


@pytest.fixture
def project(store):
    made = create(store, "Shop")
    keep_disavow_file(store, made, NO_NAMED_FILE, ("disavow.txt", FILE))
    return made


def test_it_comes_back_whatever_happens_to_the_loaded_files(store, project):
    replace_files(store, project, {"backlinks": [("a.csv", b"a")]})
    replace_files(store, project, {"backlinks": []})
    assert kept_disavow_file(store, project) == ("disavow.txt", FILE)
    assert kept_files(store, project) == {}
    keep_disavow_file(store, project, ("disavow.txt", FILE), NO_NAMED_FILE)
    assert kept_disavow_file(store, project) == NO_NAMED_FILE


def test_what_somebody_else_put_in_its_place_meanwhile_stays(store, project):
    seen, theirs = kept_disavow_file(store, project), ("theirs.txt", parse_disavow_file(b"domain:theirs.example\n"))
    mine = ("mine.txt", parse_disavow_file(b"domain:mine.example\n"))
    assert keep_disavow_file(store, project, seen, theirs) == theirs
    assert keep_disavow_file(store, project, seen, mine) == theirs == kept_disavow_file(store, project)
    assert keep_disavow_file(store, project, seen, NO_NAMED_FILE) == theirs
    assert keep_disavow_file(store, project, seen, theirs) == theirs  # the same in both windows is no quarrel
    assert keep_disavow_file(store, project, theirs, mine) == mine == kept_disavow_file(store, project)


def test_digest_and_report_say_which_good_links_are_disavowed(store, project):
    live = audit_of("backlinks").chosen(LinkChoice()).links
    good = live[live["verdict"] == "Protect"].iloc[0]
    line = f"domain:{good['referring_domain']}"
    keep_disavow_file(
        store, project, kept_disavow_file(store, project), ("disavow.txt", parse_disavow_file(f"{line}\n".encode()))
    )
    watched = watch(store, "Shop", audit_of("backlinks"), WatchLimits())
    assert watched.sent is not None and watched.sent.figures["good_links"]
    assert "Of 1 line in the disavow file, 1 is about links that still exist" in as_markdown(watched)
    assert '"still_linking": 1' in as_json(watched)
    report = client_report(store, project)
    first = report.steps[0]
    assert first.what == "Remove 1 good site from the disavow file" and line in first.rows[0].why
    assert ("Disavow file", watched.sent.sentence) in report.how


def test_a_project_without_one_says_nothing_of_it(store):
    watched = watch(store, "Other", audit_of("backlinks"), WatchLimits())
    assert watched.sent is None and watched.data["disavow"] is None and "disavow file" not in as_markdown(watched)
