"""What the site's pages earned is kept with one snapshot, beside its figures, and history, digest and report say it."""

import pytest

from backlink_audit.errors import StoreProblem, WrongExport
from backlink_audit.exports.load import load
from backlink_audit.projects.client_report import client_report
from backlink_audit.projects.history import earned_of, history, keep_earned
from backlink_audit.projects.projects import create, find_or_refuse
from backlink_audit.projects.snapshots import every_snapshot, remove, save
from backlink_audit.projects.watch import as_markdown, watch
from backlink_audit.report.client import EARNED_KEY
from backlink_audit.settings import WatchLimits
from tests.audit.earned import clicks
from tests.projects.made import audit_of

SHOP = "https://www.longroad.example"


def earned(name="pages.csv", *, oak=7, site=SHOP):
    return clicks((f"{site}/oak", oak, 2.0), (f"{site}/yew", 1, 5.0), name=name)


@pytest.fixture
def project(store):
    made = create(store, "Shop")
    for role in ("older", "backlinks"):
        save(store, made, audit_of(role))
    return find_or_refuse(store, "Shop")


def test_the_sums_stand_beside_the_figures_and_stay_when_the_file_is_audited_again(store, project):
    before, last = every_snapshot(store, project)
    keep_earned(store, project, before, earned("april.csv", oak=10), replace=True)
    keep_earned(store, project, last, earned("may.csv", oak=7), replace=True)
    save(store, project, audit_of("backlinks"))
    for one in (project,):
        found = history(store, one)
        assert found is not None and list(found.earned) == ["clicks", "impressions"]
        assert found.figures["clicks"].tolist() == [11, 8] and found.figures["impressions"].tolist() == [110, 80]
        assert found.figures["views"].isna().all()
        assert found.figures["domains"].tolist() == [before.figures["domains"], last.figures["domains"]]
    assert ("Clicks", "8", "11", "-3") in client_report(store, project).figures


def test_one_file_belongs_to_one_snapshot(store, project):
    before, last = every_snapshot(store, project)
    keep_earned(store, project, before, earned(), replace=True)
    with pytest.raises(StoreProblem, match=f"is already saved with the snapshot of {before.day}"):
        keep_earned(store, project, last, earned("copy.csv"), replace=True)
    keep_earned(store, project, before, earned("another.csv", oak=1), replace=True)
    assert keep_earned(store, project, last, earned(), replace=True)["clicks"] == 8
    remove(store, last)
    with pytest.raises(StoreProblem, match="deleted in another window"):
        keep_earned(store, project, last, earned("new.csv", oak=3), replace=True)


def test_a_file_of_another_site_is_refused_and_paths_are_the_sites_own(store, project):
    with pytest.raises(
        WrongExport, match="its pages are from other.example, but the project is about longroad.example"
    ):
        keep_earned(
            store, project, every_snapshot(store, project)[0], earned(site="https://other.example"), replace=True
        )
    views = load([("ga4.csv", b"Page path and screen class,Views\n/oak,90\n/elm,10\n(not set),3\n")], "performance")
    assert {"pages": 2, "views": 100}.items() <= earned_of(views, "longroad.example").items()


def test_watch_keeps_them_and_says_what_does_not_fit(store):
    first = watch(store, "Shop", audit_of("older"), WatchLimits(), performance=earned("april.csv", oak=10))
    assert first.snapshot.figures[EARNED_KEY]["clicks"] == 11 and first.notes == ()
    second = watch(store, "Shop", audit_of("backlinks"), WatchLimits(), performance=earned("april.csv", oak=10))
    assert EARNED_KEY not in second.snapshot.figures and "is already saved with the snapshot of" in second.notes[0]
    third = watch(store, "Shop", audit_of("backlinks"), WatchLimits(), performance=earned("may.csv"))
    assert "| Clicks | 8 | 11 | -3 |" in as_markdown(third)


def test_what_is_kept_stays_when_the_same_audit_is_kept_again_with_another_file(store, project):
    watch(store, "Shop", audit_of("backlinks"), WatchLimits(), performance=earned("may.csv"))
    again = watch(store, "Shop", audit_of("backlinks"), WatchLimits(), performance=earned("june.csv", oak=3))
    assert again.snapshot.figures[EARNED_KEY]["file"] == "may.csv"
    assert "already has the clicks and visits of may.csv; june.csv did not replace them" in again.notes[1]
    same = watch(store, "Shop", audit_of("backlinks"), WatchLimits(), performance=earned("may.csv"))
    assert not any("did not replace" in note for note in same.notes)
    keep_earned(store, project, same.snapshot, earned("june.csv", oak=3), replace=True)
    assert every_snapshot(store, project)[-1].figures[EARNED_KEY]["clicks"] == 4


def test_a_snapshot_that_is_deleted_while_it_is_watched_is_a_sentence(store, project, monkeypatch):
    monkeypatch.setattr("backlink_audit.projects.watch.every_snapshot", lambda *_: [])
    with pytest.raises(StoreProblem, match="was deleted in another window"):
        watch(store, "Shop", audit_of("backlinks"), WatchLimits())


def test_a_file_without_clicks_or_visits_is_not_kept():
    linked = load([("linked.csv", f"Target page,Incoming links\n{SHOP}/oak,7\n".encode())], "performance")
    with pytest.raises(WrongExport, match="it has neither clicks nor visits"):
        earned_of(linked, "longroad.example")
