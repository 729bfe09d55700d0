"""Search Console's links: pages that link to a site, without the page they link to. The file's name tells the site."""

import re
from collections.abc import Collection, Sequence

import pandas as pd

from backlink_audit.exports.layout import Format, header_keys

TOOL_NAME = "Search Console"
TARGET_SITE = "Target site"
"""The column that such a table gets: the site's address, as the target of every link."""

SEARCH_CONSOLE_LINKS = Format(
    name="Search Console links",
    tool=TOOL_NAME,
    table="backlinks",
    signature=(("Linking page",), (TARGET_SITE,)),
    headers={"referring_url": ("Linking page",), "target_url": (TARGET_SITE,), "last_seen": ("Last crawled",)},
)
"""Latest links and More sample links."""

_KEYS = header_keys(["Linking page", "Last crawled"])
_SITE = re.compile(r"(?:https?___)?(?:sc-domain[_:])?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[_-]|\Z)", re.IGNORECASE)


def lacks_site(headers: Collection[str]) -> bool:
    """Return whether a table with these headers is Search Console's links, which do not say where they lead.

    >>> lacks_site(["Linking page", "Last crawled"]), lacks_site(["Linking page", "Target page"])
    (True, False)
    """
    keys = header_keys(headers)
    return keys <= _KEYS and header_keys(["Linking page"]) <= keys


def with_site(raw: pd.DataFrame, name: str, otherwise: str = "") -> pd.DataFrame:
    """Return Search Console's links with the site they lead to; any other table, and links of no known site, as is.

    The file's name tells the site, else it is the one given.
    """
    site = site_of(name) or otherwise
    if not site or not lacks_site(raw.columns):
        return raw
    return raw.assign(**{TARGET_SITE: pd.Series(f"https://{site}/", index=raw.index, dtype="str")})


def named_after(files: Sequence[tuple[str, bytes]], site: str) -> list[tuple[str, bytes]]:
    """Return files (name, bytes) with the site before each name that tells none.

    >>> named_after([("Latest links.csv", b"")], "shop.example")
    [('shop.example-Latest links.csv', b'')]
    """
    return [(name if site_of(name) else f"{site}-{name}", data) for name, data in files]


def site_of(name: str) -> str:
    """Return the site that the name of a file from Search Console tells; "" if it tells none.

    >>> site_of("https___www.example.com_-Latest links-2026-07-18.csv"), site_of("example.co.uk-More sample links.csv")
    ('example.com', 'example.co.uk')
    >>> site_of("Latest links.csv")
    ''
    """
    found = _SITE.match(name)
    return found[1].lower() if found and not name.lower().startswith(("latest", "more")) else ""
