"""A crawl of one's own site: what it will ask, and the crawl itself, which goes on where an earlier run was stopped.

A page, sitemap or server that is made to harm costs its own address, never the crawl: what was found is kept.
"""

import asyncio
import time
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.fetching import addresses, requests
from backlink_audit.fetching.check import how_long
from backlink_audit.fetching.hosts import NO_RULES, WAIT, Hosts, NotAsked
from backlink_audit.fetching.html import NO_TEXT
from backlink_audit.fetching.readers import Readers
from backlink_audit.fetching.reading import MOST_SITEMAP, page_address, site_of
from backlink_audit.fetching.site_pages import Address, Answer, Found
from backlink_audit.progress import Progress
from backlink_audit.settings import CrawlSettings
from backlink_audit.wording import count

STEP = "Crawling pages"
TICK = 0.5  # seconds between two reports
TRIES = 3  # how often an address is asked that gives no answer, or asks to wait
STRIKES = 5  # addresses in a row without an answer, after which the others are not asked
PAGES_EACH, BEYOND = 5, 1_000
"""Addresses that are kept waiting for each request that may be sent, and some more: no site makes the file endless."""
LIMIT = "limit"
SILENT = "the server did not answer several times in a row"
UNREADABLE = "it cannot be read"
AT_ONCE = 4  # pages under way: one is asked, while others are read


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

    Raises AuditError (the address cannot be asked, or the file is of a crawl from another start).
    """
    url = page_address("", start if "://" in start else f"https://{start}")
    place, _ = _guards(url, settings)
    try:
        host, _ = place(url)
    except addresses.Refused as why:
        local = "" if settings.local else " If it is a server of your own, add --local."
        raise AuditError(f"{start}: {why}.{local}") from None
    before = found.get("start")
    if before not in (None, url):
        raise AuditError(
            f"The unfinished crawl beside the output began at {before}; delete it, or give the output another name."
        )
    found.set("start", url)
    found.most = BEYOND + PAGES_EACH * settings.limit
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


def _guards(url: str, settings: CrawlSettings) -> tuple[addresses.Place, addresses.Find]:
    if not settings.local:
        return addresses.host_and_port, addresses.public_addresses
    parts = urlsplit(url)
    own = addresses.OwnServer(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
    return own.place, own.find


def crawl(plan: Plan, settings: CrawlSettings, found: Found, on_progress: Progress) -> str:
    """Ask the pages of a site, and return why it ended before all were asked; "" where all were.

    Raises StoreProblem. Whatever on_progress raises ends the crawl too.
    """
    if not plan.needs_requests:
        return LIMIT if plan.waiting else ""
    limits = requests.RequestLimits(about=settings.about or requests.PROJECT, purpose="site crawl", pace=settings.pace)
    try:
        stopped_by = asyncio.run(_run(plan, settings, limits, found, on_progress))
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from None
    found.shorten()
    return stopped_by


async def _run(
    plan: Plan, settings: CrawlSettings, limits: requests.RequestLimits, found: Found, on_progress: Progress
) -> str:
    place, find = _guards(plan.start, settings)
    rate_limit = requests.RateLimit(limits.pace, limits.at_once)
    readers = Readers(limits.seconds_to_read)
    try:
        async with addresses.connections(find, AT_ONCE) as pool:
            hosts = Hosts(requests.Requests(pool, rate_limit, limits, place, plan.left), rate_limit, found, limits)
            run = _Crawl(site_of(plan.start), found, hosts, readers, plan.limit - plan.left)
            async with asyncio.TaskGroup() as group:
                ticker = group.create_task(_report(found, on_progress))
                await run.all()
                ticker.cancel()
            return run.stopped_by
    finally:
        await readers.close()


class _Enough(Exception):
    """The crawl ends before all is asked. Its text says why."""


class _Crawl:
    """A crawl under way: asks the addresses that wait in the file, and keeps each answer."""

    def __init__(self, site: str, found: Found, hosts: Hosts, readers: Readers, sent_before: int) -> None:
        self._site, self._found, self._hosts, self._readers = site, found, hosts, readers
        self.stopped_by = ""
        self._sent_before = sent_before
        self._strikes = 0

    async def all(self) -> None:
        """Ask what waits, AT_ONCE at a time. A bug of ours ends the crawl, and its address is not asked again."""
        asking = dict[asyncio.Task[None], int]()
        try:
            while True:
                while len(asking) < AT_ONCE and not self.stopped_by:
                    address = self._found.next(asking.values())
                    if address is None:
                        break
                    asking[asyncio.create_task(self._visit(address))] = address.id
                if not asking:
                    return
                done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del asking[task]
                    task.result()
        finally:
            for task in asking:
                task.cancel()

    @property
    def _sent(self) -> int:
        return self._sent_before + self._hosts.requests.sent

    async def _visit(self, address: Address) -> None:
        try:
            await self._keep(address, await self._ask(address))
            self._strikes = 0
        except _Enough as why:
            self.stopped_by = self.stopped_by or str(why)
        except (NotAsked, addresses.Refused, requests.Unanswered, requests.NoneLeft) as why:
            try:
                self._keep_failure(address, why)
            except _Enough as enough:
                self.stopped_by = self.stopped_by or str(enough)
        except (StoreProblem, asyncio.CancelledError):
            raise
        except Exception:
            self._found.record(address, Answer(reason=UNREADABLE, asked_at=time.time()), self._sent)
            raise

    async def _ask(self, address: Address) -> requests.Response:
        await self._hosts.require_allowed(address.url)
        seconds = self._hosts.limits.seconds
        if address.kind == "page":
            return await self._hosts.get(address.url, seconds)
        return await self._hosts.get(address.url, seconds, MOST_SITEMAP, lambda _: True)

    async def _keep(self, address: Address, response: requests.Response) -> None:
        if response.status in WAIT and address.tries + 1 < TRIES:
            self._found.again(address, self._sent)
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
        may_list = address.kind != "page" and response.status == 200
        listed = await self._readers.listed(response) if may_list else None
        if listed is not None:
            self._list(replace(address, kind="sitemap"), answer, listed)
            return
        shell = False
        if response.status == 200 and requests.is_text(response.headers):
            most = self._hosts.limits.most_bytes  # what may have been a sitemap was allowed to be longer
            page = await self._readers.read_site_page(replace(response, body=response.body[:most]))
            shell = page.remark == NO_TEXT
            answer = replace(answer, page=page, reason=page.remark, redirect=page.refresh)
        elif may_list and not answer.redirect:
            answer = replace(answer, reason="neither a page nor a sitemap that can be read")
        onward = [answer.redirect] if answer.redirect and site_of(answer.redirect) == self._site else []
        self._found.record(address, answer, self._sent, shell, onward)

    def _list(self, address: Address, answer: Answer, listed: tuple[list[str], list[str]]) -> None:
        sitemaps, pages = ([url for url in urls if site_of(url) == self._site] for urls in listed)
        self._found.add(sitemaps, depth=0, kind="sitemap")
        self._found.add([page_address(address.url, "/")], depth=0)
        self._found.record(address, answer, self._sent, listed=pages)

    def _keep_failure(self, address: Address, why: Exception) -> None:
        """Keep why an address was not asked, or gave no answer, and ask it later once more where that may help."""
        if isinstance(why, requests.NoneLeft):
            raise _Enough(LIMIT)
        if isinstance(why, NotAsked) and str(why) == NO_RULES:
            raise _Enough(NO_RULES)
        if isinstance(why, requests.Unanswered):
            self._strikes += 1
            if self._strikes >= STRIKES:
                raise _Enough(SILENT)
            if address.tries + 1 < TRIES:
                self._found.again(address, self._sent)
                return
        self._found.record(address, Answer(reason=str(why), asked_at=time.time()), self._sent)


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
    if found.aside:
        notes.append(
            f"{count(found.aside, 'link')} left aside: days of calendars, combinations of filters, and more addresses "
            "than the limit can reach."
        )
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
