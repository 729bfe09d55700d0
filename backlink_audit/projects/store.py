"""A connection to the store: what is written is written whole or not at all, and every problem is one sentence."""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import pyarrow as pa
import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.store_tables import METADATA

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


@dataclass(frozen=True)
class Store:
    """An open store. Close it, or use it in `with`."""

    engine: sa.Engine
    name: str
    """What the user knows it by: the file, or the address without its password."""

    @contextmanager
    def reading(self, *, one_moment: bool = False) -> Iterator[sa.Connection]:
        """Give a connection to read by; `one_moment`: every query sees the store as the first one did.

        SQLite's transactions are so anyway. Raises StoreProblem.
        """
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


SETTING = "BACKLINK_AUDIT_STORE"
"""Environment variable: where the store is, as a URL of SQLAlchemy or as the path of a file."""
FILE_NAME = "projects.sqlite"
BUSY_SECONDS = 30  # how long a writer waits for another one to finish


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
    """Return the engine of a store; nothing is opened yet."""
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


def version_of(connection: sa.Connection) -> str | None:
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()


def _checked(connection: sa.Connection, scripts: ScriptDirectory, name: str) -> str | None:
    version = version_of(connection)
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
    """Run every step that the store lacks, within the transaction of the connection."""

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
