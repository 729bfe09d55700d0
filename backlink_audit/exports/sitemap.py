"""A sitemap: the list of pages that a site gives to search engines."""

import re
from html import unescape

import pandas as pd

from backlink_audit.errors import UnreadableFile

_ROOT = re.compile(rb"<(?:[\w-]+:)?(urlset|sitemapindex)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"<(?:sm:)?loc>\s*(?:<!\[CDATA\[([^\]<]*)\]\]>|([^<]*))\s*</(?:sm:)?loc>")
"""Of pages alone: those of their images have a tag of their own."""
BEGINNING = 4_096
"""Bytes in which the root of a sitemap begins."""


def is_sitemap(data: bytes) -> bool:
    """Whether a file is a sitemap, or an index of sitemaps."""
    return _ROOT.search(data[:BEGINNING]) is not None


def read_sitemap(data: bytes, name: str) -> pd.DataFrame:
    """Return the addresses of a sitemap as a table with the column URL; no entity of the file is ever resolved.

    Raises UnreadableFile for an index of sitemaps, and for one without addresses.
    """
    root = _ROOT.search(data[:BEGINNING])
    if root is not None and root[1].lower() == b"sitemapindex":
        raise UnreadableFile(name, "this is an index of sitemaps; load one of the sitemaps that it names.")
    text = data.decode("utf-8", "replace")
    found = [(wrapped or unescape(address)).strip() for wrapped, address in _ADDRESS.findall(text)]
    if not found:
        raise UnreadableFile(name, "this sitemap has no addresses.")
    return pd.DataFrame({"URL": list(dict.fromkeys(found))}, dtype="str")
