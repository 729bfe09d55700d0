"""The store of all projects, one SQLite file or any database that SQLAlchemy knows: where it is, how it is opened."""

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.store.connection import Store
from backlink_audit.projects.store.versions import bring_up_to_date

SETTING = "BACKLINK_AUDIT_STORE"
"""Environment variable: where the store is, as a URL of SQLAlchemy or as the path of a file."""
FILE_NAME = "projects.sqlite"
BUSY_SECONDS = 30
"""How long a writer waits for another one to finish."""


def open_store(named: str | None = None) -> Store:
    """Open the store that is named, else that of the environment, else the one in the user's data folder.

    A store that is not there yet is made, an older one is copied and brought up to date. Raises StoreProblem.
    """
    url = address(named)
    store = Store(_engine(url), display_name(url))
    try:
        if url.get_backend_name() == "sqlite":
            _make_private(url, store.name)
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
    """Return what a user knows the store by: its file, or its address without the password."""
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
    """Begin a transaction; a writer takes its turn at once, so that no two find out in the middle."""
    for statement in connection.get_execution_options().get("sqlite_begin", ("BEGIN",)):
        connection.exec_driver_sql(statement)


def _make_private(url: sa.URL, name: str) -> None:
    """Make the file and its folder where they are not there yet, for the user's eyes alone. Raises StoreProblem."""
    path = Path(str(url.database))
    if url.query.get("uri"):  # SQLite's own way to name a file, with how it is opened: then it has to be there
        return
    try:
        if not path.parent.exists():
            path.parent.mkdir(parents=True, mode=0o700)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreProblem(
            f"{name}: the database cannot be created there ({(error.strerror or '?').lower()})."
        ) from error
