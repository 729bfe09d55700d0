"""A web server on this machine that many names lead to, and a network in which they do: for tests alone.

Nothing that a user can set leads to this machine: the network of a check is an argument that only tests give.
"""

import asyncio
import gzip
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from backlink_audit.fetching.check import Network
from backlink_audit.fetching.reading import Reading, read_page
from backlink_audit.fetching.requests import RequestLimits, Response

QUICK = RequestLimits(pace=0.0, seconds=3.0, again_after=0.05, longest_wait=5.0, at_once=16)
"""RequestLimits for a server of our own."""


@dataclass
class Asked:
    """A request as the server saw it."""

    host: str
    path: str
    agent: str
    begun: float
    ended: float = 0.0


Page = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Server:
    """What stands where, and what was asked. A page is its HTML, or a function that answers by itself."""

    port: int = 0
    pages: dict[str, str | Page] = field(default_factory=dict)
    """By path, or by host and path."""
    asked: list[Asked] = field(default_factory=list)

    def url(self, path: str, host: str = "blog.example", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """The pages that were asked, without robots.txt."""
        return [one.path for one in self.asked if one.path != "/robots.txt"]

    def gaps(self) -> dict[str, float]:
        """By host: the shortest time between the end of a request and the beginning of the next."""
        by_host: dict[str, list[Asked]] = defaultdict(list)
        for one in self.asked:
            by_host[one.host].append(one)
        return {
            host: min(later.begun - sooner.ended for sooner, later in zip(all_of, all_of[1:], strict=False))
            for host, all_of in by_host.items()
            if len(all_of) > 1
        }


def answer(status: int = 200, body: bytes = b"", **headers: str) -> Page:
    """A page of that status; `Content_Type="text/html"` is a header."""

    def page(handler: BaseHTTPRequestHandler) -> None:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        handler.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **given}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return page


def raw(data: bytes) -> Page:
    """These bytes and nothing else."""

    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(data)

    return page


def redirect(to: str, status: int = 301) -> Page:
    return answer(status, Location=to)


def in_turn(*pages: str | Page) -> Page:
    """A page that answers differently each time; the last answer stays."""
    left = list(pages)

    def page(handler: BaseHTTPRequestHandler) -> None:
        show(handler, left.pop(0) if len(left) > 1 else left[0])

    return page


def drip(seconds: float, headers_too: bool = False) -> Page:
    """A page that comes byte by byte."""

    def page(handler: BaseHTTPRequestHandler) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n"
        if not headers_too:
            handler.wfile.write(head)
        until = time.monotonic() + seconds
        for letter in (head if headers_too else b"") + b"x" * 1_000_000:
            if time.monotonic() > until:
                return
            handler.wfile.write(bytes([letter]))
            handler.wfile.flush()
            time.sleep(0.05)

    return page


def zeros(gigabytes: int) -> Page:
    """So many gigabytes of zeros, gzipped: a few megabytes on the way."""
    block = gzip.compress(b"\0" * 64 * 1024**2, 6)

    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        for _ in range(gigabytes * 16):
            handler.wfile.write(block)

    return page


def show(handler: BaseHTTPRequestHandler, page: str | Page) -> None:
    (answer(200, page.encode(), Content_Type="text/html; charset=utf-8") if isinstance(page, str) else page)(handler)


@contextmanager
def serving(pages: dict[str, str | Page] | None = None, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server of these pages, under every name."""
    server = Server(pages=pages or {})

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host = (self.headers["Host"] or "").partition(":")[0]
            asked = Asked(host, self.path, self.headers["User-Agent"] or "", time.monotonic())
            server.asked.append(asked)
            found = server.pages.get(f"{host}{self.path}", server.pages.get(self.path))
            try:
                show(self, found if found is not None else answer(404))
            except OSError:  # the one who asked went away
                self.close_connection = True
            asked.ended = time.monotonic()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 512

        def handle_error(self, *_: object) -> None:
            """Say nothing of those who went away."""

    http = Quiet(("127.0.0.1", 0), Handler)
    server.port = http.server_address[1]
    if tls is not None:
        http.socket = tls.wrap_socket(http.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


async def here(host: str, port: int) -> list[str]:
    """Every name leads to this machine."""
    return ["127.0.0.1"]


class SameProcess:
    """Reads pages in this process: nobody has to wait for another one to begin."""

    def __init__(self, seconds: float) -> None:
        """The pages of these tests take no time."""

    async def read(self, response: Response, sites: Collection[str]) -> Reading:
        return read_page(response.body, response.url, sites, response.headers.get("content-type", ""))

    async def close(self) -> None:
        """There is nothing to give back."""


HERE = Network(find=here, readers=SameProcess)
"""A network in which every name leads to this machine."""


class FakeClock:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)
