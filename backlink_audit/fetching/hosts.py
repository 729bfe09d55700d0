"""What hosts ask of those who ask them: the rules in their robots.txt (RFC 9309, read with protego), and to wait."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Protocol
from urllib.parse import urlsplit

from protego import Protego

from backlink_audit.fetching.addresses import Refused
from backlink_audit.fetching.requests import (
    NAME,
    RateLimit,
    RequestLimits,
    Requests,
    Response,
    Unanswered,
    Wanted,
    is_text,
)

MOST_BYTES = 512_000  # of a robots.txt that are read; Google reads 500 KiB, the least that the RFC asks for
TOO_MANY = 429
NO_RULES = "robots.txt could not be read"
FORBIDS = "robots.txt forbids it"
WAIT = (429, 503)  # answers whose Retry-After is obeyed


@dataclass(frozen=True)
class Robots:
    """The rules of one host. `text`: its robots.txt; None: it could not be had, so nothing may be asked."""

    text: str | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rules", Protego.parse(self.text or ""))

    def allows(self, url: str) -> bool:
        return self.text is not None and bool(self._rules.can_fetch(url, NAME))  # type: ignore[attr-defined]

    @property
    def delay(self) -> float:
        """The seconds that it asks to leave between two requests, 0 where it does not say."""
        delay = self._rules.crawl_delay(NAME)  # type: ignore[attr-defined]
        rate = self._rules.request_rate(NAME)  # type: ignore[attr-defined]
        return max(float(delay or 0), rate.seconds / rate.requests if rate and rate.requests else 0.0)

    @property
    def why_not(self) -> str:
        return NO_RULES if self.text is None else FORBIDS


def robots_of(status: int, body: bytes) -> Robots:
    """Return the rules that an answer means: no file allows everything, a server that fails allows nothing."""
    if status == TOO_MANY or status >= 500:
        return Robots(None)
    if 200 <= status < 300:
        return Robots(body.decode("utf-8-sig", "replace"))
    return Robots("")


def robots_url(url: str) -> str:
    """Return where the rules for a page are.

    >>> robots_url("https://shop.example:8443/a?b=1")
    'https://shop.example:8443/robots.txt'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"


class NotAsked(Exception):
    """A page that is left alone. Its text says why, in a few words for the user."""


class Rules(Protocol):
    """Where the rules of hosts are kept."""

    def robots(self, place: str, now: float) -> Robots | None: ...

    def keep_robots(self, place: str, robots: Robots, now: float) -> None: ...


@dataclass
class Hosts:
    """Asks as each host allows."""

    requests: Requests
    rate_limit: RateLimit
    kept: Rules
    limits: RequestLimits
    now: Callable[[], float] = time.time  # The clock of the day

    def __post_init__(self) -> None:
        self._robots: dict[str, Robots] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, url: str, left: float, most_bytes: int | None = None, wanted: Wanted = is_text) -> Response:
        """Return the answer to one request."""
        async with self.answer(url, left, most_bytes, wanted) as response:
            return response

    @asynccontextmanager
    async def answer(
        self, url: str, left: float, most_bytes: int | None = None, wanted: Wanted = is_text
    ) -> AsyncIterator[Response]:
        """Hand out the answer to one request; where the server asks for time, its host is left alone for that long."""
        host, _ = self.requests.place(url)
        wait = self.rate_limit.wait_for(host)
        if wait > self.limits.longest_wait:
            raise Unanswered(f"the server asks to wait {wait / 60:,.0f} minutes")
        if left <= 0:
            raise Unanswered("no answer in time")
        async with self.requests.answer(url, left, most_bytes, wanted) as response:
            if response.status in WAIT:
                self.rate_limit.pause(host, retry_after(response.headers.get("retry-after", ""), self.now()))
            yield response

    async def require_allowed(self, url: str) -> None:
        """Raise NotAsked where robots.txt forbids a page."""
        host, _ = self.requests.place(url)
        robots = await self._robots_of(url)
        if not robots.allows(url):
            raise NotAsked(robots.why_not)
        if robots.delay > self.limits.longest_wait:
            raise NotAsked(f"robots.txt asks for {robots.delay:,.0f} seconds between two pages")
        self.rate_limit.slow_down(host, robots.delay)

    async def _robots_of(self, url: str) -> Robots:
        place = robots_url(url)
        async with self._asking[place]:
            robots = self._robots.get(place) or self.kept.robots(place, self.now())
            if robots is None:
                robots = await self._ask_for_robots(place)
                if robots.text is not None:
                    self.kept.keep_robots(place, robots, self.now())
            self._robots[place] = robots
        return robots

    def forget_failures(self, urls: Iterable[str]) -> None:
        """Ask once more for the rules of hosts that could not say them."""
        for place in {robots_url(url) for url in urls}:
            if place in self._robots and self._robots[place].text is None:
                del self._robots[place]

    async def _ask_for_robots(self, url: str) -> Robots:
        """Return the rules of a host. Raises Unanswered where it does not answer at all: nor would its pages."""
        for _ in range(self.limits.redirects + 1):
            try:
                response = await self.requests.get(url, self.limits.seconds, MOST_BYTES)
            except Refused:  # it redirects to where nothing may be asked: there are no rules to be had
                return Robots("")
            if response.status in WAIT:
                host, _ = self.requests.place(url)
                self.rate_limit.pause(host, retry_after(response.headers.get("retry-after", ""), self.now()))
            if not response.redirect:
                return robots_of(response.status, response.body)
            url = response.redirect
        return Robots("")


def retry_after(header: str, now: float) -> float:
    """Return for how many seconds a server asks to be left alone, as a number or as a date; 0 where it does not say.

    >>> retry_after("120", 0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 30), retry_after("soon", 0)
    (120.0, 30.0, 0.0)
    """
    header = header.strip()
    if header.isdecimal():
        return float(header[:9])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return 0.0
