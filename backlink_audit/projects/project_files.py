"""What else a project keeps: the files that are loaded, the disavow file, and where a visitor was on each page."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from backlink_audit.audit.result import Audit
from backlink_audit.audit.tasks import redirect_columns
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.actions import words_around
from backlink_audit.projects.projects import Project, lock
from backlink_audit.projects.snapshots import every_snapshot, scored_links
from backlink_audit.projects.store import FILES, PAGE_STATES, Store, pack_bytes, unpack_bytes, unpacking
from backlink_audit.risk.disavow import NO_FILE
from backlink_audit.risk.disavow_file import DisavowFile, parse_disavow_file

Files = Sequence[tuple[str, bytes]]
NamedFile = tuple[str, DisavowFile]  # A disavow file with its name
NO_MAPPINGS: Mapping[str, Mapping[str, str]] = MappingProxyType({})
NO_NAMED_FILE: NamedFile = ("", NO_FILE)
WIDGETS = "widgets"
CHECKS = "link checks"  # the role of the link checks that are kept by their day (`content.checks`)
DISAVOW = "disavow"
"""The role of the disavow file that Google has: kept beside the files that are loaded, whatever happens to those."""


def replace_files(
    store: Store, project: Project, roles: Mapping[str, Files], mappings: Mapping[str, Mapping[str, str]] = NO_MAPPINGS
) -> None:
    """Keep these files, by role, in place of those of the same roles; others stay. Raises StoreProblem."""
    rows = [
        {"project_id": project.id, "role": role, "place": place, "name": name}
        | {"mapping": dict(mappings.get(role, {})), "data": pack_bytes(data)}
        for role, files in roles.items()
        for place, (name, data) in enumerate(files)
    ]
    with store.writing() as connection:
        lock(connection, project)
        connection.execute(sa.delete(FILES).where(FILES.c.project_id == project.id, FILES.c.role.in_(roles)))
        if rows:
            connection.execute(sa.insert(FILES), rows)


def kept_files(store: Store, project: Project) -> dict[str, list[tuple[str, bytes]]]:
    """Return the files of a project by role, in their order."""
    own = sa.and_(FILES.c.project_id == project.id, FILES.c.role.not_in([DISAVOW, CHECKS]))
    query = sa.select(FILES).where(own).order_by(FILES.c.role, FILES.c.place)
    found: dict[str, list[tuple[str, bytes]]] = {}
    with store.reading() as connection, unpacking(store.name):
        for row in connection.execute(query).mappings():
            found.setdefault(row["role"], []).append((row["name"], unpack_bytes(row["data"])))
    return found


def kept_mappings(store: Store, project: Project) -> dict[str, dict[str, str]]:
    """Return by role which header was chosen by hand for which of our columns; only roles where any was."""
    query = sa.select(FILES.c.role, FILES.c.mapping).where(FILES.c.project_id == project.id)
    with store.reading() as connection:
        return {role: dict(mapping) for role, mapping in connection.execute(query) if mapping}


def keep_disavow_file(store: Store, project: Project, seen: NamedFile, new: NamedFile) -> NamedFile:
    """Keep the disavow file that Google has now, none where it has no lines; return the one that is kept then.

    `seen`: the one that was known when it was replaced. Another one is there only where somebody else put it there
    meanwhile: it stays, and is returned.
    """
    own = sa.and_(FILES.c.project_id == project.id, FILES.c.role == DISAVOW)
    name, file = new
    with store.writing() as connection:
        lock(connection, project)
        with unpacking(store.name):
            there = _disavow_file(connection, project)
        if _as_kept(there) not in (_as_kept(seen), _as_kept(new)):
            return there
        connection.execute(sa.delete(FILES).where(own))
        if file.lines:
            row = {"project_id": project.id, "role": DISAVOW, "place": 0, "name": name, "mapping": {}}
            data = pack_bytes(file.text.encode("utf-8", "replace"))
            connection.execute(sa.insert(FILES).values(row | {"data": data}))
    return new


def kept_disavow_file(store: Store, project: Project) -> NamedFile:
    """Return the disavow file that Google has, by its name; "" and no line where none is kept."""
    with store.reading() as connection, unpacking(store.name):
        return _disavow_file(connection, project)


def keep_widgets(store: Store, project: Project, values: Mapping[str, Any]) -> None:
    """Keep what a visitor chose and typed, by the keys of widgets, beside that of others. Raises StoreProblem."""
    own = sa.and_(PAGE_STATES.c.project_id == project.id, PAGE_STATES.c.name == WIDGETS)
    with store.writing() as connection:
        lock(connection, project)
        former = connection.execute(sa.select(PAGE_STATES.c.value).where(own)).scalar_one_or_none() or {}
        connection.execute(sa.delete(PAGE_STATES).where(own))
        row = {"project_id": project.id, "name": WIDGETS, "value": {**former, **values}}
        connection.execute(sa.insert(PAGE_STATES).values(row))


def kept_widgets(store: Store, project: Project) -> dict[str, Any]:
    """Return what a visitor chose and typed; empty where nothing is kept."""
    own = sa.and_(PAGE_STATES.c.project_id == project.id, PAGE_STATES.c.name == WIDGETS)
    with store.reading() as connection:
        return dict(connection.execute(sa.select(PAGE_STATES.c.value).where(own)).scalar_one_or_none() or {})


def _disavow_file(connection: sa.Connection, project: Project) -> NamedFile:
    own = sa.and_(FILES.c.project_id == project.id, FILES.c.role == DISAVOW)
    row = connection.execute(sa.select(FILES.c.name, FILES.c.data).where(own)).mappings().first()
    return NO_NAMED_FILE if row is None else (row["name"], parse_disavow_file(unpack_bytes(row["data"]), row["name"]))


def _as_kept(named: NamedFile) -> tuple[str, str]:
    name, file = named
    return (name, file.text) if file.lines else ("", "")


def kept_audit(store: Store, project: Project, export: Export) -> Audit | None:
    """Return the audit that a project keeps of an export; None where it has none of that very file."""
    for snapshot in reversed(every_snapshot(store, project)):
        if snapshot.fingerprint == export.fingerprint:
            cleaned = clean_backlinks(export, snapshot.settings.filters)
            links, origin = scored_links(store, snapshot).links, snapshot.origin
            if "over_redirect" not in links:  # of a snapshot older than that column
                chains = cleaned.table.loc[links.index]
                links = links.assign(redirect_codes=chains["redirect_codes"], **redirect_columns(chains))
            if "own_site" not in links:  # likewise
                links = links.assign(own_site="", words_around=words_around(cleaned.table.loc[links.index]))
            made_at = datetime.fromisoformat(snapshot.audited_at).astimezone()
            return Audit(links, snapshot.settings, cleaned, origin["model"], origin["device"], made_at)
    return None
