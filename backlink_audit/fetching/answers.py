"""What came out for one page: as it is kept on disk, so that none is asked twice too soon, and as tables."""

import json
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeVar

import pandas as pd

from backlink_audit.errors import StoreProblem
from backlink_audit.fetching.hosts import NO_RULES, Robots
from backlink_audit.fetching.readers import reading_from
from backlink_audit.fetching.reading import Link, Reading
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS, Table

Outcome = Literal["read", "gone", "not readable", "not asked"]
GONE = (404, 410)
logger = logging.getLogger(__name__)
T = TypeVar("T")

VERSION = 1  # of the file's tables; a file of another one is begun anew
DAY = 86_400.0
FOR_A_DAY = ("not readable", "not asked")  # outcomes that may be others tomorrow
FORGOTTEN = 400 * DAY
BUSY_SECONDS = 30.0
TABLES = (
    "CREATE TABLE IF NOT EXISTS pages (key BLOB PRIMARY KEY, asked_at REAL NOT NULL, answer BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS robots (place TEXT PRIMARY KEY, asked_at REAL NOT NULL, rules TEXT)",
)
TYPES = {"number": "float64", "flag": "boolean", "date": "datetime64[s]"}  # of columns that are no text
BY_REDIRECT = "redirect"  # the kind of a link that is no more than a page that sends its visitors to the target


@dataclass(frozen=True)
class Answer:
    """One page, asked once or twice."""

    url: str
    outcome: Outcome
    reason: str = ""  # In a few words, why it was not read
    status: int = 0  # The last HTTP status; 0: there was none
    final_url: str = ""  # Where the redirects led; that is a site looked for where the page itself redirects to it
    asked_at: float = 0.0  # Seconds since 1970
    times: int = 1  # How often it was asked with this outcome, one after the other
    reading: Reading = field(default_factory=Reading)

    @property
    def may_change_soon(self) -> bool:
        """Whether it is worth asking a second time: gone for the first time, or not readable for the moment."""
        if self.outcome == "gone":
            return self.times < 2
        if self.outcome == "not asked":
            return self.reason == NO_RULES
        return self.outcome == "not readable" and (self.status in (0, 408, 425, 429) or self.status >= 500)


def packed(answer: Answer) -> bytes:
    return zlib.compress(json.dumps(asdict(answer), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def unpacked(data: bytes) -> Answer:
    """Return what `packed` made bytes of. Raises ValueError, TypeError, KeyError or zlib.error for anything else."""
    told = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Answer(**{**told, "reading": reading_from(told["reading"])})


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


class AnswerCache:
    """The answers of earlier checks, and of this one. Raises StoreProblem where the file cannot be used."""

    def __init__(self, path: Path) -> None:
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
        self._connection.close()

    def __enter__(self) -> "AnswerCache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (OSError, sqlite3.Error) as problem:
            raise StoreProblem(
                f"{self._path}: the answers cannot be kept ({problem}); those that are there stay. Free some space or "
                "name another folder in BACKLINK_AUDIT_CACHE, and run it again: it continues where it stopped."
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
    return blake2b("\n".join([url, *sorted(sites)]).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def facts_of(answers: Iterable[Answer]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the pages (`schema.PAGE_FACTS`) and the links that were found on them (`schema.LINK_FACTS`)."""
    pages, links = [], []
    for answer in answers:
        pages.append(_page(answer))
        links += _links(answer)
    return _table(PAGE_FACTS, pages), _table(LINK_FACTS, links)


def _table(table: Table, rows: list[tuple[object, ...]]) -> pd.DataFrame:
    types = {column.name: TYPES.get(column.kind, "str") for column in table.columns}
    return pd.DataFrame(rows, columns=list(table.names)).astype(types)


def _page(answer: Answer) -> tuple[object, ...]:
    reading = answer.reading
    read = answer.outcome == "read"
    outcome, reason = answer.outcome, answer.reason
    if outcome == "gone" and answer.times < 2:
        outcome, reason = "not readable", f"{reason} once, and a page counts as gone only after a second time"
    return (
        answer.url,
        outcome,
        reason,
        float(answer.status),
        answer.final_url,
        reading.title,
        reading.noindex if read else None,
        reading.canonical,
        float(reading.external_links) if read else None,
        reading.text,
        pd.Timestamp(answer.asked_at, unit="s").floor("s"),
    )


def _links(answer: Answer) -> list[tuple[object, ...]]:
    if answer.outcome == "read" and 300 <= answer.status < 400:
        return [_row(answer.url, Link(answer.final_url, BY_REDIRECT), False)]
    return [_row(answer.url, link, answer.reading.nofollow) for link in answer.reading.links]


def _row(page: str, link: Link, nofollow: bool) -> tuple[object, ...]:
    return (
        page,
        link.url,
        link.kind,
        link.anchor,
        nofollow or "nofollow" in link.rel,
        "ugc" in link.rel,
        "sponsored" in link.rel,
        link.place,
        link.before,
        link.after,
        link.heading,
        link.through,
    )
