"""Projects are made, found, renamed, put aside and deleted with all that belongs to them."""

import re
from dataclasses import replace

import pytest
import sqlalchemy as sa

from backlink_audit.errors import StoreProblem
from backlink_audit.projects import projects
from backlink_audit.projects.snapshots import save
from backlink_audit.projects.store import PROJECTS, SNAPSHOT_LINKS, SNAPSHOTS
from tests.projects.made import audit_of


def test_a_project_is_found_by_its_name_and_by_its_address(store):
    made = projects.create(store, "  Long   Road ")
    assert (made.name, made.key) == ("Long Road", "long-road")
    assert projects.find(store, "long road") == projects.find(store, "long-road") == made


def test_two_projects_of_one_name_are_refused_and_of_two_users_are_not(store):
    projects.create(store, "Shop")
    with pytest.raises(StoreProblem, match="“shop” already"):
        projects.create(store, "shop")
    assert projects.create(store, "Shop", owner="me@example.org").owner == "me@example.org"
    assert len(projects.every_project(store)) == 1


def test_a_renamed_project_goes_by_its_new_name_alone(store):
    made = projects.create(store, "Shop")
    projects.create(store, "Other")
    assert projects.rename(store, made, "Our shop").key == "our-shop"
    assert projects.find(store, "Shop") is None
    with pytest.raises(StoreProblem, match="already"):
        projects.rename(store, made, "Other")


def test_what_is_put_aside_comes_last_and_can_be_taken_back(store):
    first, _ = projects.create(store, "A"), projects.create(store, "B")
    projects.archive(store, first)
    assert [(one.name, one.is_archived) for one in projects.every_project(store)] == [("B", False), ("A", True)]
    assert not projects.archive(store, first, aside=False).is_archived


def test_a_deleted_project_leaves_nothing_behind(store):
    made = projects.create(store, "Shop")
    save(store, made, audit_of("older"))
    assert projects.snapshot_counts(store) == {made.id: 1}
    projects.delete(store, made)
    with store.reading() as connection:
        for table in (SNAPSHOTS, SNAPSHOT_LINKS):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0
    with pytest.raises(StoreProblem, match="deleted in another window"):
        save(store, made, audit_of("older"))


def test_the_number_of_what_was_deleted_is_never_given_out_again(store):
    made = projects.create(store, "Shop")
    snapshot, _ = save(store, made, audit_of("older"))
    projects.delete(store, made)
    other = projects.create(store, "Shop")
    assert other.id != made.id and save(store, other, audit_of("older"))[0].id != snapshot.id
    assert projects.current_state(store, made) is None


def test_a_project_of_the_same_number_is_not_taken_for_it(store):
    mine = projects.create(store, "Shop")
    for other in (replace(mine, owner="me@example.org"), replace(mine, created_at="2020-01-01T00:00:00+00:00")):
        assert projects.current_state(store, other) is None
        for change in (
            lambda other=other: save(store, other, audit_of("older")),
            lambda other=other: projects.rename(store, other, "Other"),
            lambda other=other: projects.archive(store, other),
        ):
            with pytest.raises(StoreProblem, match="deleted in another window"):
                change()
        projects.delete(store, other)
    assert projects.every_project(store) == [mine]


def test_a_project_is_found_again_under_its_new_name(store):
    made = projects.create(store, "Shop")
    projects.rename(store, made, "Our shop")
    again = projects.current_state(store, made)
    assert again is not None and (again.id, again.key) == (made.id, "our-shop")


@pytest.mark.parametrize("name", ["", "   ", "x" * 201])
def test_a_name_that_is_none_is_refused(store, name):
    with pytest.raises(StoreProblem):
        projects.create(store, name)


LONG = "The whole shop of the long road, with all of its markets and languages and brands, every one"
"""Longer than an address has room for."""


def test_names_that_differ_only_at_their_end_are_two_projects(store):
    one, other = projects.create(store, f"{LONG} north"), projects.create(store, f"{LONG} south")
    assert one.key != other.key and max(len(one.key), len(other.key)) <= 80
    assert projects.find(store, f"{LONG} SOUTH") == projects.find(store, other.key) == other
    with pytest.raises(StoreProblem, match="already exists"):
        projects.create(store, f"{LONG} north")


def test_a_long_name_of_a_former_version_is_found_and_not_made_twice(store):
    made = projects.create(store, LONG)
    with store.writing() as connection:  # as it was once: the first 80 letters alone
        former = sa.update(PROJECTS).where(PROJECTS.c.id == made.id)
        connection.execute(former.values(key=re.sub("[^a-z]+", "-", LONG.lower())[:80]))
    found = projects.find(store, LONG)
    assert found is not None and found.id == made.id
    with pytest.raises(StoreProblem, match="already exists"):
        projects.create(store, LONG)
