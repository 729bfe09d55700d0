"""How the network is asked: who we say that we are, how often, how much and how long."""

from dataclasses import dataclass

from backlink_audit import __version__
from backlink_audit.settings import CheckSettings

PROJECT = "https://pypi.org/project/backlink-audit/"
"""Where whoever is asked can read what asks, unless the user names a page of their own."""
NAME = "backlink-audit"
"""By this name robots.txt can speak to it."""


@dataclass(frozen=True)
class Manners:
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
        """What every request says of who asks."""
        return f"{NAME}/{__version__} ({self.purpose}; +{self.about})"


def manners_of(settings: CheckSettings) -> Manners:
    """Return the manners that a user chose."""
    return Manners(about=settings.about or PROJECT, pace=settings.pace)
