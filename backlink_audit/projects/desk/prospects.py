"""The prospects of a project: whom to ask for a link, kept, and never overwritten by somebody who had not seen it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.prospect_list import FACTS as OF_A_LIST
from backlink_audit.labels import NEW_LINK, OUTREACH_STATES, TO_CONTACT
from backlink_audit.projects.content.projects import Project, lock, now
from backlink_audit.projects.store.connection import Store
from backlink_audit.projects.store.packed import plain
from backlink_audit.projects.store.schema_of_store import PROSPECTS, SNAPSHOTS
from backlink_audit.report.letter_files import LONGEST_ADDRESS, address_of

FACTS = ("referring_domain", *OF_A_LIST)
"""What is kept of a row of a gap or an audit: all that a letter may name, and what the choice was made by."""
LINKS_ALREADY = "links_already"
"""The fact that a site had a live link when it was chosen: no later snapshot can say that it was won."""
_CHANGES = ("state", "contact", "note", "follow_up")
"""What a user changes of a prospect."""
_STATES = frozenset(label.word for label in OUTREACH_STATES)


@dataclass(frozen=True)
class Prospect:
    """One site to ask for a link. `version`: how often it was changed; 0 is not in the store yet."""

    domain: str
    state: str = TO_CONTACT.word
    contact: str = ""
    note: str = ""
    follow_up: date | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    known_until: date | None = None
    """The day of the newest snapshot when it was chosen; only later ones can say that it was won."""
    chosen_at: str = ""
    decided_at: str = ""
    version: int = 0

    @property
    def reason(self) -> str:
        """Why it is asked, one of `labels.OUTREACH_REASONS`."""
        return str(self.facts.get("outreach_reason") or NEW_LINK.word)

    def changed(self, **values: Any) -> "Prospect":
        """Return it with another state (decided now), contact, note or follow-up. Raises InvalidSetting.

        >>> Prospect("a.example").changed(state="won", note="since May").state
        'won'
        """
        decided: dict[str, Any] = {"decided_at": now()} if "state" in values else {}
        one = replace(self, **decided, **values)
        if one.state not in _STATES:
            raise InvalidSetting(f"“{one.state}” is not a valid state; use {', '.join(sorted(_STATES))}.")
        if one.contact and address_of(one.contact) is None:
            shown = one.contact if len(one.contact) <= LONGEST_ADDRESS else f"{one.contact[:60]}…"
            raise InvalidSetting(f"“{shown}” is not an email address; write it like name@site.example.")
        return one


def kept_prospects(store: Store, project: Project) -> dict[str, Prospect]:
    """Return the prospects of a project by domain, in the order in which they were chosen."""
    query = sa.select(PROSPECTS).where(PROSPECTS.c.project_id == project.id).order_by(PROSPECTS.c.id)
    with store.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return {row["domain"]: Prospect(**{name: row[name] for name in Prospect.__dataclass_fields__}) for row in rows}


def choose(store: Store, project: Project, rows: pd.DataFrame, linking: Collection[str] = ()) -> int:
    """Put domains on the desk and return how many were put there.

    Those that are there already stay as they are; those that link to the site already (`linking`) are left out, unless
    they are asked about a link that they have. `rows` has referring_domain, and as many of FACTS as are known.
    """
    facts = rows[[name for name in FACTS if name in rows.columns]]
    if "outreach_reason" in rows.columns:
        facts = facts.assign(**{LINKS_ALREADY: rows["referring_domain"].isin(list(linking))})
    found = {str(domain): values for domain, values in zip(rows["referring_domain"], _plain(facts), strict=True)}
    moment = now()
    with store.writing() as connection:
        lock(connection, project)
        own = PROSPECTS.c.project_id == project.id
        there = set(connection.execute(sa.select(PROSPECTS.c.domain).where(own)).scalars())
        newest = sa.select(sa.func.max(SNAPSHOTS.c.day)).where(SNAPSHOTS.c.project_id == project.id)
        known_until = connection.execute(newest).scalar_one_or_none()
        added = [
            Prospect(
                domain,
                facts=values,
                known_until=known_until,
                chosen_at=moment,
                decided_at=moment,
                version=1,
            )
            for domain, values in found.items()
            if domain and domain not in there and (domain not in linking or values.get(LINKS_ALREADY))
        ]
        if added:
            connection.execute(sa.insert(PROSPECTS), [{"project_id": project.id} | vars(one) for one in added])
    return len(added)


def change(
    store: Store, project: Project, seen: Mapping[str, Prospect], wanted: Mapping[str, Prospect | None]
) -> list[str]:
    """Put these prospects in place of those that were seen (None: take it off the desk); return what was not changed.

    Not changed is what somebody else changed since it was seen, unless to the very same: theirs stays.
    """
    refused = []
    with store.writing() as connection:
        lock(connection, project)
        own = PROSPECTS.c.project_id == project.id
        rows = connection.execute(sa.select(PROSPECTS).where(own)).mappings().all()
        there = {row["domain"]: row for row in rows}
        for domain, one in wanted.items():
            row = there.get(domain)
            if row is None or row["version"] != seen[domain].version:
                same = row is None if one is None else row is not None and _same(one, row)
                refused += [] if same else [domain]
                continue
            here = sa.and_(own, PROSPECTS.c.domain == domain)
            if one is None:
                connection.execute(sa.delete(PROSPECTS).where(here))
            else:
                values = vars(replace(one, version=row["version"] + 1))
                connection.execute(sa.update(PROSPECTS).where(here).values(values))
    return refused


def _same(one: Prospect, row: sa.RowMapping) -> bool:
    return all(getattr(one, name) == row[name] for name in _CHANGES)


def _plain(facts: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): plain(value) for name, value in row.items()} for row in facts.to_dict("records")]
