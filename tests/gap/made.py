"""What the tests of gap are made of."""

from functools import cache

from backlink_audit.exports.recognise import Export
from backlink_audit.gap.result import Gap
from backlink_audit.gap.run import find_gap
from backlink_audit.settings import GapSettings
from tests.audit.exports import semrush
from tests.toy import ToyEncoder

OURS, THEM, OTHER = "https://shop.example/", "https://them.example/", "https://other.example/"


def link(domain: str, target: str = THEM, title: str = "", **more: str) -> dict[str, str]:
    return {"Source url": f"https://{domain}.example/p", "Target url": target, "Source title": title} | more


def own() -> Export:
    return semrush(
        "ours.csv",
        link("fan", OURS + "oak-tables"),
        link("both", OURS + "garden-chairs"),
        link("gone", OURS, **{"Lost link": "true"}),
    )


def their() -> Export:
    return semrush(
        "them.csv",
        link("oakblog", title="oak tables"),
        link("both"),
        link("gone"),
        link("small", **{"Page ascore": "4"}),
        link("shop"),
    )


@cache
def make(**settings: object) -> Gap:
    """The gap with these settings, made once: no test changes it."""
    others = [their(), semrush("other.csv", link("oakblog", OTHER))]
    return find_gap(own(), others, GapSettings(**settings), ToyEncoder())  # type: ignore[arg-type]
