"""One request: who we say that we are, how often, how much and how long; one request a host at a time."""

import asyncio
import math
import ssl
import time
import zlib
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

import anyio
import h2.exceptions
import httpcore2 as httpcore
from w3lib.url import safe_url_string

from backlink_audit import __version__
from backlink_audit.fetching.addresses import Place, host_and_port
from backlink_audit.settings import CheckSettings

PROJECT = "https://pypi.org/project/backlink-audit/"
"""Where whoever is asked can read what asks, unless the user names a page of their own."""
NAME = "backlink-audit"  # by this name robots.txt can speak to it
REDIRECTS = (301, 302, 303, 307, 308)
UNPACKED = ("gzip", "x-gzip", "deflate")
LONGEST_URL = 8_192
Wanted = Callable[[Mapping[str, str]], bool]


@dataclass(frozen=True)
class RequestLimits:
    """Seconds and bytes are of one page with all its redirects; `pace` lies between two requests to one host.

    What a user may choose, and how low, stands in `settings.CheckSettings`.
    """

    about: str = PROJECT
    purpose: str = "link check"
    pace: float = 2.0
    seconds: float = 20.0
    most_bytes: int = 2_000_000  # Of a page, after decompression
    redirects: int = 5
    at_once: int = 64
    """Pages that are asked for, or wait to be read, each of another host; a kill loses no more than these."""
    hosts_at_once: int = 1_000  # Hosts that are asked in turn; the others wait until one of these is done
    again_after: float = 30.0
    """Seconds before a page that was gone, or could not be read for the moment, is asked a second time."""
    longest_wait: float = 600.0
    """Seconds; a host that asks for more (Retry-After, Crawl-delay) is left alone for this run."""
    seconds_to_read: float = 15.0  # For which a page's HTML is taken apart

    @property
    def agent(self) -> str:
        return f"{NAME}/{__version__} ({self.purpose}; +{self.about})"


def request_limits_of(settings: CheckSettings) -> RequestLimits:
    return RequestLimits(about=settings.about or PROJECT, pace=settings.pace)


@dataclass
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ready: float = 0.0  # The moment of the clock from which it may be asked again
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


class Unanswered(Exception):
    """There was no answer. Its text says why, in a few words for the user."""


class NoneLeft(Exception):
    """As many requests were begun as may be."""


@dataclass(frozen=True)
class Response:
    """What a server answered. Names of headers are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    whole: bool = True  # Whether all of the body is there
    seconds: float = 0.0  # What it took, without waiting for a turn

    @property
    def redirect(self) -> str:
        """Where it sends the visitor, "" where it does not."""
        place = self.headers.get("location", "")
        return joined(self.url, place) if self.status in REDIRECTS and place else ""


def joined(base: str, address: str) -> str:
    """Return an address of a page as a whole URL without fragment, "" for what is none.

    >>> joined("https://shop.example/a/b", " ../c d#top "), joined("https://shop.example/", "http://[bad")
    ('https://shop.example/c%20d', '')
    """
    try:
        url = safe_url_string(urljoin(base, address.strip())).partition("#")[0]
    except ValueError:
        return ""
    return url if len(url) <= LONGEST_URL else ""


def is_text(headers: Mapping[str, str]) -> bool:
    """Whether an answer says that it is a page or other text, or does not say what it is."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind in ("", "application/xhtml+xml", "application/xml") or kind.startswith("text/")


class Requests:
    """Asks, within the limits."""

    def __init__(
        self,
        pool: httpcore.AsyncConnectionPool,
        rate_limit: RateLimit,
        limits: RequestLimits,
        place: Place = host_and_port,
        most: float = math.inf,
    ) -> None:
        """`place`: which URLs may be asked; `most`: how many requests may be begun."""
        self._pool = pool
        self._rate_limit = rate_limit
        self._limits = limits
        self._most = most
        self.place = place
        self.sent = 0  # How many requests were begun

    async def get(self, url: str, seconds: float, most_bytes: int | None = None, wanted: Wanted = is_text) -> Response:
        """Return the answer to one request. Raises as `answer` does."""
        async with self.answer(url, seconds, most_bytes, wanted) as response:
            return response

    @asynccontextmanager
    async def answer(
        self, url: str, seconds: float, most_bytes: int | None = None, wanted: Wanted = is_text
    ) -> AsyncIterator[Response]:
        """Hand out the answer to one request; its turn lasts until it is used, so that few wait to be read.

        `wanted`: by its headers, whether its body is read.

        Raises:
            Refused: the address is not one that may be asked.
            Unanswered: there is no answer in time, or none that can be understood.
            NoneLeft: no more requests may be begun.
        """
        host, _ = self.place(url)
        async with self._rate_limit.turn(host):
            if self.sent >= self._most:
                raise NoneLeft
            self.sent += 1
            begun = time.monotonic()
            response = await self._in_time(url, seconds, most_bytes or self._limits.most_bytes, wanted)
            yield replace(response, seconds=time.monotonic() - begun)

    async def _in_time(self, url: str, seconds: float, most_bytes: int, wanted: Wanted) -> Response:
        try:
            async with asyncio.timeout(seconds):
                return await self._answer(url, most_bytes, wanted)
        except TimeoutError:
            raise Unanswered("no answer in time") from None
        except (OSError, anyio.BrokenResourceError, httpcore.NetworkError, httpcore.TimeoutException) as error:
            raise Unanswered(_in_words(error)) from None
        except (httpcore.ProtocolError, h2.exceptions.ProtocolError, httpcore.UnsupportedProtocol, ValueError):
            raise Unanswered("an answer that is not HTTP") from None

    async def _answer(self, url: str, most_bytes: int, wanted: Wanted) -> Response:
        headers: dict[bytes | str, bytes | str] = {
            "User-Agent": self._limits.agent,
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",
        }
        async with self._pool.stream("GET", url, headers=headers) as response:
            found = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            body, whole = b"", True
            if response.status not in REDIRECTS and wanted(found):
                body, whole = await _body(response, found.get("content-encoding", ""), most_bytes)
        return Response(url, response.status, found, body, whole)


async def _body(response: httpcore.Response, encoding: str, most: int) -> tuple[bytes, bool]:
    unpack = _unpacker(encoding.strip().lower())
    pieces, size = [], 0
    async for chunk in response.aiter_stream():
        piece = unpack(chunk, most - size + 1)
        pieces.append(piece)
        size += len(piece)
        if size > most:
            return b"".join(pieces)[:most], False
    return b"".join(pieces), True


def _unpacker(encoding: str) -> Callable[[bytes, int], bytes]:
    """Return what unpacks one chunk after the other, never more than so many bytes at once."""
    if encoding in ("", "identity"):
        return lambda chunk, _: chunk
    if encoding not in UNPACKED:
        raise Unanswered(f"packed as {encoding[:20]}, which was not asked for")
    unpacked = zlib.decompressobj(zlib.MAX_WBITS | 32)  # gzip or zlib, whichever it is
    raw = zlib.decompressobj(-zlib.MAX_WBITS)
    begun = False

    def unpack(chunk: bytes, most: int) -> bytes:
        nonlocal unpacked, begun
        try:
            piece = unpacked.decompress(chunk, most)
        except zlib.error:
            if begun:
                raise Unanswered("its packed text is damaged") from None
            unpacked = raw  # some servers send deflate without its header
            try:
                piece = unpacked.decompress(chunk, most)
            except zlib.error:
                raise Unanswered("its packed text is damaged") from None
        begun = True
        return piece

    return unpack


def _in_words(error: Exception) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return "its certificate or encryption (TLS) is not valid"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpcore.ConnectError | httpcore.ConnectTimeout | OSError):
        return "the name is not known" if "name is not known" in str(error) else "the server cannot be reached"
    return "the connection broke off"
