"""The disavow file that Google has lasts in a project, and digest and report speak of it."""

import pytest

from backlink_audit.pipelines.risk.disavow import NO_FILE, parse_disavow_file
from backlink_audit.projects.belongings import keep_disavow_file, keep_files, kept_disavow_file, kept_files
from backlink_audit.projects.client import client_report
from backlink_audit.projects.digest import as_json, as_markdown
from backlink_audit.projects.one_file import read_project, write_project
from backlink_audit.projects.projects import NOBODY, create
from backlink_audit.projects.watch import watch
from backlink_audit.settings import LinkChoice, WatchLimits
from tests.projects.made import audit_of

FILE = parse_disavow_file("# ü\ndomain:spam.example\nnot a line\n".encode())


@pytest.fixture
def project(store):
    made = create(store, "Shop")
    keep_disavow_file(store, made, "disavow.txt", FILE)
    return made


def test_it_comes_back_whatever_happens_to_the_loaded_files(store, project):
    keep_files(store, project, {"backlinks": [("a.csv", b"a")]})
    keep_files(store, project, {})
    assert kept_disavow_file(store, project) == ("disavow.txt", FILE)
    assert kept_files(store, project) == {}
    again = read_project(store, "shop.zip", write_project(store, project), NOBODY)
    assert kept_disavow_file(store, again) == ("disavow.txt", FILE)
    keep_disavow_file(store, project, "", NO_FILE)
    assert kept_disavow_file(store, project) == ("", NO_FILE)


def test_digest_and_report_say_which_good_links_are_disavowed(store, project):
    live = audit_of("backlinks").chosen(LinkChoice()).links
    good = live[live["verdict"] == "Protect"].iloc[0]
    line = f"domain:{good['referring_domain']}"
    keep_disavow_file(store, project, "disavow.txt", parse_disavow_file(f"{line}\n".encode()))
    watched = watch(store, "Shop", audit_of("backlinks"), WatchLimits())
    assert watched.sent is not None and watched.sent.figures["good_links"]
    assert "Of 1 line in the disavow file, 1 is about links that are still there" in as_markdown(watched)
    assert '"still_linking": 1' in as_json(watched)
    report = client_report(store, project)
    assert report.actions[0].verb == "Take out of the disavow file" and line in report.actions[0].why
    assert ("Disavow file", watched.sent.sentence) in report.how


def test_a_project_without_one_says_nothing_of_it(store):
    watched = watch(store, "Other", audit_of("backlinks"), WatchLimits())
    assert watched.sent is None and watched.data["disavow"] is None and "disavow" not in as_markdown(watched)
