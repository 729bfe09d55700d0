"""Decisions that last: the review of a project, kept by item, and never overwritten by somebody who had not seen it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

import sqlalchemy as sa

from backlink_audit.labels import STATES, UNDECIDED
from backlink_audit.projects.projects import Project, lock, now
from backlink_audit.projects.store import Store
from backlink_audit.projects.store_tables import DECISIONS
from backlink_audit.risk.review import Decision, Review, key_of

Key = tuple[str, str]  # the scope (domain or URL) and what an item is found by
_MARKS = 500  # items asked for in one query
_LONGEST_KEY = 2_000  # bytes. The index of a PostgreSQL server has no room for more than 2,704
_BEGINNING = 500  # letters of a longer key that are kept, before its checksum


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
    return key_of(row["scope"], row["item"]) if len(key) == len(stored_key("x" * (_LONGEST_KEY + 1))) else key


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
    """Put the decisions in place of the former ones on the same items."""
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
