"""One page: asked with its redirects, read, and what that says put into an answer."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from backlink_audit.fetching.addresses import Refused
from backlink_audit.fetching.answers import GONE, Answer
from backlink_audit.fetching.hosts import Hosts, NotAsked
from backlink_audit.fetching.manners import Manners
from backlink_audit.fetching.readers import Reader
from backlink_audit.fetching.reading import Reading
from backlink_audit.fetching.requests import Response, Unanswered, is_text
from backlink_audit.text.urls import registrable_domain


@dataclass
class Pages:
    """Asks for pages."""

    hosts: Hosts
    readers: Reader
    manners: Manners

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
        left = self.manners.seconds
        for _ in range(self.manners.redirects + 1):
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
        raise Unanswered(f"more than {self.manners.redirects} redirects")


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
