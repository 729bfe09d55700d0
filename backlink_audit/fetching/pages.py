"""One page: asked with its redirects, read, and what that says put into an answer."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime

from backlink_audit.fetching.addresses import Refused, host_and_port
from backlink_audit.fetching.answers import GONE, Answer
from backlink_audit.fetching.kept import Kept
from backlink_audit.fetching.manners import Manners
from backlink_audit.fetching.readers import Reader
from backlink_audit.fetching.reading import Reading
from backlink_audit.fetching.requests import Requests, Response, Unanswered, is_text
from backlink_audit.fetching.robots import MOST_BYTES, Robots, robots_of, robots_url
from backlink_audit.fetching.turns import Turns
from backlink_audit.text.urls.parts import registrable_domain

WAIT = (429, 503)
"""Answers whose Retry-After is obeyed."""


class NotAsked(Exception):
    """A page that is left alone. Its text says why, in a few words for the user."""


@dataclass
class Pages:
    """Asks for pages."""

    requests: Requests
    turns: Turns
    readers: Reader
    kept: Kept
    manners: Manners
    now: Callable[[], float] = time.time
    """The clock of the day."""

    def __post_init__(self) -> None:
        """Nothing is known of any host yet."""
        self._robots: dict[str, Robots] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ask(self, url: str, sites: Collection[str]) -> Answer:
        """Return what came out. Neither a server nor its page can make this fail."""
        answer = Answer(url, "not readable", asked_at=self.now())
        try:
            response, reading = await self._follow(url, sites)
        except (NotAsked, Refused) as why:
            return replace(answer, outcome="not asked", reason=str(why))
        except Unanswered as why:
            return replace(answer, reason=str(why))
        answer = replace(answer, status=response.status, final_url=response.url)
        if response.status in GONE:
            return replace(answer, outcome="gone", reason=f"the server answered {response.status}")
        reason = _why_unread(response, reading)
        return replace(answer, outcome="not readable" if reason else "read", reason=reason, reading=reading)

    async def _follow(self, url: str, sites: Collection[str]) -> tuple[Response, Reading]:
        """Return the last answer on the way of redirects, and what that page says."""
        left = self.manners.seconds
        for _ in range(self.manners.redirects + 1):
            await self._require_allowed(url)
            response = await self._get(url, left)
            left -= response.seconds
            reading = Reading()
            next_url = response.redirect
            if not next_url and response.status == 200 and is_text(response.headers):
                reading = await self.readers.read(response, sites)
                next_url = reading.refresh if reading.refresh != response.url else ""
            if not next_url:
                return response, reading
            if registrable_domain(next_url) in sites:
                return replace(response, url=next_url), Reading()
            url = next_url
        raise Unanswered(f"more than {self.manners.redirects} redirects")

    async def _get(self, url: str, left: float) -> Response:
        """Return the answer to one request; where the server asks for time, its host is left alone for that long."""
        host, _ = host_and_port(url)
        wait = self.turns.wait_for(host)
        if wait > self.manners.longest_wait:
            raise Unanswered(f"the server asks to wait {wait / 60:,.0f} minutes")
        if left <= 0:
            raise Unanswered("no answer in time")
        response = await self.requests.get(url, left)
        if response.status in WAIT:
            self.turns.pause(host, retry_after(response.headers.get("retry-after", ""), self.now()))
        return response

    async def _require_allowed(self, url: str) -> None:
        """Raise NotAsked where robots.txt forbids a page."""
        host, _ = host_and_port(url)
        robots = await self._robots_of(url)
        if not robots.allows(url):
            raise NotAsked(robots.why_not)
        if robots.delay > self.manners.longest_wait:
            raise NotAsked(f"robots.txt asks for {robots.delay:,.0f} seconds between two pages")
        self.turns.slow_down(host, robots.delay)

    async def _robots_of(self, url: str) -> Robots:
        """Return the rules of a page's host, which are asked for once."""
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
        for _ in range(self.manners.redirects + 1):
            try:
                response = await self.requests.get(url, self.manners.seconds, MOST_BYTES)
            except Refused:  # it redirects to where nothing may be asked: there are no rules to be had
                return Robots("")
            if response.status in WAIT:
                host, _ = host_and_port(url)
                self.turns.pause(host, retry_after(response.headers.get("retry-after", ""), self.now()))
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


def _why_unread(response: Response, reading: Reading) -> str:
    """Return why nothing can be said of a page's links, "" where it can."""
    if response.redirect:
        return ""
    if response.status != 200:
        return f"the server answered {response.status}"
    if not is_text(response.headers):
        return "not an HTML page"
    if not response.whole and not reading.links:
        return f"no link in its first {len(response.body) / 1e6:.0f} MB"
    return reading.wall
