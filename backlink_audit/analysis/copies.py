"""Which referring domains are a site under another name: its other endings, mirrors and copies of its pages.

They link to it, but nobody there chooses links, so they are no prospects for anybody else. Told by two signs: the
domain has the site's own name, or its pages have the addresses of the pages that they link to.
"""

import re
from collections.abc import Collection
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from backlink_audit.analysis.anchor_classes import brand_of
from backlink_audit.analysis.footprints import PATH_WORDS
from backlink_audit.analysis.site_mentions import plain_words
from backlink_audit.text.urls import map_distinct

SHORTEST_NAME = 4
"""Letters of a name that hardly two owners have on different endings."""
MOSTLY = 0.5
"""Share of a domain's links that must stand on such addresses."""


def copied_sites(rows: pd.DataFrame, sites: Collection[str]) -> pd.Series:
    """Return of which site each referring domain is a copy, in words ("has the name of …"); only those that are one.

    `rows` is `analysis.gap.join_sites`' table: referring_domain, site, example_url, example_target. `sites`: the
    domains that are compared. Index referring_domain.
    """
    domains = pd.Series(rows["referring_domain"].unique(), dtype="str")
    return _of_same_name(domains, sites).combine_first(_of_same_addresses(rows))


def _of_same_name(domains: pd.Series, sites: Collection[str]) -> pd.Series:
    """Return the domains that have the name of a site; a plain word is anybody's name."""
    names = {brand_of(site): site for site in sites if "." in site}
    plain = plain_words(names)
    owned = {name: site for name, site in names.items() if len(name) >= SHORTEST_NAME and name not in plain}
    found = map_distinct(domains, brand_of).map(owned).set_axis(domains)
    return "has the name of " + found.dropna().astype("str")


def _of_same_addresses(rows: pd.DataFrame) -> pd.Series:
    """Return the domains that link, for the most part, from pages with the addresses of the pages they link to."""
    linking = rows[rows["example_url"] != ""]
    path = map_distinct(linking["example_url"], _path)
    same = path.map(_is_telling).astype(bool) & (path == map_distinct(linking["example_target"], _path))
    shares = same.astype("float64").groupby(linking["referring_domain"].to_numpy()).mean()
    copies = shares.index[np.asarray(shares >= MOSTLY)]
    site = linking[same].drop_duplicates("referring_domain").set_index("referring_domain")["site"]
    return "has pages at the addresses of " + site.reindex(copies).astype("str")


def _is_telling(path: str) -> bool:
    """Tell whether two sites hardly give an address to different pages.

    >>> _is_telling("/blog/oak-tables"), _is_telling("/about-us")
    (True, False)
    """
    return len(set(re.findall(r"[^\W\d_]{2,}", path))) >= PATH_WORDS


def _path(url: str) -> str:
    """Return a URL's path in lower case, without the slash at its end; "" where the URL is broken.

    >>> _path("https://a.example/Oak-Tables/?x=1")
    '/oak-tables'
    """
    try:
        return urlsplit(url).path.casefold().rstrip("/")
    except ValueError:
        return ""
