"""A snapshot has every link as it was scored, once for each file, under the day of its export."""

from datetime import date

import pandas as pd
import pytest
import sqlalchemy as sa

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.errors import StoreProblem
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.projects.projects import create, find
from backlink_audit.projects.snapshots import before, day_of, every_row, every_snapshot, other_site, save, scored_links
from backlink_audit.projects.store import SNAPSHOT_LINKS
from backlink_audit.settings import AuditSettings, BacklinkFilters, LinkChoice, VerdictLimits
from tests.backlinks import clean_links
from tests.exported import AHREFS, ahrefs_row, exported
from tests.projects.made import as_another_file, audit_of
from tests.toy import ToyEncoder


def audited(*rows, name="links.csv", settings=AuditSettings()):  # noqa: B008 (frozen)
    return as_another_file(audit_backlinks(exported(*rows), settings, ToyEncoder()), name)


def test_the_links_come_back_as_they_were_scored(store):
    audit, project = audit_of("backlinks"), create(store, "Shop")
    snapshot, _ = save(store, project, audit)
    again = scored_links(store, snapshot)
    pd.testing.assert_frame_equal(again.links, audit.scored)
    assert again.chosen(LinkChoice()).headline == audit.chosen(LinkChoice()).headline
    assert snapshot.settings == audit.settings


def test_rows_that_a_filter_set_aside_are_kept_too(store):
    rows = [ahrefs_row("https://a.example/"), ahrefs_row("https://a.example/"), ahrefs_row("ftp://b.example/")]
    audit = audited(*rows)
    snapshot, _ = save(store, create(store, "Shop"), audit)
    kept = every_row(store, snapshot, scored_links(store, snapshot))
    every = clean_backlinks(audit.cleaned.export, BacklinkFilters.none()).table
    pd.testing.assert_frame_equal(kept[list(every.columns)], every)


def test_the_figures_are_those_of_the_audit(store):
    audit = audit_of("backlinks").chosen(LinkChoice())
    snapshot, _ = save(store, create(store, "Shop"), audit)
    figures = snapshot.figures
    assert (figures["links"], figures["domains"]) == (audit.backlinks, audit.domains)
    assert figures["share_relevant"] == pytest.approx(audit.share_relevant)
    live = audit.verdict_counts.to_dict()  # only Reclaim speaks of lost links too
    assert {word: n for word, n in figures["verdicts"].items() if n} == live | {"Reclaim": audit.to_reclaim}
    project = find(store, "Shop")
    assert project and project.site == "longroad.example"


def test_the_same_file_is_one_snapshot_with_its_last_audit(store):
    project = create(store, "Shop")
    strict = AuditSettings(verdicts=VerdictLimits(review_signals=1, strong_from=(("DR", 60.0),)))
    save(store, project, audited(ahrefs_row("https://a.example/")))
    snapshot, notes = save(store, project, audited(ahrefs_row("https://a.example/"), settings=strict))
    assert len(every_snapshot(store, project)) == 1
    assert snapshot.settings == strict
    assert "is already saved" in notes[0]


def test_a_snapshot_of_another_site_is_refused(store):
    project = create(store, "Shop")
    save(store, project, audited(ahrefs_row("https://a.example/")))
    other = audited(ahrefs_row("https://a.example/", target_url="https://their-site.com/"), name="theirs.csv")
    with pytest.raises(StoreProblem, match="theirs.csv: its 1 link point to their-site.com, but .* about our-site.com"):
        save(store, project, other)
    assert len(every_snapshot(store, project)) == 1


def test_snapshots_stand_in_the_order_of_their_days(store):
    project = create(store, "Shop")
    for name in ("links-2025-06-01.csv", "links-2025-01-31.csv", "links-2025-09-09.csv"):
        save(store, project, audited(ahrefs_row("https://a.example/"), name=name))
    found = every_snapshot(store, project)
    assert [str(one.day) for one in found] == ["2025-01-31", "2025-06-01", "2025-09-09"]
    assert before(found, found[0]) is None and before(found, found[2]) == found[1]


def test_a_newer_file_without_the_newest_rows_is_not_put_before_the_last_one(store):
    project, rows = create(store, "Shop"), AHREFS
    first, _ = save(store, project, audited(ahrefs_row("https://a.example/"), name="a.csv"))
    gone, _ = save(store, project, audited(ahrefs_row("https://b.example/", last_seen="2024-05-20"), name="b.csv"))
    old, _ = save(store, project, audited(ahrefs_row("https://c.example/", last_seen="2024-03-01"), name="c.csv"))
    assert rows["Last seen"].startswith(str(first.day))
    assert gone.day == first.day
    assert str(old.day) == "2024-03-01"
    assert [one.origin["file"] for one in every_snapshot(store, project)] == ["c.csv", "a.csv", "b.csv"]


TODAY = date(2025, 6, 1)


@pytest.mark.parametrize(
    ("name", "last_seen", "day", "source", "noted"),
    [
        ("site_2025-05-03.csv", "2025-05-01", "2025-05-03", "file name", False),
        ("site.csv", "2025-05-01", "2025-05-01", "newest date", False),
        ("site.csv", None, "2025-06-01", "today", True),
        ("site_2031-05-03.csv", "2025-05-01", "2025-05-01", "newest date", True),
        ("site.csv", "2031-05-01", "2025-06-01", "today", True),
    ],
)
def test_the_day_is_taken_from_the_name_the_rows_or_the_calendar(name, last_seen, day, source, noted):
    found = day_of([name], clean_links(last_seen=[pd.Timestamp(last_seen)]), TODAY)
    assert (str(found.day), found.source, bool(found.note)) == (day, source, noted)


def test_links_to_another_site_than_the_projects_are_named(store):
    project = create(store, "Shop")
    export = audit_of("backlinks").cleaned.export
    assert other_site(project, export) == "", "a project has no site before its first snapshot"
    save(store, project, audit_of("backlinks"))
    kept = find(store, "Shop")
    assert kept and other_site(kept, export) == ""
    assert other_site(kept, exported(ahrefs_row("https://a.example/"))) == "our-site.com"


def test_a_snapshot_whose_links_are_gone_says_to_load_its_file_again(store):
    project = create(store, "Shop")
    snapshot, _ = save(store, project, audit_of("backlinks"))
    with store.writing() as connection:
        connection.execute(sa.delete(SNAPSHOT_LINKS))
    with pytest.raises(StoreProblem, match="is no longer in .*; load its file again"):
        scored_links(store, snapshot)
