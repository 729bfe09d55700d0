"""A project as one file, to take to another machine: a zip of plain data (project.json) and of its binary parts.

What is read may come from a stranger: a child process looks through it first (`one_file_child`), and nothing in it is
run.
"""

import json
import zipfile
import zlib
from collections.abc import Mapping
from datetime import date
from io import BytesIO
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from backlink_audit import limited_child
from backlink_audit.errors import FileProblem, UnreadableFile
from backlink_audit.projects import one_file_child
from backlink_audit.projects.decisions import stored_key
from backlink_audit.projects.import_checks import (
    check_decision,
    check_file,
    check_moves,
    check_page_state,
    check_prospect,
    check_snapshot,
)
from backlink_audit.projects.one_file_child import DATA
from backlink_audit.projects.project_files import DISAVOW
from backlink_audit.projects.projects import LONGEST_NAME, Project, create_within, find_or_refuse, key_of
from backlink_audit.projects.store import Store, unpacking
from backlink_audit.projects.store_tables import (
    COMPARISONS,
    DECISIONS,
    FILES,
    PAGE_STATES,
    PROJECTS,
    PROSPECTS,
    SNAPSHOT_LINKS,
    SNAPSHOTS,
    pack_bytes,
    unpack_bytes,
)
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.review import key_of as key_of_item

SUFFIX = ".backlinks.zip"
FORMAT = 2
"""1: without the outreach desk. An app that knows 1 alone refuses 2, so that no prospect is lost unseen."""

NO_PROJECT = "it is not a project file of this app, or it is damaged; export it again."
TOO_LARGE = "it unpacks to more than a project can have; export it again, with fewer snapshots or files."

_OF_PROJECT = (SNAPSHOTS, DECISIONS, PROSPECTS, FILES, PAGE_STATES)
_NOT_TAKEN = frozenset({"id", "project_id", "data"})
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)
_WRONG = (KeyError, TypeError, ValueError, AttributeError, OverflowError, sa.exc.StatementError)
"""What taking apart raises where the plain data is not as `write_project` writes it."""
_NOT_KEPT = (sa.exc.IntegrityError, sa.exc.DataError, sa.exc.InterfaceError, sa.exc.ProgrammingError)
"""What the database says of rows that are there twice, or that it has no room for."""


def write_project(store: Store, project: Project) -> bytes:
    """Return a project with its snapshots, decisions, prospects, files and filters as one file."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, store.reading(one_moment=True) as connection:
        found: dict[str, Any] = {
            table.name: [
                dict(row)
                for row in connection.execute(
                    sa.select(table).where(table.c.project_id == project.id).order_by(*table.primary_key)
                ).mappings()
            ]
            for table in _OF_PROJECT
        }
        for place, row in enumerate(found[FILES.name]):
            with unpacking(store.name):
                archive.writestr(f"files/{place}", unpack_bytes(row.pop("data")))
        ids = [row["id"] for row in found[SNAPSHOTS.name]]
        links = sa.select(SNAPSHOT_LINKS).where(SNAPSHOT_LINKS.c.snapshot_id.in_(ids))
        for part in connection.execute(links.execution_options(yield_per=1)).mappings():
            member = zipfile.ZipInfo(f"links/{part['snapshot_id']}/{part['part']}")
            archive.writestr(member, part["data"])  # compressed already
        pairs = sa.select(COMPARISONS).where(COMPARISONS.c.newer_id.in_(ids))
        found[COMPARISONS.name] = [dict(row) for row in connection.execute(pairs).mappings()]
        settings = connection.execute(sa.select(PROJECTS.c.settings).where(PROJECTS.c.id == project.id)).scalar_one()
        found["project"] = {"name": project.name, "site": project.site, "settings": settings}
        plain = {"format": FORMAT, **found}
        archive.writestr(DATA, json.dumps(plain, default=date.isoformat, ensure_ascii=False))
    return file.getvalue()


def read_project(store: Store, name: str, data: bytes, owner: str) -> Project:
    """Make a project of such a file, under its own name, or with a number behind it where that is taken.

    `name` is the file's. Raises UnreadableFile for what is no such file, and then makes nothing; StoreProblem.
    """
    _look_through(name, data)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            plain = _plain(name, archive)
            with store.writing() as connection:
                project = _new(connection, str(plain["project"]["name"]), owner)
                try:
                    _fill(connection, project, plain, archive)
                except _NOT_KEPT as problem:
                    raise UnreadableFile(name, NO_PROJECT) from problem
    except (*_DAMAGED, *_WRONG) as problem:
        raise UnreadableFile(name, NO_PROJECT) from problem
    return find_or_refuse(store, project.name, owner)


def _look_through(name: str, data: bytes) -> None:
    """Raise UnreadableFile for a file that is none, or unpacks to too much, before this process unpacks any of it."""
    with TemporaryDirectory(prefix="backlink-audit-") as folder:
        path = Path(folder, "project.zip")
        path.write_bytes(data)
        try:
            limited_child.run(f"{one_file_child.__name__}:main", "project file", str(path))
        except limited_child.ChildEnded as ended:  # it says so, or the system ended it
            no_project = ended.code == one_file_child.NO_PROJECT_FILE
            raise UnreadableFile(name, NO_PROJECT if no_project else TOO_LARGE) from ended


def _plain(name: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(archive.read(DATA))
    if plain["format"] > FORMAT:
        raise UnreadableFile(name, "it was created with a newer version of this app; update the app to open it.")
    return plain


def _new(connection: sa.Connection, name: str, owner: str) -> Project:
    """Make a project of that name, or with the first free number behind it."""
    name = name[: LONGEST_NAME - 5]
    taken = set(connection.execute(sa.select(PROJECTS.c.key).where(PROJECTS.c.owner == owner)).scalars())
    names = chain([name], (f"{name} ({number})" for number in count(2)))
    return create_within(connection, next(one for one in names if key_of(one) not in taken), owner)


def _fill(connection: sa.Connection, project: Project, plain: Mapping[str, Any], archive: zipfile.ZipFile) -> None:
    about = plain["project"]
    values = {"site": str(about["site"])[:253], "settings": about["settings"]}
    connection.execute(sa.update(PROJECTS).where(PROJECTS.c.id == project.id).values(values))
    ids: dict[int, int] = {}
    for row in plain[SNAPSHOTS.name]:
        check_snapshot(row)
        made = _own(SNAPSHOTS, row, project) | {"day": date.fromisoformat(row["day"])}
        [ids[row["id"]]] = connection.execute(sa.insert(SNAPSHOTS).values(made)).inserted_primary_key or [0]
    for member in archive.namelist():
        folder, _, rest = member.partition("/")
        if folder == "links":
            snapshot, _, part = rest.partition("/")
            values = {"snapshot_id": ids[int(snapshot)], "part": part, "data": archive.read(member)}
            connection.execute(sa.insert(SNAPSHOT_LINKS).values(values))
    for row in plain[COMPARISONS.name]:
        check_moves(row["figures"])
        values = {"older_id": ids[row["older_id"]], "newer_id": ids[row["newer_id"]], "figures": row["figures"]}
        connection.execute(sa.insert(COMPARISONS).values(values))
    for place, row in enumerate(plain[FILES.name]):
        check_file(row)
        data = archive.read(f"files/{place}")
        if row["role"] == DISAVOW:
            _check_disavow_file(data)
        values = _own(FILES, row, project) | {"data": pack_bytes(data)}
        connection.execute(sa.insert(FILES).values(values))
    for row in plain[DECISIONS.name]:
        check_decision(row)
        key = {"key": stored_key(key_of_item(row["scope"], row["item"]))}
        connection.execute(sa.insert(DECISIONS).values(_own(DECISIONS, row, project) | key))
    for row in plain[PAGE_STATES.name]:
        check_page_state(row)
        connection.execute(sa.insert(PAGE_STATES).values(_own(PAGE_STATES, row, project)))
    for row in plain.get(PROSPECTS.name, []):  # FORMAT 1 has none
        days = {name: _day(row[name]) for name in ("follow_up", "known_until")}
        check_prospect(row)
        connection.execute(sa.insert(PROSPECTS).values(_own(PROSPECTS, row, project) | days))


def _check_disavow_file(data: bytes) -> None:
    """Raise ValueError for what is no disavow file: it is read whenever the project is opened."""
    try:
        parse_disavow_file(data)
    except FileProblem as problem:
        raise ValueError(str(problem)) from problem


def _day(written: str | None) -> date | None:
    return None if written is None else date.fromisoformat(written)


def _own(table: sa.Table, row: Mapping[str, Any], project: Project) -> dict[str, Any]:
    """Return a row of the file as one of this project, without its binary part. Raises KeyError for what it lacks."""
    names = {column.name for column in table.columns} - _NOT_TAKEN
    return {name: row[name] for name in names} | {"project_id": project.id}
