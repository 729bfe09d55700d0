"""How the network is asked: who we say that we are, how often, how much and how long; one request a host at a time."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from backlink_audit import __version__
from backlink_audit.settings import CheckSettings

PROJECT = "https://pypi.org/project/backlink-audit/"
"""Where whoever is asked can read what asks, unless the user names a page of their own."""
NAME = "backlink-audit"  # by this name robots.txt can speak to it


@dataclass(frozen=True)
class RequestLimits:
    """Seconds and bytes are of one page with all its redirects; `pace` lies between two requests to one host.

    What a user may choose, and how low, stands in `settings.CheckSettings`.
    """

    about: str = PROJECT
    purpose: str = "link check"
    pace: float = 2.0
    seconds: float = 20.0
    most_bytes: int = 2_000_000
    """Of a page, after decompression."""
    redirects: int = 5
    at_once: int = 64
    """Pages that are asked for, or wait to be read, each of another host; a kill loses no more than these."""
    hosts_at_once: int = 1_000
    """Hosts that are asked in turn; the others wait until one of these is done."""
    again_after: float = 30.0
    """Seconds before a page that was gone, or could not be read for the moment, is asked a second time."""
    longest_wait: float = 600.0
    """Seconds; a host that asks for more (Retry-After, Crawl-delay) is left alone for this run."""
    seconds_to_read: float = 15.0
    """For which a page's HTML is taken apart."""

    @property
    def agent(self) -> str:
        return f"{NAME}/{__version__} ({self.purpose}; +{self.about})"


def request_limits_of(settings: CheckSettings) -> RequestLimits:
    return RequestLimits(about=settings.about or PROJECT, pace=settings.pace)


@dataclass
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ready: float = 0.0
    """The moment of the clock from which it may be asked again."""
    pace: float = 0.0


class RateLimit:
    """Whose turn it is. `pace`: seconds between the end of a request and the next one to the same host.

    `clock` never goes back, unlike that of the day.
    """

    def __init__(
        self,
        pace: float,
        at_once: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._pace = pace
        self._clock = clock
        self._sleep = sleep
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)
        self._places = asyncio.Semaphore(at_once)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait until a host may be asked; it may be again some time after the request is over."""
        one = self._hosts[self._key(host)]
        async with one.lock:
            while (left := one.ready - self._clock()) > 0:
                await self._sleep(left)
            async with self._places:
                try:
                    yield
                finally:
                    one.ready = max(one.ready, self._clock() + max(self._pace, one.pace))

    def slow_down(self, host: str, pace: float) -> None:
        """Leave so many seconds between requests to a host from now on, where that is more."""
        one = self._hosts[self._key(host)]
        one.pace = max(one.pace, pace)

    def pause(self, host: str, seconds: float) -> None:
        """Ask a host nothing for so many seconds."""
        one = self._hosts[self._key(host)]
        one.ready = max(one.ready, self._clock() + seconds)

    def wait_for(self, host: str) -> float:
        return max(0.0, self._hosts[self._key(host)].ready - self._clock())

    @staticmethod
    def _key(host: str) -> str:
        return host.removeprefix("www.")
