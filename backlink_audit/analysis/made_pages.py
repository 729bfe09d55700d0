"""Pages made of the site or for it: copies of its pages, entries under its name, pages made to hold its links.

Told by what they share with the site, in any language: the words of the target's address in the title, one anchor that
leads to many of its pages, its name as the last part of the address.
"""

import re
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

import pandas as pd

from backlink_audit.analysis.anchor_classes import FUNCTION_WORDS, SHORTEST_CONTENT_WORD, fold
from backlink_audit.analysis.page_signs import found_where
from backlink_audit.text.urls import map_distinct

FEWEST_WORDS = 4
"""Words of an address that a title does not repeat by chance."""
REPEATED = 0.75
"""Share of the words of the target's address that the title of a copy has: an address leaves some out."""
LITTLE_ELSE = 0.6
"""Share of the title that these words must be: a page about the same thing has words of its own."""
MANY_TARGETS = 5
"""Pages of the site that one anchor, or one page, leads to where a program or the site's owner set the links."""
SHORTEST_NAME = 4
"""Letters of a name that hardly two owners have."""
DIRECTORY_LINKS = 30
"""External links of a page that lists the sites of a category."""

_BEFORE_BARS = re.compile(r"(?<!\s)\s++[|–—·•»-]++\s+|(?:(?<!\s)\s++)?[|]\s*")
_LEVELS = re.compile(r"(?:(?<!\s)\s++)?[>»›]++\s*")
_YEAR = re.compile(r"/(?:19|20)\d\d(?:/|$)")
_NUMBERS_AROUND = re.compile(r"^[\d_@~-]+|[\d_-]+$|\.\w{2,5}$")


def copied_titles(titles: pd.Series, target_keys: pd.Series, candidates: pd.Series) -> pd.Series:
    """Return the titles that repeat the last part of the target's address, "" elsewhere.

    `candidates`: links that a copy could hold, bool.
    """
    last = map_distinct(target_keys.where(candidates, ""), _last_part)
    slugs = {slug: frozenset(_content(slug)) for slug in last.unique()}
    slugs = {slug: words for slug, words in slugs.items() if len(words) >= FEWEST_WORDS}

    words_of: dict[str, frozenset[str]] = {}

    def find(title: str, slug: str) -> str:
        if title not in words_of:
            words_of[title] = frozenset(_content(title))
        wanted, words = slugs[slug], words_of[title]
        shared = len(wanted & words)
        return title if shared >= REPEATED * len(wanted) and shared >= LITTLE_ELSE * len(words) else ""

    return found_where(last.isin(list(slugs)), find, titles, last)


def entries(titles: pd.Series, urls: pd.Series, names: Collection[str]) -> pd.Series:
    """Return the last part of each address that is one of the site's `names`, where the title begins with it too."""
    names = {name for name in names if len(name) >= SHORTEST_NAME}
    last = map_distinct(urls, lambda url: _last_part(url.partition("//")[2]))
    is_name = map_distinct(last, lambda part: "1" if _joined(_NUMBERS_AROUND.sub("", part)) in names else "") != ""

    def find(title: str, url: str) -> str:
        first = _joined(_BEFORE_BARS.split(title.strip())[0])
        return unquote(url).rstrip("/").rpartition("/")[2] if first in names and not _YEAR.search(url) else ""

    return found_where(is_name, find, titles, urls)


def is_below(urls: pd.Series) -> pd.Series:
    """Return which addresses have more than one part in their path, bool."""
    return urls.str.replace(r"^https?://", "", regex=True).str.rstrip("/").str.count("/") > 1


def categories(titles: pd.Series, urls: pd.Series, external_links: pd.Series) -> pd.Series:
    """Return the titles of directories: levels ("Arts > Magazines") that are the last parts of the address too."""

    def find(title: str, url: str) -> str:
        levels = [" ".join(fold(level.replace("_", " "))) for level in _LEVELS.split(title)[-2:]]
        parts = [" ".join(fold(unquote(part).replace("_", " "))) for part in _path(url).strip("/").split("/")[-2:]]
        same = len(parts) == 2 and levels[1] == parts[1] and levels[0].endswith(parts[0]) and all(parts)
        return title if same else ""

    has_levels = titles.str.contains(r"\S\s*[>»›]\s*\S", regex=True)
    return found_where(has_levels & (external_links >= DIRECTORY_LINKS), find, titles, urls)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _last_part(key: str) -> str:
    """Return the last part of the path of a normalised URL, "" for a homepage."""
    path = key.partition("?")[0].partition("#")[0].rstrip("/")
    return unquote(path.rpartition("/")[2]) if "/" in path else ""


def _content(text: str) -> list[str]:
    return [
        word
        for word in fold(text.replace("_", " "))
        if len(word) >= SHORTEST_CONTENT_WORD and word not in FUNCTION_WORDS
    ]


def _joined(text: str) -> str:
    return "".join(fold(text.replace("_", " ")))
