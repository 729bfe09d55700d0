"""A crawl of one's own site: what it will ask, and the crawl itself, which goes on where an earlier run was stopped."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from scrapy.crawler import AsyncCrawlerRunner, Crawler

from backlink_audit.errors import AuditError
from backlink_audit.fetching.addresses import Find, OwnServer, Place, Refused, host_and_port, public_addresses
from backlink_audit.fetching.check import how_long
from backlink_audit.fetching.connections import connections
from backlink_audit.fetching.hosts import Hosts
from backlink_audit.fetching.manners import PROJECT, Manners
from backlink_audit.fetching.readers import Readers
from backlink_audit.fetching.requests import Requests
from backlink_audit.fetching.robots import NO_RULES
from backlink_audit.fetching.site.found import Found
from backlink_audit.fetching.site.spider import AT_ONCE, LIMIT, SETTINGS, SiteSpider
from backlink_audit.fetching.site_page import page_address, site_of
from backlink_audit.fetching.turns import Turns
from backlink_audit.progress import Progress
from backlink_audit.settings import CrawlSettings
from backlink_audit.wording import count

STEP = "Crawling pages"
TICK = 0.5
"""Seconds between two reports."""


@dataclass(frozen=True)
class Plan:
    """What a crawl will ask. `known`: pages that an earlier run has asked; `left`: requests that it may still send."""

    start: str
    host: str
    limit: int
    left: int
    known: int
    waiting: int
    pace: float

    @property
    def needs_requests(self) -> bool:
        """Whether anything is left to ask."""
        return self.waiting > 0 and self.left > 0

    @property
    def sentence(self) -> str:
        """What will be asked, before anything is."""
        already = f" {count(self.known, 'page')} already asked will not be asked again." if self.known else ""
        if not self.needs_requests:
            return f"No request is needed.{already}"
        pause = f", {self.pace:g} seconds apart: all of them take at least {how_long(self.left * self.pace)}"
        return (
            f"This crawl sends at most {count(self.left, 'request')} to {self.host}, robots.txt included, one at a time"
            f"{pause if self.pace else ''}.{already}"
        )


def begin(start: str, settings: CrawlSettings, found: Found) -> Plan:
    """Return what a crawl from this page or sitemap would ask, and put it on the list. Asks nobody.

    Raises:
        AuditError: the address cannot be asked, or the file is of a crawl from another start.
    """
    url = page_address("", start if "://" in start else f"https://{start}")
    place, _ = _guards(url, settings)
    try:
        host, _ = place(url)
    except Refused as why:
        local = "" if settings.local else " If it is a server of your own, add --local."
        raise AuditError(f"{start}: {why}.{local}") from None
    before = found.get("start")
    if before not in (None, url):
        raise AuditError(
            f"The unfinished crawl beside the output began at {before}; delete it, or give the output another name."
        )
    found.set("start", url)
    found.add([url], depth=0, kind="start")
    sent = int(found.get("sent") or 0)
    return Plan(
        start=url,
        host=host,
        limit=settings.limit,
        left=max(0, settings.limit - sent),
        known=found.count("done"),
        waiting=found.count("waiting"),
        pace=settings.pace,
    )


def _guards(url: str, settings: CrawlSettings) -> tuple[Place, Find]:
    """Return which URLs and addresses may be asked."""
    if not settings.local:
        return host_and_port, public_addresses
    parts = urlsplit(url)
    own = OwnServer(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
    return own.place, own.find


def crawl(plan: Plan, settings: CrawlSettings, found: Found, on_progress: Progress) -> str:
    """Ask the pages of a site, and return why it ended before all were asked; "" where all were.

    Raises:
        StoreProblem: what was found cannot be kept. Whatever on_progress raises ends the crawl too.
    """
    if not plan.needs_requests:
        return LIMIT if plan.waiting else ""
    manners = Manners(about=settings.about or PROJECT, purpose="site crawl", pace=settings.pace)
    try:
        stopped_by = asyncio.run(_run(plan, settings, manners, found, on_progress))
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from None
    found.shorten()
    return stopped_by


async def _run(plan: Plan, settings: CrawlSettings, manners: Manners, found: Found, on_progress: Progress) -> str:
    place, find = _guards(plan.start, settings)
    turns = Turns(manners.pace, manners.at_once)
    readers = Readers(manners.seconds_to_read)
    try:
        async with connections(find, AT_ONCE) as pool:
            hosts = Hosts(Requests(pool, turns, manners, place, plan.left), turns, found, manners)
            crawler = Crawler(SiteSpider, SETTINGS)
            given = {"site": site_of(plan.start), "found": found, "hosts": hosts, "readers": readers}
            sent_before = plan.limit - plan.left
            async with asyncio.TaskGroup() as group:
                ticker = group.create_task(_report(found, on_progress))
                await AsyncCrawlerRunner(SETTINGS).crawl(crawler, **given, sent_before=sent_before)
                ticker.cancel()
            spider = crawler.spider
            assert isinstance(spider, SiteSpider)
            if spider.problem is not None:
                raise spider.problem
            return spider.stopped_by
    finally:
        await readers.close()


async def _report(found: Found, on_progress: Progress) -> None:
    while True:
        done = found.count("done")
        on_progress(STEP, done, done + found.count("waiting"))
        await asyncio.sleep(TICK)


def what_came_out(plan: Plan, found: Found, stopped_by: str, path: Path) -> list[str]:
    """Return the sentences on a crawl: why it ended early, what cannot be read, and how many pages there are."""
    notes = []
    left = count(found.count("waiting"), "address", "addresses")
    if stopped_by == LIMIT:
        notes.append(
            f"The crawl ended at its limit of {count(plan.limit, 'request')}; {left} known but not asked. Run it "
            f"again with a larger --limit to go on, or delete {path} to begin anew."
        )
    elif stopped_by:
        why = f"{NO_RULES} of {plan.host}, so nothing may be asked" if stopped_by == NO_RULES else stopped_by
        notes.append(f"The crawl ended early: {why}; {left} not asked. Run it again later to go on.")
    shells = found.shells()
    if shells:
        notes.append(
            f"{count(shells, 'page')} without text or links until JavaScript runs: such pages are in the table with a "
            "remark, and what they show in a browser is not read."
        )
    statuses = found.statuses()
    by_status = ", ".join(f"{pages:,} with {status or 'no status'}" for status, pages in statuses)
    notes.append(f"{count(sum(pages for _, pages in statuses), 'address', 'addresses')} asked: {by_status or 'none'}.")
    return notes
