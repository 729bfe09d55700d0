"""The store: its tables, and the connection by which what is written is written whole or not at all.

Moments are texts in UTC, as 2026-01-31T09:05:00+00:00: they read and sort alike in every database.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, is_dataclass
from io import BytesIO
from json import JSONDecodeError
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory

from backlink_audit.errors import StoreProblem

METADATA = sa.MetaData()
DAMAGED = "the file is damaged and was not changed; replace it with a backup, or use another database."
_SIGNS = (
    (("is locked", "locktimeout", "lock timeout"), "another program is using it; try again in a moment."),
    (("readonly", "read-only"), "it is read-only; give this program write access, or use another database."),
    (("disk is full", "no space left"), "the disk is full, so nothing was saved; free some space and try again."),
    (("malformed", "not a database", "disk i/o error", "could not decode"), DAMAGED),
    (
        ("no such column", "no such table", "has no column named", "does not exist"),
        "its tables are not as this app makes them; replace it with a backup, or use another database.",
    ),
    (("unable to open",), "it cannot be opened; check that the folder exists and that you have write access."),
)
"""What databases say, and what that means for the user."""
SETTING = "BACKLINK_AUDIT_STORE"
"""Environment variable: where the store is, as a URL of SQLAlchemy or as the path of a file."""
FILE_NAME = "projects.sqlite"
BUSY_SECONDS = 30  # how long a writer waits for another one to finish


def _id(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _of_project(*, primary_key: bool = False) -> "sa.Column[int]":
    return sa.Column(
        "project_id", sa.Integer, _id("projects"), nullable=False, primary_key=primary_key, index=not primary_key
    )


PROJECTS = sa.Table(
    "projects",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(320), nullable=False, doc='The user that it belongs to; "" on one\'s own machine.'),
    sa.Column("key", sa.String(80), nullable=False, doc="What it is called in an address: its name in plain letters."),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("site", sa.String(253), nullable=False, doc='The site\'s domain; "" before the first snapshot.'),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("archived_at", sa.String(40)),
    sa.UniqueConstraint("owner", "key", name="one_project_of_a_name"),
    sqlite_autoincrement=True,  # else the number of a deleted project is given to the next one
)

SNAPSHOTS = sa.Table(
    "snapshots",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("day", sa.Date, nullable=False),
    sa.Column("day_from", sa.String(40), nullable=False, doc="What the day was taken from."),
    sa.Column("fingerprint", sa.String(128), nullable=False, doc="Of the file and how it was mapped."),
    sa.Column("origin", sa.JSON, nullable=False, doc="File, format, rows, rows excluded, model, device."),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("columns", sa.JSON, nullable=False, doc="The compared columns that the file has."),
    sa.Column("figures", sa.JSON, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False, doc="Of its links."),
    sa.Column("made_at", sa.String(40), nullable=False),
    sa.UniqueConstraint("project_id", "fingerprint", name="one_snapshot_of_a_file"),
    sqlite_autoincrement=True,
)

SNAPSHOT_LINKS = sa.Table(
    "snapshot_links",
    METADATA,
    sa.Column("snapshot_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("part", sa.String(40), primary_key=True, doc="scored or aside, and the number of the part."),
    sa.Column("data", sa.LargeBinary, nullable=False, doc="A table as parquet."),
)

COMPARISONS = sa.Table(
    "comparisons",
    METADATA,
    sa.Column("older_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("newer_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("figures", sa.JSON, nullable=False),
)

DECISIONS = sa.Table(
    "decisions",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("scope", sa.String(20), nullable=False, doc="domain or URL."),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("item", sa.Text, nullable=False, doc="The domain or URL as it was written."),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("decided_at", sa.String(40), nullable=False),
    sa.Column("version", sa.Integer, nullable=False, doc="How often it was decided."),
    sa.UniqueConstraint("project_id", "scope", "key", name="one_decision_on_an_item"),
)

PROSPECTS = sa.Table(
    "prospects",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("domain", sa.String(253), nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("contact", sa.Text, nullable=False, doc='Whom to write to, as an e-mail address; "" where unknown.'),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("follow_up", sa.Date, doc="The follow-up date."),
    sa.Column("facts", sa.JSON, nullable=False, doc="What the gap knew of it, by column."),
    sa.Column("known_until", sa.Date, doc="The day of the newest snapshot when it was chosen."),
    sa.Column("chosen_at", sa.String(40), nullable=False),
    sa.Column("decided_at", sa.String(40), nullable=False, doc="When its state was set last."),
    sa.Column("version", sa.Integer, nullable=False, doc="How often it was changed."),
    sa.UniqueConstraint("project_id", "domain", name="one_prospect_of_a_domain"),
)

FILES = sa.Table(
    "files",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("role", sa.String(40), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("mapping", sa.JSON, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False, doc="The bytes as they were uploaded, compressed."),
    sa.UniqueConstraint("project_id", "role", "place", name="one_file_in_a_place"),
)

PAGE_STATES = sa.Table(
    "page_states",
    METADATA,
    _of_project(primary_key=True),
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)


T = TypeVar("T")

ROWS_OF_PART = 250_000
"""Rows that are packed together: far below what fits into one cell of a database, whatever the links are like."""


def pack_table(table: pd.DataFrame) -> Iterator[bytes]:
    """Yield the table as parquet in parts, in order: values, types and index come back as they were."""
    for start in range(0, max(1, len(table)), ROWS_OF_PART):
        buffer = BytesIO()
        table.iloc[start : start + ROWS_OF_PART].to_parquet(buffer, compression="zstd", index=True)
        yield buffer.getvalue()


def unpack_table(parts: list[bytes], columns: list[str] | None = None) -> pd.DataFrame:
    """Return a packed table, or only some of its columns."""
    tables = [pd.read_parquet(BytesIO(part), columns=columns) for part in parts]
    return tables[0] if len(tables) == 1 else pd.concat(tables)


def pack_bytes(data: bytes) -> bytes:
    return zlib.compress(data, 3)


def unpack_bytes(data: bytes) -> bytes:
    return zlib.decompress(data)


def from_data(default: T, data: dict[str, Any]) -> T:
    """Return settings of `asdict`'s data; what it lacks keeps the default, what is not known any more is left out.

    >>> from dataclasses import asdict
    >>> from backlink_audit.settings import VerdictLimits
    >>> limits = VerdictLimits(strong_from=(("DR", 60.0),))
    >>> from_data(VerdictLimits(), asdict(limits) | {"forgotten": 1}) == limits
    True
    """
    assert is_dataclass(default) and not isinstance(default, type)
    found: dict[str, Any] = {}
    for field in fields(default):
        if field.name in data:
            former, value = getattr(default, field.name), data[field.name]
            found[field.name] = from_data(former, value) if is_dataclass(former) else _frozen(value)
    return type(default)(**found)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list | tuple) else value


def plain(value: Any) -> Any:
    """Return a figure as JSON has it: NumPy's numbers as Python's, NaN as None.

    >>> plain(np.float64(0.5)), plain(float("nan")), plain(np.int64(3))
    (0.5, None, 3)
    """
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


@dataclass(frozen=True)
class Store:
    """An open store. Close it, or use it in `with`."""

    engine: sa.Engine
    name: str  # What the user knows it by: the file, or the address without its password

    @contextmanager
    def reading(self, *, one_moment: bool = False) -> Iterator[sa.Connection]:
        """Give a connection to read by; `one_moment`: every query sees the store as the first. Raises StoreProblem."""
        with problems_in_words(self.name), self.engine.connect() as connection:
            if one_moment and connection.dialect.name != "sqlite":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self, *, tables: bool = False) -> Iterator[sa.Connection]:
        """Give a connection whose writes are kept together at the end, or none of them. Raises StoreProblem.

        `tables`: tables may be made again. SQLite can change one in no other way, and would delete with the former one
        all that belongs to its rows; so nothing belongs to anything meanwhile.
        """
        begin = ("PRAGMA foreign_keys = OFF", "BEGIN IMMEDIATE") if tables else ("BEGIN IMMEDIATE",)
        with problems_in_words(self.name), self.engine.connect() as plain:
            connection = plain.execution_options(sqlite_begin=begin)
            with connection.begin():
                yield connection

    def close(self) -> None:
        self.engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def problems_in_words(name: str) -> Iterator[None]:
    """Turn whatever the database says into one sentence with the store's name. Raises StoreProblem."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise StoreProblem(f"{name}: {_in_words(error)}") from error
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise StoreProblem(f"{name}: {DAMAGED}") from error


@contextmanager
def unpacking(name: str) -> Iterator[None]:
    """Turn what goes wrong while packed data of the store is unpacked into one sentence. Raises StoreProblem."""
    try:
        yield
    except MemoryError:  # Arrow's is one of its exceptions too
        raise
    except (OSError, ValueError, pa.ArrowException, zlib.error) as error:
        raise StoreProblem(f"{name}: {DAMAGED}") from error


def _in_words(error: sa.exc.DBAPIError) -> str:
    said = str(error.orig).lower()
    for signs, sentence in _SIGNS:
        if any(sign in said for sign in signs):
            return sentence
    if error.connection_invalidated or isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError):
        return f"the server does not respond ({_first_line(error.orig)}); nothing was saved, so try again."
    return f"the database reported an error ({_first_line(error.orig)}); nothing was saved."


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")


def open_store(named: str | None = None, *, to_read: bool = False) -> Store:
    """Open the store that is named, else that of the environment, else the one in the user's data folder.

    A store that is not there yet is made, an older one is copied and brought up to date. `to_read`: it has to be
    there, and nothing is written to one of this version. Raises StoreProblem.
    """
    url = address(named)
    store = Store(_engine(url), display_name(url))
    try:
        if url.get_backend_name() == "sqlite":
            _make_private(url, store.name, must_be_there=to_read, may_make_folders=not named)
        bring_up_to_date(store)
    except BaseException:
        store.close()
        raise
    return store


def address(named: str | None = None) -> sa.URL:
    """Return the address of the store: what is named (a URL or a path), the environment's, or the user's own file.

    Raises StoreProblem.

    >>> address("postgresql://me:secret@localhost/seo").drivername, address("work.sqlite").database
    ('postgresql+psycopg', 'work.sqlite')
    """
    named = named or os.environ.get(SETTING) or ""
    if not named:
        from platformdirs import user_data_path

        return sa.URL.create("sqlite", database=str(user_data_path("backlink-audit", appauthor=False) / FILE_NAME))
    if "://" not in named:
        return sa.URL.create("sqlite", database=str(Path(named).expanduser()))
    try:
        url = sa.make_url(named)
    except sa.exc.ArgumentError as error:
        raise StoreProblem("The address of the database is not valid; write it like postgresql://host/name.") from error
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgres", "postgresql") else url


def display_name(url: sa.URL) -> str:
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def _engine(url: sa.URL) -> sa.Engine:
    try:
        if url.get_backend_name() != "sqlite":
            return sa.create_engine(url, pool_pre_ping=True)
        engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"timeout": BUSY_SECONDS})
    except (ImportError, sa.exc.NoSuchModuleError) as error:
        cure = (
            "install it with `pip install backlink-audit[postgres]`" if "postgres" in url.drivername else "install it"
        )
        raise StoreProblem(f"{display_name(url)}: the driver {url.drivername} is not installed; {cure}.") from error
    sa.event.listen(engine, "connect", _on_connect)
    sa.event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: object) -> None:
    connection.isolation_level = None  # when a transaction begins is said below, and by nobody else
    connection.execute("PRAGMA foreign_keys = ON")


def _on_begin(connection: sa.Connection) -> None:
    for statement in connection.get_execution_options().get("sqlite_begin", ("BEGIN",)):
        connection.exec_driver_sql(statement)


def _make_private(url: sa.URL, name: str, must_be_there: bool, may_make_folders: bool) -> None:
    """Make the file and its folder where they are not there yet, for the user's eyes alone. Raises StoreProblem.

    A folder that was typed is not made: its name may be a slip.
    """
    path = Path(str(url.database))
    if url.query.get("uri"):  # SQLite's own way to name a file, with how it is opened: then it has to be there
        return
    if must_be_there and not path.exists():
        raise StoreProblem(f"{name}: there is no such store of projects.")
    if not may_make_folders and not path.parent.is_dir():
        raise StoreProblem(f"{name}: the folder does not exist; create it first, or correct its name.")
    try:
        if not path.parent.exists():
            path.parent.mkdir(parents=True, mode=0o700)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreProblem(
            f"{name}: the database cannot be created there ({(error.strerror or '?').lower()})."
        ) from error


FOLDER = Path(__file__).parent / "migrations"
VERSION_TABLE = "backlink_audit_version"
_LOCK = 0x6261636B  # any number of our own: whoever changes a PostgreSQL store locks it, and a file bears it


def bring_up_to_date(store: Store) -> None:
    """Bring the store to the version that this program knows. Raises StoreProblem for a newer or a foreign one."""
    scripts = ScriptDirectory(str(FOLDER))
    with store.reading() as connection:
        if _checked(connection, scripts, store.name) == scripts.get_current_head():
            return
    with store.writing(tables=True) as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        version = _checked(connection, scripts, store.name)  # another program may have done it meanwhile
        if version == scripts.get_current_head():
            return
        if version and connection.dialect.name == "sqlite":
            _copy(Path(str(connection.engine.url.database)), version, store.name)
        _upgrade(connection, scripts)
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {_LOCK}")


def _checked(connection: sa.Connection, scripts: ScriptDirectory, name: str) -> str | None:
    version = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()
    if version is None:
        foreign = set(sa.inspect(connection).get_table_names())
        if connection.dialect.name == "sqlite":  # a file is one program's; a server's schema may be shared
            foreign |= {"application_id"} if connection.exec_driver_sql("PRAGMA application_id").scalar() else set()
        else:
            foreign &= set(METADATA.tables)
        if foreign:
            raise StoreProblem(
                f"{name}: this database is used by another program ({', '.join(sorted(foreign))}); use another "
                "database."
            )
    elif version not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreProblem(
            f"{name}: this database was created with a newer version of this program (version {version}); update "
            "the program, or use another database."
        )
    return version


def _upgrade(connection: sa.Connection, scripts: ScriptDirectory) -> None:

    def steps(version: str, _: MigrationContext) -> list[RevisionStep]:
        return scripts._upgrade_revs("head", version)  # what Alembic's own documentation calls

    context = MigrationContext.configure(connection, opts={"fn": steps, "version_table": VERSION_TABLE})
    with Operations.context(context):
        context.run_migrations()


def _copy(path: Path, version: str, name: str) -> None:
    """Copy the file as it is before the change, beside it. Raises StoreProblem where that cannot be."""
    target = path.with_name(f"{path.stem}-before-{version}{path.suffix}")
    try:
        target.touch(mode=0o600)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        raise StoreProblem(f"{name}: the backup before the update failed ({error}), so nothing was changed.") from error
