"""What pages of one's own site earn: how Search Console, GA4 and Ahrefs head their columns, and two periods."""

from collections.abc import Mapping, Sequence

from backlink_audit.exports.layout import Format, has_period, header_key, header_keys

CLICKS = ("Clicks", "Klicks", "Clics", "Clic", "Cliques")
IMPRESSIONS = ("Impressions", "Impressionen", "Impresiones", "Impressioni", "Impressões")
TOP_PAGES = (
    *("Top pages", "Häufigste Seiten", "Die häufigsten Seiten", "Pages les plus populaires", "Páginas principales"),
    *("Principais páginas", "Pagine principali"),
)
PAGE = (*TOP_PAGES, "Page", "URL", "Landing page", "Page path", "Address")
QUERY = ("Query", "Queries", "Search query")
"""What finds a page, in tables made with the API of Search Console: its own exports never name both."""
CTR = ("CTR",)
DATES = ("Date", "Date range", "Datum", "Fecha", "Data")
POSITION = ("Position", "Posición", "Posizione", "Posição")
GA4_PAGE = (
    "Page path and screen class",
    "Page path + query string and screen class",
    "Page path + query string",
    "Landing page + query string",
    "Landing page",
    "Page location",
)
OF_LINKS = ("Target URL", "Referring page URL", "Link URL", "Source URL")
"""What only lists of links have."""

SEARCH_CONSOLE_PAGES = Format(
    name="Search Console pages",
    tool="Search Console",
    table="performance",
    signature=(TOP_PAGES, CLICKS, IMPRESSIONS),
    headers={"page": TOP_PAGES, "clicks": CLICKS, "impressions": IMPRESSIONS, "average_position": POSITION},
)
"""One period, or two side by side: then each figure is there twice, its period before its name, the later one first."""

GA4_PAGES = Format(
    name="GA4 pages and screens",
    tool="Google Analytics",
    table="performance",
    signature=(GA4_PAGE, ("Views", "Sessions", "Active users")),
    headers={
        "page": GA4_PAGE,
        "views": ("Views",),
        "sessions": ("Sessions",),
        "users": ("Active users", "Total users", "Users"),
        "key_events": ("Key events", "Conversions"),
    },
)

AHREFS_BEST_BY_LINKS = Format(
    name="Ahrefs best pages by links",
    tool="Ahrefs",
    table="performance",
    signature=(("Page URL",), ("UR", "URL Rating"), ("Referring domains", "Ref. domains")),
    without=OF_LINKS,
    headers={
        "page": ("Page URL",),
        "tool_domains": ("Referring domains", "Ref. domains"),
        "tool_links": ("Links to target",),
    },
)

AHREFS_TOP_PAGES = Format(
    name="Ahrefs top pages",
    tool="Ahrefs",
    table="performance",
    signature=(("URL",), ("Traffic",), ("Top keyword", "Keywords")),
    without=(*OF_LINKS, "Keyword"),
    headers={"page": ("URL",), "organic_traffic": ("Traffic",), "tool_domains": ("Referring domains",)},
)

SEARCH_CONSOLE_LINKED_PAGES = Format(
    name="Search Console top linked pages",
    tool="Search Console",
    table="performance",
    signature=(("Target page",), ("Incoming links",)),
    headers={"page": ("Target page",), "google_domains": ("Linking sites",), "google_links": ("Incoming links",)},
)

PLAIN_PERFORMANCE = Format(
    name="Page performance (other tools)",
    tool="",
    table="performance",
    signature=(PAGE, (*CLICKS, "Sessions", "Views", "Visits", "Pageviews")),
    without=(*OF_LINKS, "Status Code", "H1-1"),
    headers={
        "page": PAGE,
        "query": QUERY,
        "clicks": CLICKS,
        "impressions": IMPRESSIONS,
        "average_position": (*POSITION, "Average position"),
        "views": ("Views", "Pageviews"),
        "sessions": ("Sessions", "Visits"),
        "users": ("Active users", "Users"),
    },
)

PERFORMANCE_FORMATS = (
    SEARCH_CONSOLE_PAGES,
    GA4_PAGES,
    AHREFS_BEST_BY_LINKS,
    AHREFS_TOP_PAGES,
    SEARCH_CONSOLE_LINKED_PAGES,
    PLAIN_PERFORMANCE,
)

EARLIER = {
    "clicks": "clicks_before",
    "impressions": "impressions_before",
    "average_position": "average_position_before",
}
"""Figures that Search Console gives for two periods: ours -> ours of the earlier period."""


def is_by_date(headers: Sequence[str]) -> bool:
    """Return whether a table with these headers has clicks by day, week or month, as Search Console's Chart does.

    With any header beside the date and the figures (a query, a page in any language) a day may have many rows.

    >>> is_by_date(["Date", "Clicks", "CTR"]), is_by_date(["Date", "Page", "Clicks"])
    (True, False)
    """
    keys = header_keys(headers)
    first = header_key(headers[0]) if headers else ""
    figures = header_keys((*CLICKS, *IMPRESSIONS, *CTR, *POSITION))
    return first in header_keys(DATES) and bool(keys & header_keys(CLICKS)) and keys <= figures | header_keys(DATES)


def with_earlier(columns: Mapping[str, str], headers: Sequence[str]) -> dict[str, str]:
    """Return our columns and those of the earlier of two periods, which comes after the later one.

    >>> later, earlier = "10/1/25 - 12/31/25 Clicks", "10/1/24 - 12/31/24 Clicks"
    >>> with_earlier({"clicks": later}, [later, earlier])["clicks_before"]
    '10/1/24 - 12/31/24 Clicks'
    """
    found = dict(columns)
    for ours, earlier in EARLIER.items():
        header = columns.get(ours, "")
        same = [one for one in headers if header_key(one) == header_key(header) and one != header]
        if has_period(header) and same and has_period(same[0]):
            found[earlier] = same[0]
    return found
