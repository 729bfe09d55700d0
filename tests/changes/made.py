"""What the tests of changes are made of."""

from backlink_audit.exports.recognise import Export
from tests.audit.exports import semrush

DATES = ("First seen", "Last seen")


def link(page: str, **more: str) -> dict[str, str]:
    return {"Source url": f"https://{page}.example/oak-tables", "Target url": "https://shop.example/oak-tables"} | more


def later(page: str, **more: str) -> dict[str, str]:
    return link(page) | {"Last seen": "2025-06-01"} | more


def older() -> Export:
    gone_before = link("gone", **{"Lost link": "true"})
    return semrush("older.csv", link("kept"), link("lost"), link("marked"), link("turned", Anchor="oak"), gone_before)


def newer() -> Export:
    return semrush(
        "newer.csv",
        later("kept"),
        later("marked", **{"Lost link": "true"}),
        later("turned", Anchor="table"),
        later("new", **{"First seen": "2025-05-05"}),
    )
