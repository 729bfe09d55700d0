"""Signs of what a page is, in its URL, title and anchor: what was found where there is a sign, "" elsewhere.

None of them is a word of a language: what software calls its pages (`text/page_shapes.csv`), addresses, messenger
handles, a search with its words, a title that only repeats the URL.
"""

import re
from collections.abc import Collection
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import pandas as pd
import pyarrow.compute as pc

from backlink_audit.analysis.anchor_classes import fold
from backlink_audit.analysis.footprints import EMPTY_TITLES
from backlink_audit.analysis.patterns import as_arrow, extracted, found_where, matched
from backlink_audit.text.page_shapes import shape_pattern
from backlink_audit.text.urls import is_domain, map_distinct

SHORTEST_NAME = 6
"""A title of one word, of so many letters, that is the URL's last word too is a visitor's name."""
DOORWAY_WORDS = 3
"""A title in small letters of so many words, the same as the URL's, was made of a search phrase."""

HANDLE = (
    r"\bt\.me/\w+|\bwa\.me/\d+|\blive:\.?(?:cid\.)?[a-z]\w*[\d_]\w*"
    r"|\b(?:whatsapp|telegram|skype|wechat|icq|tg)\s*"
    r"(?:[@+]\s*[\w.-]{4,}|[:：]\s*(?:@\s*[\w.-]{4,}|\+?\d[\d ()-]{6,}"
    r"|[a-z][a-z.-]{3,}\d[\w.-]*|[a-z][a-z.-]*_[\w.-]+))"
)
"""How to reach a seller: an address or a number, not any word after “Telegram:”, which begins many a headline."""
_PICTURE = r"(?i)[^/?#]+\.(?:jpe?g|png|gif|webp|svg|ico|bmp|webm|mp4)(?:[?#]|$)"
_HASH = r"(?i)/(?:[^?]*[^0-9a-z%])?(?P<found>[0-9a-f]{16,})(?:[^0-9a-z]|$)"
_SEARCH = r"(?i)[?&](?:q|p|s|k|wd|text|term|query|search|keywords?|search_query)=[^&]"
_SEARCH_NAMES = frozenset("q p s k wd text term".split())
_CLEAR_SEARCH_NAMES = frozenset("query search keyword keywords search_query".split())
_DOMAIN = r"(?:[a-z0-9-]+\.)+[a-z]{2,24}"
_DOMAIN_IN_PATH = rf"(?i)//[^/]+/(?:.*/)?(?P<found>{_DOMAIN})/?(?:[?#]|$)"
_IP_IN_PATH = r"//[^/]+/(?:.*/)?(?P<found>(?:\d{1,3}\.){3}\d{1,3})/?(?:[?#]|$)"
_DOMAIN_IN_TITLE = re.compile(rf"(?<![\w.@-]){_DOMAIN}(?![\w-])", re.IGNORECASE)
_ADDRESS_IN_QUERY = (
    r"(?i)[?&](?:url|uri|u|link|goto|go|out|to|redir|redirect|redirect_?url|dest|destination|site|website|domain|host)="
    rf"(?P<found>https?(?::|%3A)(?:/|%2F){{2}}[^&#]+|{_DOMAIN})/?(?:[&#]|$)"
)
_NAME_BEHIND = re.compile(r"([/:=-])\w$")
_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDING = re.compile(r"\.\w{2,5}$")


def shapes(urls: pd.Series, kind: str) -> pd.Series:
    """Return the part of each URL that is the shape of a kind of page; of a name behind it, nothing."""
    found = extracted(urls, f"(?i)(?P<found>{shape_pattern(kind)})")
    return map_distinct(found, lambda shape: _NAME_BEHIND.sub(r"\1", shape))


def handles(texts: pd.Series) -> pd.Series:
    """Return the messenger handle in each text."""
    return extracted(texts, f"(?i)(?P<found>{HANDLE})")


def pictures(urls: pd.Series) -> pd.Series:
    """Return the file's name in each URL of a picture or film."""
    return extracted(urls, f"(?P<found>{_PICTURE})")


def hashes(urls: pd.Series) -> pd.Series:
    """Return the long number in hexadecimal in each URL; digits alone are an article's number."""
    found = extracted(urls, _HASH)
    return found.where(matched(found, "[0-9]") & matched(found, "[a-fA-F]"), "")


def domains_in_paths(urls: pd.Series) -> pd.Series:
    """Return the host name, or its number, that is the last part of each URL's path.

    One that begins with www. is a link whose author forgot its scheme: the page is that before it.
    """
    found = extracted(urls, _DOMAIN_IN_PATH)
    named = map_distinct(found, lambda text: text if text and not text.startswith("www.") and is_domain(text) else "")
    return named.mask(named == "", extracted(urls, _IP_IN_PATH))


def addresses_in_queries(urls: pd.Series) -> pd.Series:
    """Return the address that each URL is about: a whole one, or a host name, in a parameter for addresses."""
    found = map_distinct(extracted(urls, _ADDRESS_IN_QUERY), unquote)
    return map_distinct(found, lambda text: text if "://" in text or text and is_domain(text) else "")


def domains_in_titles(titles: pd.Series, urls: pd.Series, own: Collection[str]) -> pd.Series:
    """Return the host name in each title that the page is about: one of `own`, or one that is a part of the URL."""

    def find(title: str, url: str) -> str:
        behind_host = unquote(url.casefold().partition("//")[2].partition("/")[2])
        for match in _DOMAIN_IN_TITLE.finditer(title):
            host = match[0].casefold().removeprefix("www.")
            named = {host, host.replace(".", "-")}
            # Most titles name the site itself, which no part of the path does: few URLs have to be taken apart.
            fits = host in own or any(name in behind_host for name in named) and not named.isdisjoint(path_parts(url))
            if fits and is_domain(host):
                return host
        return ""

    def path_parts(url: str) -> list[str]:
        return [unquote(part) for part in _parts(url).path.casefold().split("/")]

    return found_where(matched(titles, rf"(?i){_DOMAIN}"), find, titles, urls)


def searches(urls: pd.Series, titles: pd.Series) -> pd.Series:
    """Return the words that each page of search results was made for."""

    def find(url: str, title: str) -> str:
        parts = _parts(url)
        is_search = "search" in f"{parts.netloc}{parts.path}".casefold()
        for name, value in parse_qsl(parts.query):
            words = " ".join(fold(value))
            if not words or words.replace(" ", "").isdigit():
                continue
            named = name.casefold()
            if named in _CLEAR_SEARCH_NAMES or named in _SEARCH_NAMES and (is_search or words in " ".join(fold(title))):
                return value.strip()
        return ""

    return found_where(matched(urls, _SEARCH), find, urls, titles)


def doorways(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the titles that are a search phrase: in small letters, and the URL's last words, letter for letter."""
    spaced = pc.and_(pc.utf8_is_lower(as_arrow(titles)), pc.match_substring_regex(as_arrow(titles), r"\S\s+\S+\s+\S"))

    def find(title: str, url: str) -> str:
        words = fold(title)
        parts = _parts(url)
        last = _ENDING.sub("", unquote(parts.path).rstrip("/").rpartition("/")[2])
        repeated = [fold(text.replace("_", " ")) for text in (last, *(value for _, value in parse_qsl(parts.query)))]
        return title if len(words) >= DOORWAY_WORDS and words in repeated else ""

    return found_where(pd.Series(pc.fill_null(spaced, False), titles.index), find, titles, urls)


def visitors_names(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the titles that are one word, and the URL's last one: what somebody called himself."""

    def find(title: str, url: str) -> str:
        path = unquote(_parts(url).path).strip("/")
        last = _ENDING.sub("", path.rpartition("/")[2])
        return title if path.count("/") <= 1 and title.strip().casefold() == last.casefold() else ""

    one_word = matched(titles, rf"^\s*[^\s]{{{SHORTEST_NAME},}}\s*$")
    return found_where(one_word, find, titles, urls)


def nameless(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return which pages say nothing, bool: the title of an error, or no title and no word in the URL's path."""
    short = titles.where(titles.str.len() <= 2 * max(map(len, EMPTY_TITLES)), "")
    error = map_distinct(short, lambda title: "1" if " ".join(fold(title)) in EMPTY_TITLES else "") != ""
    untitled = urls.where(titles.str.strip() == "", "")
    wordless = map_distinct(untitled, lambda url: "1" if url and not _WORD.search(unquote(_parts(url).path)) else "")
    return error | (wordless != "")


def passive(links: pd.DataFrame) -> pd.Series:
    """Return which links are not followed, or written by visitors, bool."""
    return flags(links, "nofollow") | flags(links, "ugc")


def flags(links: pd.DataFrame, column: str) -> pd.Series:
    """Return which links have a mark, bool; none where the table lacks its column."""
    if column not in links:
        return pd.Series(False, links.index)
    return links[column].fillna(False).astype(bool)


def in_other_scripts(texts: pd.Series) -> pd.Series:
    """Return which texts contain letters of another script than the Latin, bool."""
    return matched(texts, r"[^\p{Latin}\p{Common}\p{Inherited}]")


def _parts(url: str) -> SplitResult:
    """Return the parts of a URL; none where it is broken."""
    try:
        return urlsplit(url if "//" in url else f"//{url}")
    except ValueError:
        return urlsplit("")
