"""The answers on disk, so that no page is asked twice before its answer is old.

One sqlite file in WAL mode, safe after a kill: an answer is on disk before the next page of its host is asked.
"""

import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from backlink_audit.errors import StoreProblem
from backlink_audit.fetching.answers import Answer, packed, unpacked
from backlink_audit.fetching.robots import Robots

logger = logging.getLogger(__name__)
T = TypeVar("T")

VERSION = 1
"""Of the file's tables; a file of another one is begun anew."""
DAY = 86_400.0
FOR_A_DAY = ("not readable", "not asked")
"""Outcomes that may be others tomorrow."""
FORGOTTEN = 400 * DAY
BUSY_SECONDS = 30.0
TABLES = (
    "CREATE TABLE IF NOT EXISTS pages (key BLOB PRIMARY KEY, asked_at REAL NOT NULL, answer BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS robots (place TEXT PRIMARY KEY, asked_at REAL NOT NULL, rules TEXT)",
)


@dataclass(frozen=True)
class Age:
    """How old an answer may be, in seconds."""

    most: float = 30 * DAY

    def is_fresh(self, answer: Answer, now: float) -> bool:
        """Whether an answer still counts. One from the future counts by how far off it is: a clock was set back."""
        age = abs(now - answer.asked_at)
        if answer.outcome in FOR_A_DAY or answer.may_change_soon:
            return age <= min(self.most, DAY)
        return age <= self.most


class Kept:
    """The answers of earlier checks, and of this one. Raises StoreProblem where the file cannot be used."""

    def __init__(self, path: Path) -> None:
        """Open the file, or begin it."""
        self._path = path
        self._connection = self._do(lambda: _open(path))

    def answer(self, url: str, sites: Collection[str]) -> Answer | None:
        """Return the last answer of a page in which links to these sites were looked for."""
        row = self._do(
            lambda: self._connection.execute("SELECT answer FROM pages WHERE key = ?", [_key(url, sites)]).fetchone()
        )
        try:
            return unpacked(row[0]) if row else None
        except (ValueError, TypeError, KeyError, zlib.error):
            return None

    def keep(self, answer: Answer, sites: Collection[str]) -> None:
        """Write an answer."""
        row = (_key(answer.url, sites), answer.asked_at, packed(answer))
        self._do(lambda: self._connection.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", row))

    def robots(self, place: str, now: float) -> Robots | None:
        """Return the rules of a host, if they were asked for within a day."""
        row = self._do(
            lambda: self._connection.execute("SELECT asked_at, rules FROM robots WHERE place = ?", [place]).fetchone()
        )
        return Robots(row[1]) if row and abs(now - row[0]) <= DAY else None

    def keep_robots(self, place: str, robots: Robots, now: float) -> None:
        """Write the rules of a host."""
        row = (place, now, robots.text)
        self._do(lambda: self._connection.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?)", row))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> "Kept":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (OSError, sqlite3.Error) as problem:
            raise StoreProblem(
                f"{self._path}: the answers cannot be kept ({problem}); those that are there stay. Free some space or "
                "name another folder in BACKLINK_AUDIT_CACHE, and run it again: it goes on where it stopped."
            ) from problem


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _opened(path)
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError):
            raise
        logger.warning("The answers in %s are damaged (%s) and are asked again", path, problem)
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        return _opened(path)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            connection.execute("DROP TABLE IF EXISTS pages")
            connection.execute("DROP TABLE IF EXISTS robots")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        for table in TABLES:
            connection.execute(table)
        connection.execute("DELETE FROM pages WHERE asked_at < ?", [time.time() - FORGOTTEN])
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _key(url: str, sites: Collection[str]) -> bytes:
    """Return the key of a page: another site to look for is another question."""
    return blake2b("\n".join([url, *sorted(sites)]).encode("utf-8", "surrogatepass"), digest_size=16).digest()
