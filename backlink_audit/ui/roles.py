"""What a file is for: every role that a file can have, with what to bring for it."""

from dataclasses import dataclass
from typing import Literal

RoleName = Literal[
    "backlinks", "domains", "pages", "inlinks", "old_pages", "older", "competitors", "performance", "texts"
]


@dataclass(frozen=True)
class Role:
    """What a file is for.

    `tables`: the kinds of export that fit; `many`: several exports, each kept apart; `urls_will_do`: a list of URLs is
    enough where there is no export.
    """

    name: RoleName
    label: str
    bring: str
    tables: tuple[str, ...]
    many: bool = False
    urls_will_do: bool = False


ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role(
            "backlinks",
            "Backlinks",
            "A backlink export of your site from Ahrefs, Semrush, Majestic, Moz or Search Console, as downloaded "
            "(csv, tsv or xlsx). You can add several files; they are merged.",
            ("backlinks",),
        ),
        Role(
            "domains",
            "Referring domains",
            "A referring domains export of your site. Gap and Changes can use it instead of backlinks; the profile "
            "uses it for countries.",
            ("referring_domains",),
        ),
        Role(
            "pages",
            "Crawl of your site",
            "A crawl of your site, for instance Screaming Frog's “Internal: HTML” export (csv or xlsx).",
            ("pages",),
        ),
        Role("inlinks", "All inlinks", "Screaming Frog's “All inlinks” export of the same crawl.", ("inlinks",)),
        Role(
            "old_pages",
            "Crawl of the old site",
            "A crawl of your site before the change or move, or a list of its old URLs (csv or txt).",
            ("pages",),
            urls_will_do=True,
        ),
        Role(
            "older",
            "Older backlinks",
            "An older export of backlinks or referring domains of the same site, to compare with.",
            ("backlinks", "referring_domains"),
        ),
        Role(
            "competitors",
            "Competitors",
            "Exports of backlinks or referring domains of up to five competitors, from any tool. New files are "
            "added to the list.",
            ("backlinks", "referring_domains"),
            many=True,
        ),
        Role(
            "performance",
            "Clicks and visits",
            "Clicks or visits of your pages: Search Console performance (workbook, zip or its table of pages), GA4 "
            "“Pages and screens”, Ahrefs top pages or best by links. Several files are joined by page.",
            ("performance",),
        ),
        Role(
            "texts",
            "Linking texts",
            "Search Console's “Top linking text” of your site (csv, zip or xlsx), as downloaded.",
            ("linking_texts",),
        ),
    )
}
"""Every role a file can have, in the order in which they are shown."""
