"""Which referring domains link to a site because they are it, or were made for it: nobody there chooses links.

Its other endings, mirrors and copies of its pages, and its own profiles and company pages on the sites of others. Found
by three signs: the domain has a name of the site; its pages have the addresses of the pages that they link to; or a
part of their address is nothing but a name of the site.
"""

import re
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

import pandas as pd

from backlink_audit.analysis.anchor_classes import brand_of, fold, written_domains
from backlink_audit.analysis.referring_sites.footprints import PATH_WORDS
from backlink_audit.analysis.referring_sites.site_mentions import names_of_sites, other_domains
from backlink_audit.text.urls.parts import map_distinct

SHORTEST_NAME = 4
"""Letters of a name that hardly ever has two owners."""
MOSTLY = 0.5
"""Share of a domain's links that must be on such pages."""

_NUMBERS_AROUND = re.compile(r"^[\d_]+|[\d_]+$|\.\w{2,5}$")


def related_sites(rows: pd.DataFrame, sites: Collection[str]) -> pd.Series:
    """Return to which site each referring domain is tied, in words ("has the name of …"); only those that are.

    `rows` is `sites.join_sites`' table: referring_domain, site, example_url, example_target, example_anchor.
    `sites`: those that are compared, by their domains. Index referring_domain.
    """
    names = _names(rows, sites)
    domains = pd.Series(rows["referring_domain"].unique(), dtype="str")
    owner = map_distinct(domains, brand_of).map(names).set_axis(domains).dropna().astype("str")
    linking = rows[rows["example_url"] != ""]
    path = map_distinct(linking["example_url"], _path)
    same = path.map(_is_distinctive).astype(bool) & (path == map_distinct(linking["example_target"], _path))
    named = map_distinct(linking["example_url"], lambda url: _named(url, names)) == linking["site"]
    found = ("has the name of " + owner).combine_first(_mostly(linking, same, "has pages with the same URLs as "))
    return found.combine_first(_mostly(linking, named | same, "has pages made for "))


def _names(rows: pd.DataFrame, sites: Collection[str]) -> dict[str, str]:
    """Return the site of each name that is one owner's alone: no plain word, and not too short."""
    linked = rows[["site", "referring_domain", "example_anchor"]].rename(columns={"site": "target_domain"})
    naked = linked.assign(written=written_domains(linked["example_anchor"])).drop_duplicates()
    names = names_of_sites([site for site in sites if "." in site], other_domains(naked))
    own = names[~names["is_plain_word"] & (names["word"].str.len() >= SHORTEST_NAME)]
    return dict(zip(own["word"], own["site"], strict=True))


def _mostly(linking: pd.DataFrame, found: pd.Series, words: str) -> pd.Series:
    """Return in words the domains most of whose links are found."""
    shares = found.astype("float64").groupby(linking["referring_domain"].to_numpy()).mean()
    site = linking[found].drop_duplicates("referring_domain").set_index("referring_domain")["site"]
    return words + site.reindex(shares.index[(shares >= MOSTLY).to_numpy()]).astype("str")


def _named(url: str, names: dict[str, str]) -> str:
    """Return the site whose name alone is a part of the URL, "" where there is none.

    >>> _named("https://jobs.example/company/garden-tools.12/about", {"gardentools": "gardentools.example"})
    'gardentools.example'
    >>> _named("https://blog.example/garden-tools-reviewed", {"gardentools": "gardentools.example"})
    ''
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = (parts.hostname or "").split(".")[:-2]
    for part in [*host, *parts.path.split("/"), *re.split("[=&]", parts.query)]:
        word = "".join(fold(_NUMBERS_AROUND.sub("", unquote(part).replace("_", " ")).strip()))
        if word in names:
            return names[word]
    return ""


def _is_distinctive(path: str) -> bool:
    """Return whether two sites hardly give an address to different pages.

    >>> _is_distinctive("/blog/oak-tables"), _is_distinctive("/about-us")
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
