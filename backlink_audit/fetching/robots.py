"""What robots.txt allows (RFC 9309), read with protego."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from backlink_audit.fetching.manners import NAME

MOST_BYTES = 512_000
"""Of a robots.txt that are read; Google reads 500 KiB, the least that the RFC asks for."""
TOO_MANY = 429
NO_RULES = "robots.txt could not be read"
FORBIDS = "robots.txt forbids it"


@dataclass(frozen=True)
class Robots:
    """The rules of one host. `text`: its robots.txt; None: it could not be had, so nothing may be asked."""

    text: str | None

    def __post_init__(self) -> None:
        """Read the rules once."""
        object.__setattr__(self, "_rules", Protego.parse(self.text or ""))

    def allows(self, url: str) -> bool:
        """Whether a page may be asked."""
        return self.text is not None and bool(self._rules.can_fetch(url, NAME))  # type: ignore[attr-defined]

    @property
    def delay(self) -> float:
        """The seconds that it asks to leave between two requests, 0 where it does not say."""
        delay = self._rules.crawl_delay(NAME)  # type: ignore[attr-defined]
        rate = self._rules.request_rate(NAME)  # type: ignore[attr-defined]
        return max(float(delay or 0), rate.seconds / rate.requests if rate and rate.requests else 0.0)

    @property
    def why_not(self) -> str:
        """Why a page that is not allowed was not asked, in a few words."""
        return NO_RULES if self.text is None else FORBIDS


def robots_of(status: int, body: bytes) -> Robots:
    """Return the rules that an answer to the question for robots.txt means.

    A file that is not there allows everything; a server that fails, or that asks not to be asked, allows nothing.
    """
    if status == TOO_MANY or status >= 500:
        return Robots(None)
    if 200 <= status < 300:
        return Robots(body.decode("utf-8-sig", "replace"))
    return Robots("")


def robots_url(url: str) -> str:
    """Return where the rules for a page are.

    >>> robots_url("https://shop.example:8443/a?b=1")
    'https://shop.example:8443/robots.txt'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"
