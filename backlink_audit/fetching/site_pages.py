"""What a crawl has found, on disk: addresses to ask, answers, the links between them; and its tables.

One sqlite file in WAL mode, safe after a kill: an answer, its links and the addresses they bring are written at once.
"""

import json
import math
import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pandas as pd

from backlink_audit.errors import StoreProblem
from backlink_audit.fetching.hosts import FORBIDS, Robots
from backlink_audit.fetching.html import asks
from backlink_audit.fetching.reading import SitePage, page_from
from backlink_audit.text.urls import normalise_url

T = TypeVar("T")

VERSION = 1
TABLES = """
CREATE TABLE crawl (name TEXT PRIMARY KEY, value NOT NULL);
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, depth INTEGER, tries INTEGER NOT NULL,
    state TEXT NOT NULL, status INTEGER NOT NULL, shell INTEGER NOT NULL, alternates INTEGER NOT NULL, answer BLOB
);
CREATE INDEX waiting ON pages (tries, depth IS NULL, depth, id) WHERE state = 'waiting';
CREATE TABLE links (
    source INTEGER NOT NULL, target INTEGER NOT NULL, anchor TEXT NOT NULL, alt_text TEXT NOT NULL, rel TEXT NOT NULL,
    follow INTEGER NOT NULL, place TEXT NOT NULL
);
CREATE INDEX outlinks ON links (source);
"""
NEXT = """
SELECT id, url, kind, tries FROM pages WHERE state = 'waiting' ORDER BY tries, depth IS NULL, depth, id LIMIT ?
"""
SHORTER = """
UPDATE pages SET depth = shorter.depth FROM (
    SELECT links.target AS id, min(source.depth) + 1 AS depth FROM links JOIN pages source ON source.id = links.source
    WHERE links.follow AND source.depth IS NOT NULL GROUP BY links.target
) AS shorter WHERE pages.id = shorter.id AND (pages.depth IS NULL OR pages.depth > shorter.depth)
"""
ROWS = """
WITH inside AS (SELECT target AS id, count(*) AS inlinks, count(DISTINCT source) AS sources FROM links GROUP BY 1),
outside AS (SELECT source AS id, count(*) AS outlinks, count(DISTINCT target) AS targets FROM links GROUP BY 1)
SELECT url, depth, answer, coalesce(inlinks, 0), coalesce(sources, 0), coalesce(outlinks, 0), coalesce(targets, 0)
FROM pages LEFT JOIN inside USING (id) LEFT JOIN outside USING (id)
WHERE pages.state = 'done' AND pages.kind != 'sitemap' ORDER BY pages.id
"""
LINKS = """
SELECT source.url, target.url, links.anchor, links.alt_text, links.rel, links.follow, links.place, target.status
FROM links JOIN pages source ON source.id = links.source JOIN pages target ON target.id = links.target
ORDER BY links.source, links.rowid
"""


STATUSES = """
SELECT status, count(*) FROM pages WHERE state = 'done' AND kind != 'sitemap' GROUP BY 1 ORDER BY 2 DESC, 1
"""
MOST_ALIKE = 200
"""Addresses that differ in a date alone, or in the values of two parameters or more: a calendar, filters of a shop."""
_DATED = re.compile(r"(?:19|20|21)\d\d(?:[-/.]\d{1,2}){1,2}(?=\D|$)|\b(?:19|20|21)\d{6}\b")
DONE = """
UPDATE pages SET state = 'done', kind = ?, status = ?, shell = ?, alternates = ?, answer = ? WHERE id = ?
"""
ROWS_AT_ONCE = 500
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that no page shows, and that a terminal may obey."""
PAGES = (
    *("Address", "Content Type", "Status Code", "Status", "Indexability", "Indexability Status", "Title 1"),
    *("Meta Description 1", "H1-1", "H2-1", "Meta Robots 1", "X-Robots-Tag 1", "Canonical Link Element 1"),
    *("Word Count", "Crawl Depth", "Inlinks", "Unique Inlinks", "Outlinks", "Unique Outlinks", "External Outlinks"),
    *("Redirect URL", "Language", "Size (Bytes)", "Response Time", "Crawl Timestamp", "Remark", "Page Content"),
)
LINK_SCHEMA = (
    *("Type", "Source", "Destination", "Alt Text", "Anchor", "Status Code", "Status", "Follow", "Rel", "Link Position"),
)


@dataclass(frozen=True)
class Address:
    """A page that is still to be asked. `kind`: page, sitemap, or start, which may be either."""

    id: int
    url: str
    kind: str
    tries: int


@dataclass(frozen=True)
class Answer:
    """What came out for one address."""

    status: int = 0  # The HTTP status; 0: there was none
    reason: str = ""  # In a few words, why there was no answer or the page could not be read
    content_type: str = ""
    robots_tag: str = ""
    redirect: str = ""
    size: int = 0  # Bytes of its body, unpacked
    seconds: float = 0.0
    asked_at: float = 0.0  # Seconds since 1970
    page: SitePage = field(default_factory=SitePage)


@dataclass(frozen=True)
class Row:
    """A page as it is written."""

    url: str
    depth: int | None
    answer: Answer
    inlinks: int
    unique_inlinks: int
    outlinks: int
    unique_outlinks: int  # Inside the site


class Found:
    """The file of a crawl. Raises StoreProblem where it cannot be used, which leaves what it has."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = self._do(lambda: _open(path))
        known = self._do(lambda: self._connection.execute("SELECT url FROM pages").fetchall())
        self._many, self._alike = len(known), Counter(alike(url) for (url,) in known)
        self.most = math.inf  # How many addresses may be known
        self.aside = 0  # Links to others beyond that, and to more than MOST_ALIKE of one kind: they are not kept

    def set(self, name: str, value: str | float) -> None:
        self._do(lambda: self._connection.execute("INSERT OR REPLACE INTO crawl VALUES (?, ?)", [name, value]))

    def get(self, name: str) -> str | float | None:
        """Return a fact about the crawl as a whole."""
        row = self._one("SELECT value FROM crawl WHERE name = ?", name)
        return row[0] if row else None

    def count(self, state: str) -> int:
        return int(self._one("SELECT count(*) FROM pages WHERE state = ?", state)[0])

    def shells(self) -> int:
        return int(self._one("SELECT coalesce(sum(shell), 0) FROM pages")[0])

    def most_alternates(self) -> int:
        return int(self._one("SELECT coalesce(max(alternates), 0) FROM pages")[0])

    def statuses(self) -> list[tuple[int, int]]:
        return self._do(lambda: self._connection.execute(STATUSES).fetchall())

    def add(self, urls: Sequence[str], depth: int | None, kind: str = "page") -> None:
        self._do(lambda: self._write(lambda: [self._known(url, depth, kind, "waiting") for url in urls]))

    def next(self, besides: Collection[int]) -> Address | None:
        """Return the address to ask next, None where there is none besides those that are being asked."""
        found = self._do(lambda: self._connection.execute(NEXT, [len(besides) + 1]).fetchall())
        return next((Address(*row) for row in found if row[0] not in besides), None)

    def again(self, address: Address, sent: int) -> None:
        """Ask an address later once more."""
        change = "UPDATE pages SET tries = tries + 1 WHERE id = ?"
        self._do(lambda: self._connection.execute(change, [address.id]))
        self.set("sent", sent)

    def record(
        self,
        address: Address,
        answer: Answer,
        sent: int,
        shell: bool = False,
        onward: Sequence[str] = (),
        listed: Sequence[str] = (),
    ) -> None:
        """Write an answer with its links.

        `sent`: requests so far; `shell`: whether it has no text without JavaScript; `onward`: where it sends its
        visitors; `listed`: pages that it lists as a sitemap.
        """

        def write() -> None:
            below = self._record(address, answer, sent, shell)
            for url in onward:
                self._known(url, below, "page", "waiting")
            for url in listed:
                self._known(url, None, "page", "waiting")

        self._do(lambda: self._write(write))

    def _record(self, address: Address, answer: Answer, sent: int, shell: bool) -> int | None:
        """Write an answer, and return how deep the pages are to which it leads."""
        run = self._connection.execute
        depth = run("SELECT depth FROM pages WHERE id = ?", [address.id]).fetchone()[0]
        below = None if depth is None else depth + 1
        for link in answer.page.links:
            state = "waiting" if link.follow else "known"
            target = self._known(link.url, below if link.follow else None, "page", state)
            if not target:
                continue
            row = (address.id, target, link.anchor, link.alt_text, link.rel, link.follow, link.place)
            run("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        alternates = len(answer.page.alternates)
        run(DONE, (address.kind, answer.status, shell, alternates, _packed(answer), address.id))
        run("INSERT OR REPLACE INTO crawl VALUES ('sent', ?)", [sent])
        return below

    def _known(self, url: str, depth: int | None, kind: str, state: str) -> int:
        """Return the number of an address, which is known from now on; 0 where it is left aside."""
        run = self._connection.execute
        row = run("SELECT id, depth, state FROM pages WHERE url = ?", [url]).fetchone()
        if row is None:
            kind_of_url = alike(url)
            if self._many >= self.most or (kind_of_url and self._alike[kind_of_url] >= MOST_ALIKE):
                self.aside += 1
                return 0
            self._many += 1
            self._alike[kind_of_url] += 1
            new = "INSERT INTO pages VALUES (NULL, ?, ?, ?, 0, ?, 0, 0, 0, NULL)"
            return int(run(new, [url, kind, depth, state]).lastrowid or 0)
        number, before, former = row
        if depth is not None and (before is None or depth < before):
            run("UPDATE pages SET depth = ? WHERE id = ?", [depth, number])
        if former == "known" and state == "waiting":
            run("UPDATE pages SET state = 'waiting' WHERE id = ?", [number])
        return int(number)

    def shorten(self) -> None:
        """Give each page its least number of clicks from the start: pages are asked a few at once."""
        while self._do(lambda: self._connection.execute(SHORTER).rowcount):
            pass

    def rows(self) -> Iterator[Row]:
        """Yield every page that was asked, as it was found."""
        for url, depth, answer, *counts in self._connection.execute(ROWS):
            yield Row(url, depth, _unpacked(answer), *counts)

    def links(self) -> Iterator[tuple[str, str, str, str, str, int, str, int]]:
        yield from self._connection.execute(LINKS)

    def robots(self, place: str, now: float) -> Robots | None:
        """Return the rules of a host, if they were asked for in this crawl."""
        text = self.get(place)
        return Robots(str(text)) if text is not None else None

    def keep_robots(self, place: str, robots: Robots, now: float) -> None:
        self.set(place, robots.text or "")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Found":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _one(self, question: str, *given: object) -> tuple[int, ...]:
        return self._do(lambda: self._connection.execute(question, given).fetchone())

    def _write(self, work: Callable[[], object]) -> None:
        with self._connection:
            self._connection.execute("BEGIN")
            work()

    def _do(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (OSError, sqlite3.Error) as problem:
            raise StoreProblem(
                f"{self._path}: what the crawl found cannot be kept ({problem}). Free some space, or delete the "
                "file if it is damaged, and run it again: it continues where it stopped."
            ) from problem


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise sqlite3.DatabaseError("another version of this program wrote it")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def alike(url: str) -> str:
    """Return what the addresses of a calendar, or of a shop's filters, have in common; "" for any other address.

    >>> alike("https://a.example/events/2031/05/12"), alike("https://a.example/shop?size=4&color=red")
    ('https://a.example/events/DATE', 'https://a.example/shop?color&size')
    >>> alike("https://a.example/2024/05/a-post"), alike("https://a.example/shop?id=7")
    ('https://a.example/DATE/a-post', '')
    """
    path, _, query = url.partition("?")
    names = sorted({pair.partition("=")[0] for pair in query.split("&") if pair})
    if len(names) > 1:
        return f"{path}?{'&'.join(names)}"
    dated = _DATED.sub("DATE", url)
    return dated if dated != url else ""


def _packed(answer: Answer) -> bytes:
    told = asdict(answer)
    told["page"]["links"] = ()  # these have rows of their own
    return zlib.compress(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _unpacked(data: bytes) -> Answer:
    told = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Answer(**{**told, "page": page_from(told["page"])})


def forget(path: Path) -> None:
    """Delete the file of a crawl that is over."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def page_tables(found: Found) -> Iterator[pd.DataFrame]:
    """Yield the pages, each with its translations in columns at the end."""
    alternates = found.most_alternates()
    headers = [*PAGES]
    for number in range(1, alternates + 1):
        headers += [f"HTML hreflang {number}", f"HTML hreflang {number} URL"]
    yield from _tables(headers, (_page(row, alternates) for row in found.rows()))


def link_tables(found: Found) -> Iterator[pd.DataFrame]:
    """Yield the links between the pages of the site."""
    rows = (
        (
            *("Hyperlink", source, target, alt_text, anchor, str(status or ""), _words(status)),
            *("true" if follow else "false", rel, place.capitalize()),
        )
        for source, target, anchor, alt_text, rel, follow, place, status in found.links()
    )
    yield from _tables(LINK_SCHEMA, rows)


def _tables(headers: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[pd.DataFrame]:
    rows = (tuple(_CONTROL.sub("", cell) for cell in row) for row in rows)
    part = list(islice(rows, ROWS_AT_ONCE))
    while True:
        yield pd.DataFrame(part, columns=list(headers), dtype="str")
        part = list(islice(rows, ROWS_AT_ONCE))
        if not part:
            return


def _page(row: Row, alternates: int) -> tuple[str, ...]:
    answer, page = row.answer, row.answer.page
    why_not = _why_not_indexable(row.url, answer)
    is_page = answer.status == 200 and bool(page.words or page.title or page.links)
    translations = [cell for pair in page.alternates for cell in pair]
    return (
        row.url,
        answer.content_type,
        str(answer.status),
        _status(answer),
        "Non-Indexable" if why_not else "Indexable",
        why_not,
        page.title,
        page.description,
        page.h1,
        page.h2,
        page.robots,
        answer.robots_tag,
        page.canonical,
        str(page.words) if is_page else "",
        "" if row.depth is None else str(row.depth),
        str(row.inlinks),
        str(row.unique_inlinks),
        str(row.outlinks),
        str(row.unique_outlinks),
        str(page.external_links),
        answer.redirect,
        page.language,
        str(answer.size),
        f"{answer.seconds:.3f}",
        datetime.fromtimestamp(answer.asked_at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        answer.reason,
        page.text,
        *translations,
        *[""] * (2 * alternates - len(translations)),
    )


def _status(answer: Answer) -> str:
    if answer.status:
        return _words(answer.status)
    return "Blocked by robots.txt" if answer.reason == FORBIDS else "No Response"


def _words(status: int) -> str:
    """Return what a status is called.

    >>> _words(200), _words(404), _words(799), _words(0)
    ('OK', 'Not Found', '', '')
    """
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _why_not_indexable(url: str, answer: Answer) -> str:
    """Return why search engines do not index a page, in the words of crawlers; "" where they may."""
    page = answer.page
    elsewhere = page.canonical and normalise_url(page.canonical) != normalise_url(url)
    reasons = (
        (answer.status == 0, _status(answer)),
        (bool(answer.redirect), "Redirected"),
        (answer.status >= 500, "Server Error"),
        (answer.status >= 400, "Client Error"),
        (answer.status >= 300, "Redirected"),
        (page.noindex or asks(answer.robots_tag, "noindex"), "noindex"),
        (bool(elsewhere), "Canonicalised"),
    )
    return next((words for applies, words in reasons if applies), "")
