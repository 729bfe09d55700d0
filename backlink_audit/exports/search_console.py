"""Search Console's links: pages that link to a site, without the page they link to. The file's name has the site."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath

import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.layout import Format, header_keys
from backlink_audit.text.urls import idna_host

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

_RANK = ("Rank",)
_TEXT = ("Link text", "Linking text", "Top linking text")
SEARCH_CONSOLE_LINKING_TEXT = Format(
    name="Search Console top linking text",
    tool=TOOL_NAME,
    table="linking_texts",
    signature=(_TEXT,),
    only=(*_RANK, *_TEXT),
    headers={"linking_text": _TEXT, "list_place": _RANK},
)
"""In other languages it is recognised by its two columns, where this table is asked for (`recognise`)."""

FILE_ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".zip")
_KEYS = header_keys(["Linking page", "Last crawled"])
_HOST = r"((?:[a-z0-9-]+\.)+(?:xn--[a-z0-9]+|[a-z]{2,}))"
_SITE = re.compile(rf"(?:https?___)?(?:sc-domain[_:])?(?:www\.)?{_HOST}(?=[_-]|\Z)", re.IGNORECASE)
_NO_SITE = re.compile(r"(?:latest|more|top)\.(?:links|sample|linking|linked)", re.IGNORECASE)
_GIVEN = re.compile(r"(?:https?://|sc-domain:)?(?:www\.)?([^/?#:@\s]{1,253})(?:[/?#:]\S*)?", re.IGNORECASE)


def lacks_site(headers: Collection[str]) -> bool:
    """Return whether a table with these headers is Search Console's links, which do not say where they lead.

    >>> lacks_site(["Linking page", "Last crawled"]), lacks_site(["Linking page", "Target page"])
    (True, False)
    """
    keys = header_keys(headers)
    return keys <= _KEYS and header_keys(["Linking page"]) <= keys


def with_site(raw: pd.DataFrame, name: str, otherwise: str = "") -> pd.DataFrame:
    """Return Search Console's links with the site they lead to; any other table, and links of no known site, as is.

    The file's name has the site, else it is the one given.
    """
    site = site_of(name) or otherwise
    if not site or not lacks_site(raw.columns):
        return raw
    return raw.assign(**{TARGET_SITE: pd.Series(f"https://{site}/", index=raw.index, dtype="str")})


def named_after(files: Sequence[tuple[str, bytes]], site: str) -> list[tuple[str, bytes]]:
    """Return files (name, bytes) with the site before each name that has none.

    >>> named_after([("Latest links.csv", b"")], "shop.example")
    [('shop.example-Latest links.csv', b'')]
    """
    return [(name if site_of(name) else f"{site}-{name}", data) for name, data in files]


def site_given(text: str) -> str:
    """Return the host of the site that somebody names, by itself or as an address; raises InvalidSetting.

    >>> site_given(" https://www.Shop.example/oak "), site_given("shop.zip/")
    ('shop.example', 'shop.zip')
    """
    found = _GIVEN.fullmatch(text.strip())
    host = idna_host(found[1]) if found else ""
    if not _SITE.fullmatch(host):
        raise InvalidSetting(f"“{text.strip()}” is not a site; write it as example.com.")
    return host


def site_of(name: str) -> str:
    """Return the site that the name of a file from Search Console has; "" if it has none.

    >>> site_of("https___www.example.com_-Latest links-2026-07-18.csv"), site_of("example.co.uk-More sample links.csv")
    ('example.com', 'example.co.uk')
    >>> site_of("moreland.com.csv"), site_of("Latest-links.csv"), site_of("Latest.links.csv")
    ('moreland.com', '', '')
    """
    path = PurePath(name)
    found = _SITE.match(path.stem if path.suffix.lower() in FILE_ENDINGS else name)
    return found[1].lower() if found and not _NO_SITE.match(found[1]) else ""
