"""The history of a project states the figures of its snapshots, and what `compare` says of neighbours."""

from datetime import date

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.projects.client_report import client_report
from backlink_audit.projects.history import compare, compare_neighbours, history
from backlink_audit.projects.projects import create, find_or_refuse
from backlink_audit.projects.snapshots import every_snapshot, remove, save, set_day
from backlink_audit.projects.watch import watch
from backlink_audit.report.client import Look, render
from backlink_audit.settings import AuditSettings, WatchLimits
from tests.exported import SEMRUSH, ahrefs_row, exported
from tests.projects.made import as_another_file, audit_of
from tests.toy import ToyEncoder

OLD, NEW = date(2025, 3, 1), date(2025, 11, 20)


@pytest.fixture
def project(store):
    made = create(store, "Shop")
    save(store, made, audit_of("backlinks"), NEW)
    save(store, made, audit_of("older"), OLD)
    return made


def test_each_snapshot_is_a_row_with_its_own_figures_the_oldest_first(store, project):
    found = history(store, project)
    assert found is not None
    assert found.figures["day"].dt.date.tolist() == [OLD, NEW]
    for row, snapshot in zip(found.figures.to_dict("records"), found.snapshots, strict=True):
        assert row["domains"] == snapshot.figures["domains"]
        assert row["risk_share"] == pytest.approx(snapshot.figures["risk_share"])
        assert row["Protect"] == snapshot.figures["verdicts"]["Protect"]
    more = found.snapshots[1].figures["domains"] - found.snapshots[0].figures["domains"]
    assert more and f"{abs(more)} {'more' if more > 0 else 'fewer'} than on {OLD}" in found.headline


def test_what_came_and_went_is_that_of_the_comparison_and_is_kept(store, project):
    first = history(store, project)
    assert first is not None and first.uncompared == 1 and first.figures["links_new"].isna().all()
    assert compare_neighbours(store, first) == 1
    again = history(store, project)
    assert again is not None and again.uncompared == 0
    figures = compare(store, *again.snapshots).figures
    row = again.figures.iloc[-1]
    assert (row["links_new"], row["links_lost"]) == (figures["new_links"], figures["lost_links"])
    assert (row["new_domains"], row["lost_domains"]) == (figures["new_domains"], figures["lost_domains"])
    assert compare_neighbours(store, again) == 0


def test_the_time_before_the_first_snapshot_comes_from_the_dates_in_its_file(store, project):
    found = history(store, project)
    assert found is not None
    links = audit_of("older").scored
    firsts = links.groupby("referring_domain")["first_seen"].min()
    end = found.before["month"].iloc[-1]
    gone = links.groupby("referring_domain").agg(lost=("is_lost", "min"), on=("lost_date", "max"))
    still = ~(gone["lost"] & (gone["on"] <= end))
    assert found.before["domains"].iloc[-1] == int((still & (firsts <= end)).sum())
    assert (found.before["month"].dt.date < OLD).all()


def test_a_file_without_dates_has_no_time_before_and_one_snapshot_nothing_to_compare(store):
    project = create(store, "Plain")
    rows = [ahrefs_row(f"https://a{number}.example/", first_seen="", last_seen="") for number in range(3)]
    save(store, project, audit_backlinks(exported(*rows), AuditSettings(), ToyEncoder()), NEW)
    found = history(store, project)
    assert found is not None
    assert found.before.empty and found.uncompared == 0
    assert "One snapshot: 3 referring domains" in found.headline


def test_ratings_of_two_tools_are_not_compared_anywhere(store):
    semrush = exported(*(SEMRUSH | {"Source url": f"https://a{n}.example/"} for n in range(3)), base=SEMRUSH)
    ahrefs = exported(*(ahrefs_row(f"https://a{n}.example/") for n in range(3)))
    for day, export in ((OLD, semrush), (NEW, ahrefs)):
        watched = watch(store, "Shop", audit_backlinks(export, AuditSettings(), ToyEncoder()), WatchLimits(), day)
    said = "Median DR and mean CAS cannot be compared: the previous snapshot has ratings by Page ascore."
    assert said in watched.notes
    project = find_or_refuse(store, "Shop")
    report = client_report(store, project)
    assert report.not_compared == said and ("Median DR", "40", "–", "") in report.figures
    assert said in render(report, Look()).decode()
    found = history(store, project)
    assert found is not None and found.figures["authority_name"].tolist() == ["Page ascore", "DR"]


def test_a_day_set_right_moves_the_snapshot_and_a_deleted_one_is_gone(store, project):
    older, newer = every_snapshot(store, project)
    set_day(store, older, date(2025, 12, 1))
    assert [one.id for one in every_snapshot(store, project)] == [newer.id, older.id]
    remove(store, newer)
    found = history(store, project)
    assert found is not None and found.headline.startswith("One snapshot: ")
    assert found.uncompared == 0


def test_a_project_without_a_snapshot_has_no_history(store):
    assert history(store, create(store, "Shop")) is None


def test_neighbours_of_another_project_are_not_mixed_in(store, project):
    other = create(store, "Other")
    for role in ("older", "backlinks"):
        save(store, other, as_another_file(audit_of(role), f"{role}.csv"))
    there = history(store, other)
    assert there is not None
    compare_neighbours(store, there)
    here = history(store, project)
    assert here is not None and here.uncompared == 1
