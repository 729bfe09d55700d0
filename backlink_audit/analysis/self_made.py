"""Pages that somebody made for the site on a site of somebody else's: profiles, entries, notes, classified ads.

Found by names, in any language: such a page is called like the site, like what it sells, or like nothing at all, and
its link is a bare address or a button. What an editor writes has a headline, and links words.
"""

import re
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

import pandas as pd

from backlink_audit.analysis.anchor_classes import FUNCTION_WORDS, fold, is_generic, is_naked_url
from backlink_audit.analysis.patterns import counted, found_where, matched, replaced
from backlink_audit.text.urls import map_distinct

SHORTEST_NAME = 4
"""Letters of a name that hardly ever has two owners."""
SHORTEST_HANDLE = 10
"""Letters of a name that is a title written as one word: a shorter one may be any page's (/aboutus)."""
PART_OF_NAME = 8
"""Letters of a site's name that a member's name must contain to be its owner's (/@naturaloils)."""
MOST_WORDS = 6
"""Words of a title that names something; one of more words is a headline."""
FEW_LINKS = 20
"""External links of a page on which one link is the point; a longer list was put together for readers."""

_BEFORE_BARS = re.compile(r"(?<!\s)\s++[|–—·•»-]++\s+|(?:(?<!\s)\s++)?[|,]\s*")
_AROUND = re.compile(r"^[\d_@~-]+|[\d_-]+$|\.\w{2,5}$")
DATED = r"/(?:19|20)\d\d(?:/|$)"
"""Addresses of posts, which have their year in it."""
_ONE_WORD = rf"/[0-9A-Za-z%[:^ascii:]]{{{SHORTEST_HANDLE},}}/*(?:[?#]|$)"
_UNSPACED = r"\p{Han}|\p{Hiragana}|\p{Katakana}|\p{Thai}"
"""Scripts that set no spaces between words: a headline is no short title there."""
_RANDOM = re.compile(r"(?=[^/]*\d)(?=[^/]*[A-Z])(?=[^/]*[a-z])[\w-]{6,}|\d+_\d+")


def addresses(anchors: pd.Series) -> pd.Series:
    """Return which anchors are a bare address, bool."""
    return map_distinct(anchors, lambda anchor: "1" if is_naked_url(anchor) else "") != ""


def buttons(anchors: pd.Series) -> pd.Series:
    """Return which anchors are what a button says ("Website"), in many languages, bool."""
    return map_distinct(anchors, lambda anchor: "1" if is_generic(anchor) else "") != ""


def named_after_site(titles: pd.Series, urls: pd.Series, names: Collection[str], bare: pd.Series) -> pd.Series:
    """Return what shows that a page is called like the site: a part of its address, else its title; "" elsewhere.

    A part of the address is one of the site's `names` (a member's name that is a part of one is its owner's:
    /@naturaloils), and so is the title, or the link is `bare`; or the title begins with a name, and the link is `bare`.
    """
    names = {name for name in names if len(name) >= SHORTEST_NAME}
    parts = map_distinct(urls.where(_may_have_name(urls, names), ""), lambda url: _part_with_name(url, names))

    def called(title: str) -> str:
        first = _first_part(title)
        return first if _joined(first) in names else ""

    starts = tuple(names)

    def begins(title: str) -> str:
        first = _first_part(title)
        return first if _joined(first).startswith(starts) and len(fold(first)) <= MOST_WORDS else ""

    both = parts.where(map_distinct(titles.where(parts != "", ""), called) != "", "")
    linked = parts.mask(parts == "", map_distinct(titles.where(bare, ""), begins)).where(bare, "")
    return linked.mask(both != "", both).where(~matched(urls, DATED), "")


def handles_of_titles(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the last part of each address that is the page's title written as one word, as members' names are.

    >>> urls = pd.Series(["https://a.example/oakchairsforsale", "https://a.example/oak-chairs-for-sale"])
    >>> handles_of_titles(pd.Series(["Oak chairs for sale"] * 2), urls).tolist()
    ['oakchairsforsale', '']
    """
    last = map_distinct(urls.where(matched(urls, _ONE_WORD), ""), _one_word)

    def find(title: str, part: str) -> str:
        spellings = (fold(text) for text in (title, _first_part(title)))
        return part if any(len(spelt) > 1 and "".join(spelt) == part.casefold() for spelt in spellings) else ""

    return found_where(last.str.len() >= SHORTEST_HANDLE, find, titles, last)


def named_after_target(titles: pd.Series, target_keys: pd.Series, names: Collection[str], bare: pd.Series) -> pd.Series:
    """Return the titles that name what the link leads to and nothing else, where the link is `bare`; "" elsewhere.

    All words of the title, before the name of its site, are those of the target's address or of the site's `names`.
    """

    def find(title: str, key: str) -> str:
        called = fold(_first_part(title).replace("_", " "))
        known = {*fold(re.sub(r"[-_/]", " ", unquote(key))), *FUNCTION_WORDS}
        same = all(
            word in known or len(word) >= SHORTEST_NAME and any(word in name for name in names) for word in called
        )
        return title if called and same and len(called) <= MOST_WORDS else ""

    return found_where(bare & (titles.str.strip() != ""), find, titles, target_keys)


def nameless_notes(titles: pd.Series, urls: pd.Series, address: pd.Series, external_links: pd.Series) -> pd.Series:
    """Return the last part of each address that was made at random, of notes and posts; "" elsewhere.

    A number alone is no sign: events and entries of catalogues have one too.

    The link is a bare `address`, and the title is short: what has a headline, or many links, has more to say.
    """

    def find(title: str, url: str) -> str:
        last = _last(url)
        return last if _RANDOM.fullmatch(last) and len(fold(title)) < MOST_WORDS else ""

    address = address & ~matched(titles, _UNSPACED)
    chosen = address & ~(external_links > FEW_LINKS) & (titles.str.strip() != "") & ~matched(urls, DATED)
    return found_where(chosen, find, titles, urls)


def is_below(urls: pd.Series) -> pd.Series:
    """Return which addresses have more than one part in their path, bool."""
    paths = replaced(urls, "^https?://|/+$", "")
    return pd.Series(counted(paths, "/") > 1, urls.index)


def _may_have_name(urls: pd.Series, names: Collection[str]) -> pd.Series:
    """Return which addresses may have a part that is a name, bool: none of the others has."""
    joined = replaced(urls.str.lower(), r"[^\p{L}\p{N}%]+", "")
    return matched(joined, "|".join(["%", *(re.escape(name) for name in names)])) | matched(urls, "/@")


def _part_with_name(url: str, names: Collection[str]) -> str:
    for part in reversed(_path(url).split("/")):
        word = _joined(_AROUND.sub("", _AROUND.sub("", part)))
        if word in names or part[:1] == "@" and len(word) >= PART_OF_NAME and any(word in name for name in names):
            return part
    return ""


def _first_part(title: str) -> str:
    """Return what a title says before the name of its site."""
    return _BEFORE_BARS.split(title.strip())[0]


def _one_word(url: str) -> str:
    """Return the last part of an address where it is letters and digits alone."""
    last = _last(url)
    return last if last.isalnum() else ""


def _last(url: str) -> str:
    return _path(url).rstrip("/").rpartition("/")[2]


def _path(url: str) -> str:
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return ""


def _joined(text: str) -> str:
    return "".join(fold(text.replace("_", " ")))
