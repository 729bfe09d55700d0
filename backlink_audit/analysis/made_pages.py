"""Pages that a program made: copies of the site's pages, by the words of their addresses, and directories."""

import math
import re
from urllib.parse import unquote, urlsplit

import pandas as pd

from backlink_audit.analysis.anchor_classes import FUNCTION_WORDS, SHORTEST_CONTENT_WORD, fold
from backlink_audit.analysis.patterns import found_where, matched
from backlink_audit.text.urls import map_distinct

FEWEST_WORDS = 4
"""Words of an address that a title does not repeat by chance."""
REPEATED = 0.75
"""Share of the words of the target's address that the title of a copy has: an address leaves some out."""
FEWEST_REPEATED = math.ceil(REPEATED * FEWEST_WORDS)
"""Words that a title must share at least."""
LITTLE_ELSE = 0.6
"""Share of the title that these words must be: a page about the same thing has words of its own."""
MANY_TARGETS = 5
"""Pages of the site that one anchor, or one page, leads to where a program or the site's owner set the links."""
DIRECTORY_LINKS = 30
"""External links of a page that lists the sites of a category."""

_LETTERS = r"[\p{Latin}\p{M}0-9]"
_LEVELS = re.compile(r"(?:(?<!\s)\s++)?[>»›]++\s*")


def copied_titles(titles: pd.Series, target_keys: pd.Series, candidates: pd.Series) -> pd.Series:
    """Return the titles that repeat the last part of the target's address, "" elsewhere.

    `candidates`: links that can be on a copy, bool.
    """
    last = map_distinct(target_keys.where(candidates, ""), _last_part)
    slugs = {slug: frozenset(_content(slug)) for slug in last.unique()}
    slugs = {slug: words for slug, words in slugs.items() if len(words) >= FEWEST_WORDS}

    # Titles without so many words in Latin letters are not read: they repeat no address that has no other letters.
    several = rf"(?s)(?:{_LETTERS}{{3,}}.*?[^{_LETTERS[1:]}){{{FEWEST_REPEATED - 1}}}.*{_LETTERS}{{3,}}"
    readable = matched(titles, several) if all(slug.isascii() for slug in slugs) else titles != ""
    words_of: dict[str, frozenset[str]] = {}

    def find(title: str, slug: str) -> str:
        if title not in words_of:
            words_of[title] = frozenset(_content(title))
        wanted, words = slugs[slug], words_of[title]
        shared = len(wanted & words)
        return title if shared >= REPEATED * len(wanted) and shared >= LITTLE_ELSE * len(words) else ""

    return found_where(last.isin(list(slugs)) & readable, find, titles, last)


def categories(titles: pd.Series, urls: pd.Series, external_links: pd.Series) -> pd.Series:
    """Return the titles of directories: levels ("Arts > Magazines") that are the last parts of the address too."""

    def find(title: str, url: str) -> str:
        levels = [" ".join(fold(level.replace("_", " "))) for level in _LEVELS.split(title)[-2:]]
        parts = [" ".join(fold(unquote(part).replace("_", " "))) for part in _path(url).strip("/").split("/")[-2:]]
        same = len(parts) == 2 and levels[1] == parts[1] and levels[0].endswith(parts[0]) and all(parts)
        return title if same else ""

    has_levels = matched(titles, r"\S\s*[>»›]\s*\S")
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
