"""Projects: one site's work each, made, found, renamed, archived and deleted; and what was decided in them."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

import regex
import sqlalchemy as sa

from backlink_audit.errors import StoreProblem
from backlink_audit.labels import STATES, UNDECIDED
from backlink_audit.projects.store import DECISIONS, PROJECTS, SNAPSHOTS, Store
from backlink_audit.risk.review import Decision, Review
from backlink_audit.risk.review import key_of as row_key

LONGEST_NAME = 200
LONGEST_KEY = 80  # letters of the store's column
NOBODY = ""  # the owner of projects on one's own machine
Key = tuple[str, str]  # the scope (domain or URL) and what an item is found by
_MARKS = 500  # items asked for in one query
_LONGEST_KEY = 2_000  # bytes. The index of a PostgreSQL server has no room for more than 2,704
_BEGINNING = 500  # letters of a longer key that are kept, before its checksum


@dataclass(frozen=True)
class Project:
    """One site's work. `key` is its name in an address; `site` is "" before the first snapshot."""

    id: int
    key: str
    name: str
    site: str
    owner: str
    created_at: str
    archived_at: str | None

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None


def now() -> str:
    """Return this moment as the store writes it.

    >>> len(now())
    25
    """
    return datetime.now(UTC).isoformat(timespec="seconds")


def key_of(name: str) -> str:
    """Return what a project is called in an address: small letters, digits and hyphens.

    One that is too long for the store ends in its hash, so that names that differ have keys that differ.

    >>> key_of("Long Road & Söhne"), key_of("Ελλάδα"), key_of("***")
    ('long-road-söhne', 'ελλάδα', 'project')
    >>> key_of("x" * 81 + " (2)")[-10:], len(key_of("x" * 81 + " (2)"))
    ('x-9644b76e', 80)
    """
    letters = unicodedata.normalize("NFKC", name).casefold()
    whole = regex.sub(r"[^\p{L}\p{M}\p{N}]+", "-", letters).strip("-") or "project"
    if len(whole) <= LONGEST_KEY:
        return whole
    ending = sha256(whole.encode()).hexdigest()[:8]
    return f"{whole[: LONGEST_KEY - len(ending) - 1]}-{ending}"


def create(store: Store, name: str, owner: str = NOBODY) -> Project:
    """Make a project. Raises StoreProblem where there is one of that name, or the name is none."""
    with store.writing() as connection:
        return create_within(connection, name, owner)


def create_within(connection: sa.Connection, name: str, owner: str) -> Project:
    """Make a project in a transaction that is under way. Raises StoreProblem as `create` does."""
    name = checked_name(name)
    if _row(connection, name, owner) is not None:
        raise StoreProblem(f"A project named “{name}” already exists; choose another name, or open that project.")
    values = {"owner": owner, "key": key_of(name), "name": name, "site": "", "settings": {}, "created_at": now()}
    connection.execute(sa.insert(PROJECTS).values(values))
    row = _row(connection, name, owner)
    assert row is not None
    return _project(row)


def find(store: Store, name: str, owner: str = NOBODY) -> Project | None:
    """Return the project of that name or key, or None."""
    with store.reading() as connection:
        row = _row(connection, name, owner)
    return None if row is None else _project(row)


def find_or_refuse(store: Store, name: str, owner: str = NOBODY) -> Project:
    """Return the project of that name. Raises StoreProblem that names those there are."""
    found = find(store, name, owner)
    if found is None:
        names = ", ".join(f"“{one.name}”" for one in every_project(store, owner)) or "none yet"
        raise StoreProblem(f"There is no project “{name}” in {store.name}. Existing projects: {names}.")
    return found


def every_project(store: Store, owner: str = NOBODY) -> list[Project]:
    """Return all projects of a user by name, those put aside last."""
    with store.reading() as connection:
        query = sa.select(PROJECTS).where(PROJECTS.c.owner == owner)
        found = [_project(row) for row in connection.execute(query).mappings()]
    return sorted(found, key=lambda one: (one.is_archived, one.name.casefold()))


def rename(store: Store, project: Project, name: str) -> Project:
    """Give a project another name, and with it another address. Raises StoreProblem where that is taken."""
    name = checked_name(name)
    with store.writing() as connection:
        other = _row(connection, name, project.owner)
        if other is not None and other["id"] != project.id:
            raise StoreProblem(f"A project named “{name}” already exists; choose another name.")
        return _changed(connection, project, name=name, key=key_of(name))


def archive(store: Store, project: Project, aside: bool = True) -> Project:
    """Put a project aside, or take it back."""
    with store.writing() as connection:
        return _changed(connection, project, archived_at=now() if aside else None)


def delete(store: Store, project: Project) -> None:
    """Delete a project with all that belongs to it: snapshots, decisions, files."""
    with store.writing() as connection:
        connection.execute(sa.delete(PROJECTS).where(_same(project)))


def current_state(store: Store, project: Project) -> Project | None:
    """Return a project as it is now, perhaps under another name; None where it was deleted."""
    with store.reading() as connection:
        row = connection.execute(sa.select(PROJECTS).where(_same(project))).mappings().first()
    return None if row is None else _project(row)


def lock(connection: sa.Connection, project: Project) -> None:
    """Let nobody else change this project until the transaction ends. Raises StoreProblem where it was deleted."""
    own = sa.select(PROJECTS.c.id).where(_same(project))
    if connection.dialect.name == "postgresql":
        own = own.with_for_update()
    if connection.execute(own).first() is None:
        raise StoreProblem(f"The project “{project.name}” was deleted in another window; nothing was saved.")


def snapshot_counts(store: Store, owner: str = NOBODY) -> dict[int, int]:
    """Return how many snapshots each project has, by its id."""
    query = sa.select(SNAPSHOTS.c.project_id, sa.func.count()).group_by(SNAPSHOTS.c.project_id)
    query = query.join(PROJECTS, PROJECTS.c.id == SNAPSHOTS.c.project_id).where(PROJECTS.c.owner == owner)
    with store.reading() as connection:
        return {int(project): int(number) for project, number in connection.execute(query)}


def checked_name(name: str) -> str:
    """Return the name without needless blanks. Raises StoreProblem where it is none, or too long."""
    name = " ".join(name.split())
    if not name:
        raise StoreProblem("A project needs a name.")
    if len(name) > LONGEST_NAME:
        raise StoreProblem(f"A project name can have at most {LONGEST_NAME} characters; this one has {len(name)}.")
    return name


def _changed(connection: sa.Connection, project: Project, **values: Any) -> Project:
    lock(connection, project)
    connection.execute(sa.update(PROJECTS).where(_same(project)).values(values))
    return _project(connection.execute(sa.select(PROJECTS).where(_same(project))).mappings().one())


def _same(project: Project) -> sa.ColumnElement[bool]:
    return sa.and_(
        PROJECTS.c.id == project.id, PROJECTS.c.owner == project.owner, PROJECTS.c.created_at == project.created_at
    )


def _row(connection: sa.Connection, name: str, owner: str) -> sa.RowMapping | None:
    key = PROJECTS.c.key == key_of(name)
    query = sa.select(PROJECTS).where(PROJECTS.c.owner == owner, sa.or_(key, PROJECTS.c.name == name))
    return connection.execute(query.order_by(sa.desc(key))).mappings().first()


def _project(row: sa.RowMapping) -> Project:
    names = ("id", "key", "name", "site", "owner", "created_at", "archived_at")
    return Project(**{name: row[name] for name in names})


@dataclass(frozen=True)
class KeptReview:
    """The review as the store has it, and how often each item was decided: what was seen when it was read."""

    review: Review
    versions: Mapping[Key, int]


def kept_review(store: Store, project: Project) -> KeptReview:
    """Return what was decided in a project."""
    query = sa.select(DECISIONS).where(DECISIONS.c.project_id == project.id).order_by(DECISIONS.c.id)
    with store.reading() as connection:
        rows = connection.execute(query).mappings().all()
    found = {(row["scope"], _own_key(row)): row for row in rows}
    decisions = {
        key: Decision(row["item"], row["state"], row["note"])
        for key, row in found.items()
        if row["state"] != UNDECIDED.word or row["note"]
    }
    return KeptReview(Review(decisions), {key: row["version"] for key, row in found.items()})


def decided_since(store: Store, project: Project, day: date | None) -> dict[str, int]:
    """Return how many domains and URLs got which state on that day or later, in the order of the states; None: ever."""
    query = sa.select(DECISIONS.c.state, DECISIONS.c.decided_at).where(DECISIONS.c.project_id == project.id)
    with store.reading() as connection:
        rows = connection.execute(query).all()
    states = [state for state, moment in rows if day is None or str(moment) >= day.isoformat()]
    return {label.word: states.count(label.word) for label in STATES if label is not UNDECIDED}


def stored_key(key: str) -> str:
    """Return what an item is found by in the store: its key, or of a very long one the beginning and a checksum.

    >>> stored_key("a.example/b"), len(stored_key("a.example/" + "b" * 9000))
    ('a.example/b', 565)
    """
    data = key.encode("utf-8", "replace")
    return key if len(data) <= _LONGEST_KEY else f"{key[:_BEGINNING]}#{sha256(data).hexdigest()}"


def _own_key(row: sa.RowMapping) -> str:
    key = str(row["key"])
    return row_key(row["scope"], row["item"]) if len(key) == len(stored_key("x" * (_LONGEST_KEY + 1))) else key


def keep_review(store: Store, project: Project, seen: KeptReview, review: Review) -> tuple[KeptReview, list[Key]]:
    """Keep what `review` decides otherwise than what was seen; return the review as it is then, and what is not kept.

    Not kept is what somebody else decided since it was seen, and otherwise: their decision stays.
    """
    changed = {
        key: review.decisions[key] if key in review.decisions else _undecided(key, seen)
        for key in seen.review.decisions.keys() | review.decisions.keys()
        if review.decisions.get(key) != seen.review.decisions.get(key)
    }
    with store.writing() as connection:
        there = _versions(connection, project)
        stored = {(scope, key): (scope, stored_key(key)) for scope, key in changed}
        elsewhere = [key for key in changed if there.get(stored[key], 0) != seen.versions.get(key, 0)]
        moment = now()
        rows = [
            {
                "project_id": project.id,
                "scope": key[0],
                "key": stored[key][1],
                "item": one.item,
                "state": one.state,
                "note": one.note,
                "decided_at": moment,
                "version": there.get(stored[key], 0) + 1,
            }
            for key, one in changed.items()
            if key not in elsewhere
        ]
        _write(connection, rows)
    kept = kept_review(store, project)
    lost = [key for key in elsewhere if kept.review.decisions.get(key) != review.decisions.get(key)]
    return kept, lost


def _undecided(key: Key, seen: KeptReview) -> Decision:
    return Decision(seen.review.decisions[key].item, UNDECIDED.word)


def _versions(connection: sa.Connection, project: Project) -> dict[Key, int]:
    lock(connection, project)
    query = sa.select(DECISIONS.c.scope, DECISIONS.c.key, DECISIONS.c.version)
    found = connection.execute(query.where(DECISIONS.c.project_id == project.id))
    return {(scope, key): int(version) for scope, key, version in found}


def _write(connection: sa.Connection, rows: list[dict[str, object]]) -> None:
    if not rows:
        return
    for start in range(0, len(rows), _MARKS):
        part = rows[start : start + _MARKS]
        for scope in ("domain", "URL"):
            keys = [row["key"] for row in part if row["scope"] == scope]
            same = sa.and_(
                DECISIONS.c.project_id == part[0]["project_id"], DECISIONS.c.scope == scope, DECISIONS.c.key.in_(keys)
            )
            connection.execute(sa.delete(DECISIONS).where(same))
    connection.execute(sa.insert(DECISIONS), rows)
