"""What kind of page a link stands on: a page of its own, a list of sites, spam, or one that visitors wrote.

Told from signs in URL, title and anchor (`analysis.page_signs`), from numbers, and from the nearest topic. The first
rule that fits wins, and each tells its grounds. Columns that a table does not have are not asked for, so prospects
have kinds too.
"""

from collections.abc import Collection, Iterator

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis import page_signs
from backlink_audit.analysis.anchor_classes import is_naked_url
from backlink_audit.analysis.evidence import words_where
from backlink_audit.text.urls import map_distinct

PAGE_KINDS = tuple(label.word for label in labels.PAGE_KINDS)
PAGE, LIST, SPAM, VISITORS, UNCLEAR = PAGE_KINDS

MANY_LINKS = 400
"""External links from which a page is a list, whatever it says: nobody chose them for a reader."""
MANY_LINKS_OF_VISITORS = 2_000
"""The same for a page that visitors write: a long thread may have a thousand."""
SHARED_BY = 5
"""Referring domains with one title, names and numbers apart, that make it a program's."""
FAR_FROM_TARGET = 1.0
"""Standing below which a bare address with nofollow is taken for a comment's."""

LONGEST_QUOTE = 60
"""Characters of what is quoted as grounds."""

LINKS_FOR_SALE = "Link and traffic selling"
"""The field whose pages are spam wherever they stand; those of other risky fields among visitors' posts alone."""
MEMBERS_TOPICS = ("buy followers and likes",)
"""Topics of risky fields that lists of a forum's members come near to."""

Rule = tuple[str, bool, pd.Series]
"""A kind, whether such a page has a subject, and the grounds in words for each link; "" elsewhere."""


def page_kinds(
    links: pd.DataFrame,
    risky_fields: Collection[str] = (),
    shared_by: pd.Series | None = None,
    own_domains: Collection[str] = (),
) -> pd.DataFrame:
    """Return the kind of each referring page: text columns page_kind, kind_why (its grounds), and bool has_subject.

    `links` has referring_url and referring_title, and may have target_url, anchor, external_links, nofollow, ugc and
    platform; where an audit has compared them also standing, topic_field, topic and own_field (`Comparison`).
    `risky_fields`: fields known for link spam. `shared_by`: how many domains have each title
    (`analysis.footprints.shared`). `own_domains`: of the targets' sites. A page without a subject (a list of unrelated
    sites, a seller of links) is about nothing: its relevance is 0. Same index as `links`.
    """
    kind, why = np.full(len(links), "", dtype=object), np.full(len(links), "", dtype=object)
    has_subject = np.ones(len(links), dtype=bool)
    for name, with_subject, grounds in _rules(links, risky_fields, shared_by, own_domains):
        rows = (kind == "") & (grounds != "").to_numpy()
        kind[rows], why[rows], has_subject[rows] = name, grounds.to_numpy(dtype=object)[rows], with_subject
    found = pd.DataFrame({"page_kind": kind, "kind_why": why}, index=links.index, dtype="str")
    return found.assign(has_subject=has_subject)


def _rules(
    links: pd.DataFrame, risky_fields: Collection[str], shared_by: pd.Series | None, own_domains: Collection[str]
) -> Iterator[Rule]:
    """Yield the rules in their order."""
    urls, titles = links["referring_url"], links["referring_title"]
    many = links["external_links"] if "external_links" in links else pd.Series(np.nan, links.index)
    address = page_signs.shapes(urls, VISITORS)
    by_visitors = (address != "") | _flags(links, "ugc") | _texts(links, "platform").str.contains("message-boards")
    crowded = many > np.where(by_visitors, MANY_LINKS_OF_VISITORS, MANY_LINKS)

    about_domains = (page_signs.shapes(urls, LIST) + page_signs.domains_in_paths(urls)) != ""
    yield SPAM, False, _quoted("a messenger contact", page_signs.handles(titles + " " + _texts(links, "anchor")))
    yield (
        LIST,
        False,
        words_where(crowded & about_domains, lambda rows: _counted(many, rows) + " on a page about domains"),
    )
    if "topic_field" in links:
        risky = links["topic_field"].isin(risky_fields) & ~links["own_field"] & ~links["topic"].isin(MEMBERS_TOPICS)
        for_sale = links["topic_field"] == LINKS_FOR_SALE
        yield SPAM, False, words_where(risky & (for_sale ^ by_visitors), lambda rows: _about(links, rows))
    hashed = (page_signs.hashes(urls) != "") & crowded
    yield SPAM, False, words_where(hashed, lambda rows: _counted(many, rows) + " at an address made of numbers")
    yield SPAM, False, _quoted("a page in a folder of files", page_signs.shapes(urls, SPAM))
    yield SPAM, False, _quoted("title and address repeat one phrase", page_signs.doorways(titles, urls))
    yield LIST, True, _quoted("results of a search for", page_signs.searches(urls, titles))
    yield LIST, False, words_where(crowded, lambda rows: _counted(many, rows))
    yield LIST, False, _quoted("about the domain", page_signs.domains_in_paths(urls))
    yield VISITORS, True, _quoted("the address contains", address)
    yield LIST, False, _quoted("about the domain", page_signs.domains_in_titles(titles, urls, own_domains))
    yield VISITORS, True, words_where(by_visitors, "marked in the export as written by visitors")
    yield VISITORS, True, _quoted("named like a visitor", page_signs.visitors_names(titles, urls))
    if shared_by is not None:
        yield LIST, True, words_where(shared_by >= SHARED_BY, lambda rows: _sharing(shared_by, rows))
    yield LIST, True, _quoted("it shows an image of the site,", page_signs.pictures(_texts(links, "target_url")))
    yield LIST, True, _quoted("the address contains", page_signs.shapes(urls, LIST))
    if "standing" in links:
        yield VISITORS, True, words_where(_like_comments(links), "a bare address with nofollow, off the subject")
    yield UNCLEAR, True, words_where(page_signs.nameless(titles, urls), "neither title nor address says what it is")
    yield PAGE, True, words_where(pd.Series(True, links.index), "nothing speaks against it")


def _like_comments(links: pd.DataFrame) -> pd.Series:
    """Return which links look like those in comments under a page about something else.

    Of titles in other scripts than the Latin an English model knows nothing, so they are never off the subject.
    """
    known = ~page_signs.in_other_scripts(links["referring_title"])
    bare = map_distinct(_texts(links, "anchor"), lambda text: "1" if is_naked_url(text) else "") != ""
    return known & bare & _flags(links, "nofollow") & (links["standing"].fillna(0) < FAR_FROM_TARGET)


def _about(links: pd.DataFrame, rows: np.ndarray) -> pd.Series:
    return "its title is about " + links["topic_field"][rows].str.lower()


def _quoted(words: str, found: pd.Series) -> pd.Series:
    short = found.where(found.str.len() <= LONGEST_QUOTE, found.str.slice(0, LONGEST_QUOTE - 1) + "…")
    return words_where(found != "", lambda rows: f"{words} “" + short[rows] + "”")


def _counted(many: pd.Series, rows: np.ndarray) -> pd.Series:
    return many[rows].map("{:,.0f} external links".format)


def _sharing(shared_by: pd.Series, rows: np.ndarray) -> pd.Series:
    return shared_by[rows].map("{:,} sites have a page of this title".format)


def _texts(links: pd.DataFrame, column: str) -> pd.Series:
    return links[column] if column in links else pd.Series("", links.index, dtype="str")


def _flags(links: pd.DataFrame, column: str) -> pd.Series:
    if column not in links:
        return pd.Series(False, links.index)
    return links[column].fillna(False).astype(bool)
