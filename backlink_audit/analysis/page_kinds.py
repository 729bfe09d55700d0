"""What kind of page a link stands on: a page of its own, a list of sites, spam, or one that visitors wrote.

Told from signs in URL, title and anchor (`analysis.page_signs`), from numbers, and from the nearest topic. The first
rule that fits wins, and each tells its grounds. Columns that a table does not have are not asked for, so prospects
have kinds too.
"""

from collections.abc import Collection, Iterator

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis import made_pages, page_signs
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

MEMBERS = "members"
"""Addresses of profiles among those of pages that visitors write (`text/page_shapes.csv`)."""
SELF_MADE = ("a profile: ", "a page of search results ")
"""How the grounds of pages begin that nobody reads but who made them."""

Rule = tuple[str, bool, str, pd.Series]
"""A kind, whether such a page has a subject, the risk signal that the same fact is ("" for none), and the grounds in
words for each link; "" elsewhere."""


def page_kinds(
    links: pd.DataFrame,
    risky_fields: Collection[str] = (),
    shared: pd.DataFrame | None = None,
    own_domains: Collection[str] = (),
    own_names: Collection[str] = (),
) -> pd.DataFrame:
    """Return the kind of each referring page: page_kind, kind_why, kind_fact; and bool has_subject and self_made.

    `links` has referring_url and referring_title, and may have target_url, target_key, anchor, external_links,
    nofollow, followed, ugc, platform and names_site; where an audit has compared them also standing, topic_field,
    topic and own_field (`Comparison`). `risky_fields`: fields known for link spam. `shared`: how widely the footprints
    of each link are shared (`analysis.footprints.shared`). `own_domains`, `own_names`: of the targets' sites.

    kind_why says what shows it. self_made: pages that nobody reads but who made them, profiles and search results.
    A page without a subject (a list of unrelated sites, a seller of links) is about nothing: its relevance is 0.
    kind_fact names the risk signal that tells the same fact once more, "" where there is none. Same index as `links`.
    """
    kind, why, fact = (np.full(len(links), "", dtype=object) for _ in range(3))
    has_subject = np.ones(len(links), dtype=bool)
    for name, with_subject, same_fact, grounds in _rules(links, risky_fields, shared, own_domains, own_names):
        rows = (kind == "") & (grounds != "").to_numpy()
        kind[rows], why[rows], has_subject[rows] = name, grounds.to_numpy(dtype=object)[rows], with_subject
        fact[rows] = same_fact
    found = pd.DataFrame({"page_kind": kind, "kind_why": why, "kind_fact": fact}, index=links.index, dtype="str")
    return found.assign(has_subject=has_subject, self_made=found["kind_why"].str.startswith(SELF_MADE))


def _rules(
    links: pd.DataFrame,
    risky_fields: Collection[str],
    shared: pd.DataFrame | None,
    own_domains: Collection[str],
    own_names: Collection[str],
) -> Iterator[Rule]:
    """Yield the rules in their order."""
    urls, titles = links["referring_url"], links["referring_title"]
    many = links["external_links"] if "external_links" in links else pd.Series(np.nan, links.index)
    profile = page_signs.shapes(urls, MEMBERS)
    address = profile.mask(profile == "", page_signs.shapes(urls, VISITORS))
    by_visitors = (address != "") | _flags(links, "ugc") | _texts(links, "platform").str.contains("message-boards")
    crowded = many > np.where(by_visitors, MANY_LINKS_OF_VISITORS, MANY_LINKS)

    domains = page_signs.domains_in_paths(urls)
    about_domains = (page_signs.shapes(urls, LIST) + domains) != ""
    seller = page_signs.handles(titles + " " + _texts(links, "anchor"))
    yield SPAM, False, "risk_seller", _quoted("spam: it gives the contact of a seller, ", seller)
    crowd = words_where(crowded & about_domains, lambda rows: "a list of domains with " + _counted(many, rows))
    yield LIST, False, "", crowd
    if "topic_field" in links:
        risky = links["topic_field"].isin(risky_fields) & ~links["own_field"] & ~links["topic"].isin(MEMBERS_TOPICS)
        for_sale = links["topic_field"] == LINKS_FOR_SALE
        yield SPAM, False, "risk_topic", words_where(risky & (for_sale ^ by_visitors), lambda rows: _about(links, rows))
    hashed = (page_signs.hashes(urls) != "") & crowded
    made = words_where(hashed, lambda rows: "spam: " + _counted(many, rows) + " and an address made by a program")
    yield SPAM, False, "risk_external_links", made
    yield SPAM, False, "", _quoted("spam: a page in a folder for files, ", page_signs.shapes(urls, SPAM))
    yield (
        SPAM,
        False,
        "",
        _quoted("spam: title and address repeat one search phrase, ", page_signs.doorways(titles, urls)),
    )
    yield LIST, True, "", _quoted("a page of search results for ", page_signs.searches(urls, titles))
    listed = words_where(crowded, lambda rows: "a list with " + _counted(many, rows))
    yield LIST, False, "risk_external_links", listed
    yield LIST, False, "", _quoted("a page about the address ", page_signs.addresses_in_queries(urls))
    yield LIST, False, "", _quoted("a page about the domain ", domains)
    yield VISITORS, True, "", _quoted("a profile: its address has ", profile)
    yield VISITORS, True, "", _quoted("written by visitors: its address has ", address)
    named = page_signs.domains_in_titles(titles, urls, own_domains)
    yield LIST, False, "", _quoted("a page about the domain ", named)
    yield VISITORS, True, "", words_where(by_visitors, "written by visitors: so says the export")
    yield VISITORS, True, "", _quoted("a profile: named like its address, ", page_signs.visitors_names(titles, urls))
    yield from _made_pages(links, many, shared, own_names)
    pictures = page_signs.pictures(_texts(links, "target_url"))
    yield LIST, True, "", _quoted("a page that links to a picture of the site, ", pictures)
    yield LIST, True, "", _quoted("a directory: its address has ", page_signs.shapes(urls, LIST))
    if "standing" in links:
        comment = "a comment: a bare address that is not followed, on a page about something else"
        yield VISITORS, True, "", words_where(_like_comments(links), comment)
    nameless = page_signs.nameless(titles, urls)
    yield UNCLEAR, True, "", words_where(nameless, "unclear: neither title nor address says what the page is")
    yield (
        PAGE,
        True,
        "",
        words_where(pd.Series(True, links.index), "a normal page: no list, spam or forum"),
    )


def _made_pages(
    links: pd.DataFrame, many: pd.Series, shared: pd.DataFrame | None, own_names: Collection[str]
) -> Iterator[Rule]:
    """Yield the rules for pages that are copies of the site's, or made for it."""
    urls, titles = links["referring_url"], links["referring_title"]
    entry = made_pages.entries(titles, urls, own_names)
    in_directory = made_pages.is_below(urls)
    yield LIST, True, "", _quoted("an entry about the site: its address ends in ", entry.where(in_directory, ""))
    yield VISITORS, True, "", _quoted("a profile of the site: its address ends in ", entry)
    passive = _flags(links, "nofollow") | _flags(links, "ugc")
    copied = made_pages.copied_titles(titles, _texts(links, "target_key"), passive)
    yield LIST, True, "", words_where(copied != "", "a copy: its title repeats the address of the page it links to")
    if shared is not None:
        fed = passive & (shared["site_anchor"] >= made_pages.MANY_TARGETS)
        fed &= _texts(links, "names_site").str.contains("anchor", regex=False)
        counts = shared["site_anchor"]
        fed_words = words_where(
            fed, lambda rows: "a copy: on this site one anchor leads to " + _pages(counts, rows) + " of yours"
        )
        yield LIST, True, "", fed_words
        own = passive & (shared["referring_page"] >= made_pages.MANY_TARGETS)
        targets = shared["referring_page"]
        own_words = words_where(
            own, lambda rows: "a list made for the site: " + _pages(targets, rows) + " of yours, not followed"
        )
        yield LIST, True, "", own_words
        by_title = words_where(shared["title"] >= SHARED_BY, lambda rows: _sharing(shared["title"], rows))
        yield LIST, True, "risk_template", by_title
    yield LIST, True, "", _quoted("a directory: titled by category, ", made_pages.categories(titles, urls, many))


def _like_comments(links: pd.DataFrame) -> pd.Series:
    """Return which links look like those in comments under a page about something else.

    Of titles in other scripts than the Latin an English model knows nothing, so they are never off the subject.
    """
    known = ~page_signs.in_other_scripts(links["referring_title"])
    bare = map_distinct(_texts(links, "anchor"), lambda text: "1" if is_naked_url(text) else "") != ""
    return known & bare & _flags(links, "nofollow") & (links["standing"].fillna(0) < FAR_FROM_TARGET)


def _about(links: pd.DataFrame, rows: np.ndarray) -> pd.Series:
    return "spam: its title is about " + links["topic_field"][rows].str.lower()


def _quoted(words: str, found: pd.Series) -> pd.Series:
    short = found.where(found.str.len() <= LONGEST_QUOTE, found.str.slice(0, LONGEST_QUOTE - 1) + "…")
    return words_where(found != "", lambda rows: f"{words}“" + short[rows] + "”")


def _counted(many: pd.Series, rows: np.ndarray) -> pd.Series:
    return many[rows].map("{:,.0f} external links".format)


def _sharing(shared_by: pd.Series, rows: np.ndarray) -> pd.Series:
    return shared_by[rows].map("a copy: {:,} sites have a page with this title".format)


def _pages(counts: pd.Series, rows: np.ndarray) -> pd.Series:
    return counts[rows].map("{:,} pages".format)


def _texts(links: pd.DataFrame, column: str) -> pd.Series:
    return links[column] if column in links else pd.Series("", links.index, dtype="str")


def _flags(links: pd.DataFrame, column: str) -> pd.Series:
    if column not in links:
        return pd.Series(False, links.index)
    return links[column].fillna(False).astype(bool)
