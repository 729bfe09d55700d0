"""What a run works on: every role that a file can have, and the further files of a run as one frozen object.

A feature's own file is given to it by itself; what only adds to it comes in `Sources`. The page's uploaders, the
terminal's options and the key of a result are made of the table, so that a new source is one role and one field here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

    from backlink_audit.exports.recognise import Export

RoleName = Literal[
    "backlinks",
    "domains",
    "pages",
    "inlinks",
    "old_pages",
    "older",
    "competitors",
    "performance",
    "texts",
    "referring_pages",
    "outlinks",
    "checked",
    "ranks",
    "citations",
]
FeatureName = Literal[
    "audit",
    "profile",
    "competitors",
    "risk",
    "gap",
    "changes",
    "reclaim",
    "check",
    "watch",
    "crawl",
    "interlinks",
    "clusters",
    "authority",
    "inlinks",
    "redirects",
    "citations",
    "search",
]
"""Features as the terminal calls them."""


@dataclass(frozen=True)
class Use:
    """What a role's file adds to one feature, in the words of the terminal's help.

    `asked`: its page shows an uploader; else the file is taken where it is loaded. `option`: the terminal takes it.
    `later`: it is joined to the result, so that another file needs no new run.
    """

    help: str = ""
    asked: bool = True
    option: bool = True
    later: bool = False


@dataclass(frozen=True)
class Role:
    """What a file is for.

    `tables`: the kinds of export that fit; `many`: several exports, each kept apart; `several`: the terminal's option
    may be repeated; `urls_will_do`: a list of URLs is enough where there is no export; `shows`: what it shows beside an
    audit of backlinks, in words; `adds`: the features that take it besides their own file.
    """

    name: RoleName
    label: str
    bring: str
    tables: tuple[str, ...]
    many: bool = False
    several: bool = False
    urls_will_do: bool = False
    shows: str = ""
    adds: Mapping[FeatureName, Use] = field(default_factory=dict)


def _of_audits(help: str) -> dict[FeatureName, Use]:
    """Return the use of what every audit of links takes, and only its own page asks for."""
    return {
        "audit": Use(help),
        "profile": Use(help, asked=False),
        "risk": Use(help, asked=False),
        "reclaim": Use(help, asked=False),
        "watch": Use(help, asked=False),
    }


_TITLES = Use("A crawl of the target site, to compare with its titles and H1s.")
_EARNED = (
    "Clicks or visits of the site's pages: Search Console performance, GA4 pages, Ahrefs top pages. Repeat the option "
    "for each file."
)

ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role(
            "backlinks",
            "Backlinks",
            "A backlink export of your site from Ahrefs, Semrush, Majestic, Moz or Search Console, as downloaded "
            "(csv, tsv or xlsx). You can add several files; they are merged.",
            ("backlinks",),
            several=True,
            adds={
                "authority": Use(
                    "Backlink exports, for the authority that comes from other sites; repeat the option for each file.",
                    asked=False,
                    later=True,
                ),
                "clusters": Use(asked=False, option=False),
                "citations": Use("Backlink exports, for the domains that link to each page.", asked=False),
                "redirects": Use(
                    "A backlink export of the old site, for the CAS at risk; repeat the option for each file."
                ),
            },
        ),
        Role(
            "domains",
            "Referring domains",
            "A referring domains export of your site. Gap and Changes can use it instead of backlinks; the profile "
            "uses it for countries.",
            ("referring_domains",),
            adds={"profile": Use("Your referring domains export, for the countries.")},
        ),
        Role(
            "pages",
            "Crawl of your site",
            "A crawl of your site, for instance Screaming Frog's “Internal: HTML” export (csv or xlsx). Without a "
            "crawler: `backlink-audit crawl` in the terminal makes one.",
            ("pages",),
            shows="links to your dead pages",
            adds={
                **dict.fromkeys(("audit", "risk", "watch", "authority", "inlinks"), _TITLES),
                "profile": Use(_TITLES.help, asked=False),
                "gap": Use("A crawl of your site, to suggest pages to pitch."),
                "citations": Use("A crawl of your site: pages never cited, and the page that fits each query."),
                "changes": Use("A crawl of the site: adds page titles and finds dead pages."),
                "reclaim": Use("A crawl of the site with HTTP status codes, to find dead pages.", asked=False),
            },
        ),
        Role(
            "inlinks",
            "All inlinks",
            "Screaming Frog's “All inlinks” export of the same crawl.",
            ("inlinks",),
            adds={
                "interlinks": Use("All inlinks export: links that already exist are not suggested again."),
                "citations": Use("All inlinks export: cited pages that the site hardly links to."),
                "clusters": Use(
                    "All inlinks export: shows which pages are hubs and which links inside a cluster are missing.",
                    asked=False,
                ),
            },
        ),
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
            shows="what was won and lost",
        ),
        Role(
            "competitors",
            "Competitors",
            "Exports of backlinks or referring domains of up to five competitors, from any tool. New files are "
            "added to the list.",
            ("backlinks", "referring_domains"),
            many=True,
            shows="sites that link to them but not to you",
        ),
        Role(
            "performance",
            "Clicks and visits",
            "Clicks or visits of your pages: Search Console performance (workbook, zip or its table of pages), GA4 "
            "“Pages and screens”, Ahrefs top pages or best by links. Several files are joined by page.",
            ("performance",),
            several=True,
            adds={
                **dict.fromkeys(("profile", "watch", "reclaim", "redirects", "citations"), Use(_EARNED)),
                **dict.fromkeys(("interlinks", "clusters"), Use(_EARNED, later=True)),
            },
        ),
        Role(
            "texts",
            "Linking texts",
            "The linking texts of your site: Search Console's “Top linking text”, or the anchors that Ahrefs, Semrush "
            "or Bing lists (csv, zip or xlsx), as downloaded.",
            ("linking_texts",),
            several=True,
            adds={
                "profile": Use(
                    "The “Top linking text” export of Search Console, or the anchors of Ahrefs, Semrush or Bing."
                )
            },
        ),
        Role(
            "checked",
            "Checked links",
            "What a link check of these backlinks found: the table (csv) or workbook that it wrote. What the pages say "
            "replaces what the backlink export says.",
            ("checked_links",),
            adds=_of_audits("What `check` wrote about these links: which are there, and their rel."),
        ),
        Role(
            "outlinks",
            "Links on referring pages",
            "Screaming Frog's “All outlinks” export of a crawl of the referring pages in list mode (csv or xlsx). "
            "What the pages say replaces what the backlink export says.",
            ("inlinks",),
            adds=_of_audits("All outlinks of a crawl of the referring pages: which links are there, and their rel."),
        ),
        Role(
            "referring_pages",
            "Crawl of referring pages",
            "Screaming Frog's “Internal: All” export of the same crawl: dead pages, noindex and canonicals. It is used "
            "together with the links on referring pages.",
            ("pages",),
            adds=_of_audits("With --outlinks: the crawl of the referring pages, for dead pages and noindex."),
        ),
        Role(
            "citations",
            "Citations in AI answers",
            "AI Performance exports of Bing Webmaster Tools: pages and grounding queries, as downloaded. The files of "
            "several dates show what changed; the date is in each file's name.",
            ("citations",),
            several=True,
        ),
        Role(
            "ranks",
            "Common Crawl ranks",
            "An authority where no tool rates the links: the ranks that `audit --ranks` keeps of Common Crawl's free "
            "file of domain ranks, which is too large for the browser.",
            ("domain_ranks",),
            adds=_of_audits(
                "Common Crawl's domain ranks (.txt.gz), or what was kept of them: the authority of links that no tool "
                "rates."
            ),
        ),
    )
}
"""Every role a file can have, in the order in which they are shown."""


@dataclass(frozen=True)
class Sources:
    """The further files of a run, each an export or none, by the names of their roles."""

    backlinks: "Export | None" = None
    domains: "Export | None" = None
    pages: "Export | None" = None
    inlinks: "Export | None" = None
    performance: "Export | None" = None
    texts: "Export | None" = None
    outlinks: "Export | None" = None
    referring_pages: "Export | None" = None
    checked: "Export | None" = None
    ranks: "Export | None" = None

    @property
    def exports(self) -> "dict[str, Export]":
        """Those that are given, by role."""
        return {one.name: export for one in fields(self) if (export := getattr(self, one.name)) is not None}

    @property
    def tables(self) -> "dict[str, pd.DataFrame]":
        """The mapped tables of those that are given, by role."""
        return {role: export.table for role, export in self.exports.items()}

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """What distinguishes these files from others: the role and the fingerprint of each."""
        return tuple((role, export.fingerprint) for role, export in self.exports.items())


NO_SOURCES = Sources()


def taken_by(feature: FeatureName) -> dict[RoleName, Use]:
    """Return the roles that a feature takes besides its own file, in their order.

    >>> list(taken_by("interlinks")), list(taken_by("gap"))
    (['inlinks', 'performance'], ['pages'])
    """
    return {role.name: role.adds[feature] for role in ROLES.values() if feature in role.adds}
