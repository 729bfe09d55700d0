"""Asks all pages of an export, host beside host, and goes on where an earlier run was stopped."""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from backlink_audit.fetching.addresses import Find, Refused, connections, host_and_port, public_addresses
from backlink_audit.fetching.answers import GONE, Age, Answer, AnswerCache
from backlink_audit.fetching.hosts import Hosts, NotAsked, robots_url
from backlink_audit.fetching.readers import Reader, Readers
from backlink_audit.fetching.reading import Reading
from backlink_audit.fetching.requests import RateLimit, RequestLimits, Requests, Response, Unanswered, is_text
from backlink_audit.progress import Progress, silent
from backlink_audit.text.urls import registrable_domain
from backlink_audit.wording import count

STEP = "Checking pages"
TICK = 0.5  # seconds between two reports
ROUNDS = 2  # how often a page is asked again that was gone, or not readable for the moment
STRIKES = 3  # pages in a row without an answer, after which a host's other pages are not asked
NO_MORE = "the server did not answer several times in a row"


@dataclass
class Pages:
    """Asks for pages."""

    hosts: Hosts
    readers: Reader
    limits: RequestLimits

    async def ask(self, url: str, sites: Collection[str]) -> Answer:
        """Return what came out. Neither a server nor its page can make this fail."""
        answer = Answer(url, "not readable", asked_at=self.hosts.now())
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
        left = self.limits.seconds
        for _ in range(self.limits.redirects + 1):
            await self.hosts.require_allowed(url)
            async with self.hosts.answer(url, left) as response:
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
        raise Unanswered(f"more than {self.limits.redirects} redirects")


def _why_unread(response: Response, reading: Reading) -> str:
    if response.redirect:
        return ""
    if response.status != 200:
        return f"the server answered {response.status}"
    if not is_text(response.headers):
        return "not an HTML page"
    if not response.whole and not reading.links:
        return f"no link in its first {len(response.body) / 1e6:.0f} MB"
    return reading.wall


@dataclass(frozen=True)
class Plan:
    """What a check will ask. `pages`: those to ask; `known`: how many have a fresh answer already."""

    pages: tuple[str, ...]
    known: int
    hosts: int
    requests: int  # At least: redirects, and pages that are gone or not readable, need more
    seconds: float  # At least: that is how long the host with most pages takes

    @property
    def sentence(self) -> str:
        """What will be asked, before anything is."""
        already = f" {count(self.known, 'page')} already checked will not be asked again." if self.known else ""
        if not self.pages:
            return f"No request is needed.{already}"
        return (
            f"This check sends at least {count(self.requests, 'request')} to {count(self.hosts, 'host')}: "
            f"{count(len(self.pages), 'page')}, and robots.txt of each host. It takes at least "
            f"{how_long(self.seconds)}.{already}"
        )


def plan(urls: Iterable[str], sites: Collection[str], kept: AnswerCache, limits: RequestLimits, age: Age) -> Plan:
    """Return what a check of these pages would ask now."""
    now = time.time()
    distinct = list(dict.fromkeys(urls))
    fresh = {url for url in distinct if _known(kept, url, sites, age, now) is not None}
    by_host = _by_host([url for url in distinct if url not in fresh])
    places = {robots_url(url) for pages in by_host.values() for url in pages}
    asked = sum(map(len, by_host.values()))
    robots = sum(kept.robots(place, now) is None for place in places)
    most = max(map(len, by_host.values()), default=0)
    return Plan(
        pages=tuple(url for pages in by_host.values() for url in pages),
        known=len(fresh),
        hosts=len(by_host),
        requests=asked + robots,
        seconds=most * limits.pace,
    )


@dataclass(frozen=True)
class Network:
    """What a check asks through. Only tests replace any of it: they have servers on their own machine."""

    find: Find = public_addresses
    trusted: ssl.SSLContext | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    readers: Callable[[float], Reader] = Readers


PUBLIC = Network()


def check_pages(
    urls: Iterable[str],
    sites: Collection[str],
    kept: AnswerCache,
    limits: RequestLimits,
    age: Age,
    on_progress: Progress = silent,
    network: Network = PUBLIC,
) -> Iterator[Answer]:
    """Yield the answer of every page, asked now or before; `sites`: to whose pages links are looked for.

    Raises:
        StoreProblem: answers cannot be kept. Whatever on_progress raises ends the check too; what was answered is kept.
    """
    distinct = list(dict.fromkeys(urls))
    now = time.time()
    to_ask = [url for url in distinct if _known(kept, url, sites, age, now) is None]
    by_host = _by_host(to_ask)
    hostless = set(to_ask) - {url for pages in by_host.values() for url in pages}
    if by_host:
        run = _Run(sites, kept, limits, on_progress, len(distinct), len(distinct) - len(to_ask), network)
        try:
            asyncio.run(run.check(list(by_host.values())))
        except BaseExceptionGroup as problems:
            raise _first(problems) from None
    for url in distinct:
        answer = None if url in hostless else kept.answer(url, sites)
        yield answer if answer is not None else _odd(url)


class _Run:
    """One check under way."""

    def __init__(
        self,
        sites: Collection[str],
        kept: AnswerCache,
        limits: RequestLimits,
        on_progress: Progress,
        total: int,
        done: int,
        network: Network,
    ) -> None:
        self._sites, self._kept, self._limits, self._network = sites, kept, limits, network
        self._on_progress, self._total, self._done = on_progress, total, done

    async def check(self, hosts: Sequence[Sequence[str]]) -> None:
        limits, network = self._limits, self._network
        readers = network.readers(limits.seconds_to_read)
        rate_limit = RateLimit(limits.pace, limits.at_once, network.clock, network.sleep)
        try:
            async with connections(network.find, limits.at_once, network.trusted) as pool:
                polite = Hosts(Requests(pool, rate_limit, limits), rate_limit, self._kept, limits)
                pages = Pages(polite, readers, limits)
                left = iter(sorted(hosts, key=len, reverse=True))
                async with asyncio.TaskGroup() as group:
                    ticker = group.create_task(self._report())
                    work = [group.create_task(self._ask_hosts(left, pages)) for _ in hosts[: limits.hosts_at_once]]
                    await asyncio.wait(work)
                    ticker.cancel()
        finally:
            await readers.close()
        self._on_progress(STEP, self._done, self._total)

    async def _report(self) -> None:
        while True:
            self._on_progress(STEP, self._done, self._total)
            await asyncio.sleep(TICK)

    async def _ask_hosts(self, left: Iterator[Sequence[str]], pages: Pages) -> None:
        for urls in left:
            await self._ask_host(urls, pages)

    async def _ask_host(self, urls: Sequence[str], pages: Pages) -> None:
        again = await self._ask_each(urls, pages)
        for _ in range(ROUNDS):
            if not again:
                return
            await self._network.sleep(self._limits.again_after)
            pages.hosts.forget_failures(again)
            again = await self._ask_each(again, pages, again=True)

    async def _ask_each(self, urls: Sequence[str], pages: Pages, again: bool = False) -> list[str]:
        """Ask pages and keep their answers; return those to ask again."""
        later, strikes = [], 0
        for url in urls:
            before = self._kept.answer(url, self._sites)
            if strikes < STRIKES:
                answer = await pages.ask(url, self._sites)
                strikes = strikes + 1 if answer.outcome == "not readable" and not answer.status else 0
            else:
                answer = Answer(url, "not readable", NO_MORE, asked_at=time.time())
            if before is not None and before.outcome == answer.outcome == "gone":
                answer = replace(answer, times=before.times + 1)
            if answer.may_change_soon and answer.reason != NO_MORE:
                later.append(url)
            self._kept.keep(answer, self._sites)
            self._done += not again
        return later


def _known(kept: AnswerCache, url: str, sites: Collection[str], age: Age, now: float) -> Answer | None:
    answer = kept.answer(url, sites)
    if answer is None or not age.is_fresh(answer, now) or (answer.outcome == "gone" and answer.may_change_soon):
        return None
    return answer


def _by_host(urls: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for url in urls:
        try:
            host, _ = host_and_port(url)
        except Refused:
            continue
        found.setdefault(host, []).append(url)
    return found


def _odd(url: str) -> Answer:
    try:
        host_and_port(url)
    except Refused as why:
        return Answer(url, "not asked", str(why), asked_at=time.time())
    return Answer(url, "not readable", "it was not asked", asked_at=time.time())


def _first(problems: BaseExceptionGroup[BaseException]) -> BaseException:
    found: BaseException = problems
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


def how_long(seconds: float) -> str:
    """Return a time in words.

    >>> how_long(20), how_long(100), how_long(9000)
    ('a minute', '2 minutes', '2.5 hours')
    """
    minutes = seconds / 60
    if minutes <= 1:
        return "a minute"
    return f"{minutes:.0f} minutes" if minutes < 100 else f"{minutes / 60:.1f} hours"
