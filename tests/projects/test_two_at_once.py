"""Two windows that write at the same moment: one after the other, and neither is refused."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
import sqlalchemy as sa

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.history import compare, kept_figures
from backlink_audit.projects.project_files import keep_widgets, kept_widgets, replace_files
from backlink_audit.projects.projects import create, delete
from backlink_audit.projects.snapshots import every_snapshot, remove, save
from backlink_audit.projects.store import DECISIONS, FILES
from tests.projects.made import audit_of


def at_once(*works, times=10):
    """Do each of these so many times, all beginning together; raises what any of them raised."""
    start = Barrier(len(works))

    def repeat(work):
        for _ in range(times):
            start.wait(60)
            work()

    with ThreadPoolExecutor(len(works)) as threads:
        for done in [threads.submit(repeat, work) for work in works]:
            done.result()


def test_what_is_kept_of_the_pages_and_files(store):
    project = create(store, "Shop")
    at_once(*(lambda number=number: keep_widgets(store, project, {"a:b": number}) for number in (1, 2)))
    assert kept_widgets(store, project)["a:b"] in (1, 2)
    at_once(*(lambda name=name: replace_files(store, project, {"backlinks": [(name, b"x")]}) for name in ("a", "b")))
    at_once(*(lambda name=name: replace_files(store, project, {"backlinks": [(name, b"x")]}) for name in ("a", "b")))
    with store.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(FILES)).scalar_one() == 1


def test_a_comparison(store):
    project = create(store, "Shop")
    for role, day in (("older", date(2025, 3, 1)), ("backlinks", date(2025, 11, 20))):
        save(store, project, audit_of(role), day)
    older, newer = every_snapshot(store, project)
    at_once(lambda: compare(store, older, newer), lambda: compare(store, older, newer), times=3)
    assert list(kept_figures(store, project)) == [(older.id, newer.id)]


def test_a_comparison_with_a_snapshot_that_goes_meanwhile_is_a_sentence(store, monkeypatch):
    project = create(store, "Shop")
    for role in ("older", "backlinks"):
        save(store, project, audit_of(role))
    older, newer = every_snapshot(store, project)
    monkeypatch.setattr("backlink_audit.projects.history.compare_links", gone(store, older))
    with pytest.raises(StoreProblem, match="snapshots was deleted in another window"):
        compare(store, older, newer)


def gone(store, snapshot):
    """What compares links, after somebody has deleted a snapshot."""
    from backlink_audit.changes.links import compare_links

    def work(*arguments):
        remove(store, snapshot)
        return compare_links(*arguments)

    return work


@pytest.mark.parametrize("keep", [replace_files, keep_widgets])
def test_a_project_that_was_deleted_is_a_sentence(store, keep):
    project = create(store, "Shop")
    delete(store, project)
    with pytest.raises(StoreProblem, match="“Shop” was deleted in another window"):
        keep(store, project, {"backlinks": [("a.csv", b"x")]})


def test_a_project_is_exported_as_it_was_at_one_moment(store):
    project = create(store, "Shop")
    values = {"scope": "domain", "item": "a", "state": "keep", "note": "", "decided_at": "", "version": 1}
    count = sa.select(sa.func.count()).select_from(DECISIONS)
    with store.reading(one_moment=True) as reader:
        assert reader.execute(count).scalar_one() == 0
        if reader.dialect.name == "postgresql":  # SQLite lets nobody write meanwhile
            with store.writing() as writer:
                writer.execute(sa.insert(DECISIONS).values(values | {"project_id": project.id, "key": "a"}))
        assert reader.execute(count).scalar_one() == 0
