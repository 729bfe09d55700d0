"""A connection to the store: what is written is written whole or not at all, and every problem is one sentence."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import JSONDecodeError

import pyarrow as pa
import sqlalchemy as sa

from backlink_audit.errors import StoreProblem

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
        """Close every connection."""
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
