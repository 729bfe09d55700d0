"""Manners towards a host: one request at a time, a pause after each, and longer where it asks for that."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ready: float = 0.0
    """The moment of the clock from which it may be asked again."""
    pace: float = 0.0


class Turns:
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
        """Return in how many seconds a host may be asked."""
        return max(0.0, self._hosts[self._key(host)].ready - self._clock())

    @staticmethod
    def _key(host: str) -> str:
        """Return the name under which a host is known: with and without www. it is one server."""
        return host.removeprefix("www.")
