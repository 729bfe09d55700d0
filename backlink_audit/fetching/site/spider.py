"""The parts of Scrapy that a crawl replaces: where its requests wait, how they are asked, what is done with answers."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from scrapy import Request, Spider
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response as ScrapyResponse
from scrapy.utils.gz import gunzip
from scrapy.utils.sitemap import Sitemap

from backlink_audit.fetching.addresses import Refused
from backlink_audit.fetching.hosts import WAIT, Hosts, NotAsked
from backlink_audit.fetching.readers import Readers
from backlink_audit.fetching.requests import NoneLeft, Response, Unanswered, is_text
from backlink_audit.fetching.robots import NO_RULES
from backlink_audit.fetching.site.found import Address, Answer, Found
from backlink_audit.fetching.site_page import page_address, site_of
from backlink_audit.fetching.walls import NO_TEXT

TRIES = 3
"""How often an address is asked that gives no answer, or asks to wait."""
STRIKES = 5
"""Addresses in a row without an answer, after which the others are not asked."""
MOST_SITEMAP = 50_000_000
"""Bytes of a sitemap, unpacked: as many as its definition allows."""
GZIP = b"\x1f\x8b\x08"
LIMIT = "limit"
SILENT = "the server did not answer several times in a row"
AT_ONCE = 4
"""Pages under way: one is asked, while others are read."""
SETTINGS: dict[str, Any] = {
    "TWISTED_REACTOR_ENABLED": False,
    "LOG_ENABLED": False,
    "CONCURRENT_REQUESTS": AT_ONCE,
    "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOADER_MIDDLEWARES_BASE": {},
    "SPIDER_MIDDLEWARES_BASE": {},
    "EXTENSIONS_BASE": {},
    "SCHEDULER": f"{__name__}.Queue",
    "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), f"{__name__}.Politely"),
}
"""The pace, redirects, robots.txt, compression and cookies are those of the link check: its own parts ask."""


class _Enough(Exception):
    """The crawl ends before all is asked. Its text says why."""


class Queue(BaseScheduler):
    """The addresses that wait in the crawl's file, nearest to the start first."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "Queue":
        """Return the queue of a crawl."""
        return cls(crawler.spider)

    def __init__(self, spider: Any) -> None:
        self._found: Found = spider.found
        self._asking: set[int] = spider.asking

    def has_pending_requests(self) -> bool:
        """Whether there is an address to ask."""
        return self._found.next(self._asking) is not None

    def enqueue_request(self, request: Request) -> bool:
        """Take no other request."""
        return False

    def next_request(self) -> Request | None:
        """Return the request for the next address."""
        address = self._found.next(self._asking)
        if address is None:
            return None
        self._asking.add(address.id)
        return Request(address.url, meta={"address": address}, dont_filter=True)


class Politely(BaseDownloadHandler):
    """Asks as the link check does."""

    def __init__(self, crawler: Crawler) -> None:
        """Take what asks from the spider."""
        super().__init__(crawler)
        self._spider: Any = crawler.spider

    async def download_request(self, request: Request) -> ScrapyResponse:
        """Put what came out into the request's meta: our own response, or the exception that says why there is none."""
        came_out: Response | Exception
        try:
            came_out = await self._ask(request.meta["address"])
        except Exception as why:  # Scrapy would log it and go on
            came_out = why
        request.meta["came_out"] = came_out
        return ScrapyResponse(request.url, request=request)

    async def _ask(self, address: Address) -> Response:
        hosts: Hosts = self._spider.hosts
        await hosts.require_allowed(address.url)
        if address.kind == "page":
            return await hosts.get(address.url, hosts.manners.seconds)
        return await hosts.get(address.url, hosts.manners.seconds, MOST_SITEMAP, lambda _: True)


class SiteSpider(Spider):
    """Asks every page of a site, and keeps what each says."""

    name = "site"

    def __init__(self, site: str, found: Found, hosts: Hosts, readers: Readers, sent_before: int) -> None:
        """Begin, or go on with what has been found."""
        super().__init__()
        self.site, self.found, self.hosts, self.readers = site, found, hosts, readers
        self.asking: set[int] = set()
        self.problem: Exception | None = None
        self.stopped_by = ""
        self._sent_before = sent_before
        self._strikes = 0

    @property
    def sent(self) -> int:
        """How many requests the crawl has sent, earlier runs included."""
        return self._sent_before + self.hosts.requests.sent

    async def start(self) -> AsyncIterator[Any]:
        """Yield nothing: the addresses wait in the file."""
        return
        yield

    async def parse(self, response: ScrapyResponse) -> None:
        """Keep what came out for an address. Whatever goes wrong ends the crawl: what was found is kept."""
        address: Address = response.meta["address"]
        came_out: Response | Exception = response.meta["came_out"]
        try:
            if isinstance(came_out, Response):
                await self._keep(address, came_out)
                self._strikes = 0
            else:
                self._keep_failure(address, came_out)
        except _Enough as why:
            self.stopped_by = self.stopped_by or str(why)
            raise CloseSpider from None
        except Exception as problem:
            self.problem = self.problem or problem
            raise CloseSpider from None
        finally:
            self.asking.discard(address.id)

    async def _keep(self, address: Address, response: Response) -> None:
        if response.status in WAIT and address.tries + 1 < TRIES:
            self.found.again(address, self.sent)
            return
        answer = Answer(
            status=response.status,
            content_type=response.headers.get("content-type", ""),
            robots_tag=response.headers.get("x-robots-tag", ""),
            redirect=page_address(response.url, response.headers.get("location", "")) if response.redirect else "",
            size=len(response.body),
            seconds=response.seconds,
            asked_at=time.time(),
        )
        listed = _listed(response.body) if address.kind != "page" and response.status == 200 else None
        if listed is not None:
            await self._list(replace(address, kind="sitemap"), answer, listed)
            return
        shell = False
        if response.status == 200 and is_text(response.headers):
            page = await self.readers.read_site_page(response)
            shell = page.remark == NO_TEXT
            answer = replace(answer, page=page, reason=page.remark, redirect=page.refresh)
        onward = [answer.redirect] if answer.redirect and site_of(answer.redirect) == self.site else []
        self.found.record(address, answer, self.sent, shell, onward)

    async def _list(self, address: Address, answer: Answer, listed: tuple[list[str], list[str]]) -> None:
        """Keep what a sitemap lists of the site; how deep its pages are is counted from the home page."""
        sitemaps, pages = ([url for url in urls if site_of(url) == self.site] for urls in listed)
        self.found.add(sitemaps, depth=0, kind="sitemap")
        self.found.add([page_address(address.url, "/")], depth=0)
        self.found.record(address, answer, self.sent, listed=pages)

    def _keep_failure(self, address: Address, why: Exception) -> None:
        """Keep why an address was not asked, or gave no answer, and ask it later once more where that may help."""
        if isinstance(why, NoneLeft):
            raise _Enough(LIMIT)
        if isinstance(why, NotAsked) and str(why) == NO_RULES:
            raise _Enough(NO_RULES)
        if isinstance(why, Unanswered):
            self._strikes += 1
            if self._strikes >= STRIKES:
                raise _Enough(SILENT)
            if address.tries + 1 < TRIES:
                self.found.again(address, self.sent)
                return
        elif not isinstance(why, NotAsked | Refused):
            raise why
        self.found.record(address, Answer(reason=str(why), asked_at=time.time()), self.sent)


def _listed(body: bytes) -> tuple[list[str], list[str]] | None:
    """Return the sitemaps and the pages that a sitemap lists, None where it is none."""
    if body.startswith(GZIP):
        body = gunzip(body, max_size=MOST_SITEMAP)
    if b"<urlset" not in body[:4096] and b"<sitemapindex" not in body[:4096]:
        return None
    sitemap = Sitemap(body)
    urls = [url for entry in sitemap if (url := page_address(entry.get("loc", ""), ""))]
    return (urls, []) if sitemap.type == "sitemapindex" else ([], urls)
