"""Anchors that are keywords: what a page wants to be found by, as links have that are paid for or placed.

An editor links a name, a title, or words of a sentence. A phrase for what is sold was asked for, where several sites
write the same one for the same page, or where it has a word of trade (`text/data/trade_words.csv`).
"""

import re
from collections.abc import Collection
from functools import cache
from urllib.parse import unquote

import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import FUNCTION_WORDS, classify_anchors, content_words, fold
from backlink_audit.analysis.evidence import words_where
from backlink_audit.analysis.patterns import matched
from backlink_audit.analysis.referring_sites.footprints import CHOSEN_ANCHORS
from backlink_audit.text.word_lists import read_list

FEWEST_WORDS = 2
"""Content words of a keyword: a single one is the name of a thing."""
FEWEST_WITH_TRADE = 3
"""The same where a word of trade is all that shows it: “buy tickets” is a service to readers."""
MOST_WORDS = 6
"""Content words from which an anchor is a sentence or a title."""
LONGEST_NAME = 3
"""Content words of the target page's name up to which it is a keyword (/asia-cruises): longer ones are titles."""
SHORTEST_PART = 4
"""Letters of a word that says what a site offers where the site's name holds it (“cruise” in cruiseguru)."""
LONGEST_QUOTE = 60
"""Characters of an anchor that the evidence quotes."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_OF_TITLES = re.compile("[:?!|…–—]")


def keyword_anchors(links: pd.DataFrame, sites: pd.Series, at_least: int, brands: Collection[str]) -> pd.Series:
    """Report followed links whose anchor is a keyword: one that several sites use for the page, or a word of trade.

    `sites`: how many sites, each with an article of its own, lead to each link's target page with its anchor;
    `at_least`: from how many on it is a keyword. `brands`: names of the target site. A keyword is written in small
    letters, as in a sentence; names are not, and titles are longer.
    """
    with_trade = matched(links["anchor"], _with_trade())
    chosen = (links["followed"] & ((sites >= at_least) | with_trade)).to_numpy(dtype=bool)
    rows = links[chosen]
    counts = sites[chosen].where(sites[chosen] >= at_least, 0)
    columns = (rows["anchor"], rows["target_key"], classify_anchors(rows, brands), counts, with_trade[chosen])
    return words_where(
        pd.Series(chosen, links.index),
        lambda _: pd.Series([_evidence(*row, brands) for row in zip(*columns, strict=True)], dtype="str"),
    )


def _evidence(anchor: str, key: str, of_class: str, sites: int, with_trade: bool, brands: Collection[str]) -> str:
    """Say what shows that an anchor is a keyword, "" where nothing does; `sites`: 0 for too few."""
    content = content_words(fold(anchor))
    is_title = len(content) > LONGEST_NAME and content in _names(key)
    in_length = FEWEST_WORDS <= len(content) <= MOST_WORDS
    if of_class not in CHOSEN_ANCHORS or is_title or not in_length or not is_in_small_letters(anchor):
        return ""
    quoted = f"“{anchor.strip()[:LONGEST_QUOTE]}”"
    if sites and (of_class != labels.OTHER_ANCHOR.word or _is_in_names(content, brands)):
        return f"{sites:,} sites link to the same page with the anchor {quoted}"
    if with_trade and len(content) >= FEWEST_WITH_TRADE:
        return f"the anchor {quoted} is a commercial keyword"
    return ""


def is_in_small_letters(anchor: str) -> bool:
    """Return whether an anchor is written as in a sentence: a word of it in small letters, and no sign of a title."""
    words = [word for word in _WORD.findall(anchor) if word.casefold() not in FUNCTION_WORDS]
    return any(not word[0].isupper() for word in words) and not _OF_TITLES.search(anchor)


def _names(key: str) -> list[list[str]]:
    """Return the content words of each part of a page's address."""
    path = unquote(key.partition("/")[2].partition("?")[0])
    return [content_words(fold(part)) for part in path.split("/")]


def _is_in_names(words: list[str], brands: Collection[str]) -> bool:
    """Return whether a name of the site contains one of the words: then they say what it offers."""
    return any(word in brand for word in words if len(word) >= SHORTEST_PART for brand in brands)


@cache
def _with_trade() -> str:
    """Return a pattern (RE2) of the words of trade."""
    words = {word for row in read_list("trade_words") for word in row["words"].split("|")}
    return rf"(?i)(?:^|[^\p{{L}}])(?:{'|'.join(map(re.escape, sorted(words)))})(?:$|[^\p{{L}}])"
