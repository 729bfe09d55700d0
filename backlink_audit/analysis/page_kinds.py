"""What kind of page a link is on: a page of its own, a list of sites, spam, or one that visitors wrote.

Judged by signs in URL, title and anchor (`analysis.page_signs`), by numbers, and by the nearest topic. The first
rule that fits wins, and each gives its reason. Rules whose columns a table does not have are skipped, so prospects
have kinds too.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis import made_pages, page_signs, self_made
from backlink_audit.analysis.evidence import words_where
from backlink_audit.analysis.patterns import matched

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
"""Characters of what is quoted as a reason."""

LINKS_FOR_SALE = "Link and traffic selling"
"""The field whose pages are always spam; those of other risky fields are spam only among visitors' posts."""
MEMBERS_TOPICS = ("buy followers and likes",)
"""Topics of risky fields that lists of a forum's members come near to."""

MEMBERS, TAGS = "members", "tags"
"""Addresses of profiles, and of pages that list what has one tag (`text/page_shapes.csv`)."""
SEARCHES, PICTURES = "a page of search results for ", "a page that links to an image of the site, "
"""How the reasons begin of kinds that are distinguished by them."""

NUMBERED_ALIKE = 3
"""Pages of one site with one title and addresses that differ in numbers alone, that make them a program's."""
FAR_AND_WIDE = 10
"""Sites with one title from which pages with followed links, about something else, are a network of link sellers."""


class Rule(NamedTuple):
    """A kind, and in words what shows it for each link, "" elsewhere."""

    kind: str
    grounds: pd.Series
    has_subject: bool = True
    same_fact: str = ""
    """The risk signal that reports the same fact, "" for none."""
    worthless: bool | pd.Series = False
    """Whether such a link brings nothing, however strong its site is: nobody reads the page but who made it."""
    for_links: bool | pd.Series = False
    """Whether such a list was made to sell or swap links: it has too many, or is one page on many sites."""


def page_kinds(
    links: pd.DataFrame,
    risky_fields: Collection[str] = (),
    shared: pd.DataFrame | None = None,
    own_domains: Collection[str] = (),
    own_names: Collection[str] = (),
) -> pd.DataFrame:
    """Return the kind of each referring page: page_kind, kind_why, kind_fact; bool has_subject, self_made, for_links.

    `links` has referring_url and referring_title, and may have target_url, target_key, anchor, external_links,
    nofollow, followed, ugc, platform, names_site and own_site (`analysis.own_sites`); where an audit has compared them
    also standing, topic_field, topic and own_field (`Comparison`). `risky_fields`: fields known for link spam.
    `shared`: what the whole export says of each link (`analysis.export_summary`). `own_domains`, `own_names`: of the
    targets' sites.

    kind_why says what shows it. self_made: links that bring nothing, whatever the site: of profiles, search results,
    and pictures of the site; of pages made for the site, where they are not followed. for_links: followed links of
    lists made to sell or swap links: of thousands, or one page on many sites.
    A page without a subject (a list of unrelated sites, a seller of links) is about nothing: its relevance is 0.
    kind_fact names the risk signal that reports the same fact, "" where there is none. Same index as `links`.
    """
    kind, why, fact = (np.full(len(links), "", dtype=object) for _ in range(3))
    has_subject = np.ones(len(links), dtype=bool)
    worthless, for_links = np.zeros((2, len(links)), dtype=bool)
    for rule in _rules(links, risky_fields, shared, own_domains, own_names):
        rows = (kind == "") & (rule.grounds != "").to_numpy()
        kind[rows], why[rows], has_subject[rows] = (
            rule.kind,
            rule.grounds.to_numpy(dtype=object)[rows],
            rule.has_subject,
        )
        fact[rows] = rule.same_fact
        worthless |= rows & np.asarray(rule.worthless, dtype=bool)
        for_links |= rows & np.asarray(rule.for_links, dtype=bool)
    found = pd.DataFrame({"page_kind": kind, "kind_why": why, "kind_fact": fact}, index=links.index, dtype="str")
    return found.assign(has_subject=has_subject, self_made=worthless, for_links=for_links)


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
    says_so = page_signs.flags(links, "ugc") | matched(_texts(links, "platform"), "message-boards")
    by_visitors = (address != "") | says_so
    crowded = many > np.where(by_visitors, MANY_LINKS_OF_VISITORS, MANY_LINKS)

    own = _texts(links, "own_site")
    yield Rule(LIST, _quoted("a site of the target's owner: it has the name ", own), worthless=True)
    domains = page_signs.domains_in_paths(urls)
    about_domains = (page_signs.shapes(urls, LIST) + domains) != ""
    seller = page_signs.handles(titles + " " + _texts(links, "anchor"))
    yield Rule(SPAM, _quoted("spam: it has the contact of a seller, ", seller), False, "risk_seller")
    crowd = words_where(crowded & about_domains, lambda rows: "a list of domains with " + _counted(many, rows))
    swamped = (many >= MANY_LINKS_OF_VISITORS) & ~page_signs.passive(links)
    yield Rule(LIST, crowd, False, for_links=swamped)
    if "topic_field" in links:
        risky = links["topic_field"].isin(risky_fields) & ~links["own_field"] & ~links["topic"].isin(MEMBERS_TOPICS)
        for_sale = links["topic_field"] == LINKS_FOR_SALE
        about = words_where(risky & (for_sale ^ by_visitors), lambda rows: _about(links, rows))
        yield Rule(SPAM, about, False, "risk_topic")
        # Sellers of what nobody links to openly write the site's name into the title too.
        named = risky & matched(_texts(links, "names_site"), "title")
        yield Rule(SPAM, words_where(named, lambda rows: _about(links, rows)), False, "risk_topic")
    hashed = (page_signs.hashes(urls) != "") & crowded & ~page_signs.flags(links, "nofollow")
    made = words_where(hashed, lambda rows: "spam: " + _counted(many, rows) + " and an automatically generated URL")
    yield Rule(SPAM, made, False, "risk_external_links")
    yield Rule(
        SPAM,
        _quoted("spam: a web page in a folder for uploads, images or scripts, ", page_signs.shapes(urls, SPAM)),
        False,
    )
    doorway = _quoted("spam: the title and the URL repeat one search phrase, ", page_signs.doorways(titles, urls))
    yield Rule(SPAM, doorway, False)
    yield Rule(LIST, _quoted(SEARCHES, page_signs.searches(urls, titles)), worthless=True)
    comments = crowded & (many < MANY_LINKS_OF_VISITORS) & page_signs.passive(links) & matched(urls, self_made.DATED)
    thread = words_where(
        comments, lambda rows: "comments: " + _counted(many, rows) + " below a post with its year in the URL"
    )
    yield Rule(VISITORS, thread, worthless=True)
    about_site = crowded & (many < MANY_LINKS_OF_VISITORS) & _near_target(links)
    on_subject = words_where(
        about_site, lambda rows: "a list with " + _counted(many, rows) + ", near the site's subject"
    )
    yield Rule(LIST, on_subject, same_fact="risk_external_links")
    listed = words_where(crowded, lambda rows: "a list with " + _counted(many, rows))
    yield Rule(LIST, listed, False, "risk_external_links", for_links=swamped)
    yield Rule(LIST, _quoted("a page about the URL ", page_signs.addresses_in_queries(urls)), False)
    yield Rule(LIST, _quoted("a page about the domain ", domains), False)
    yield Rule(VISITORS, _quoted("a profile: its URL has ", profile), worthless=True)
    yield Rule(VISITORS, _quoted("user-generated: its URL has ", address))
    named = page_signs.domains_in_titles(titles, urls, own_domains)
    yield Rule(LIST, _quoted("a page about the domain ", named), False)
    yield Rule(VISITORS, words_where(by_visitors, "user-generated: marked so in the export"))
    yield Rule(
        VISITORS,
        _quoted("a profile: its title is like its URL, ", page_signs.visitors_names(titles, urls)),
        worthless=True,
    )
    picture = page_signs.pictures(_texts(links, "target_url"))
    yield Rule(LIST, _quoted(PICTURES, picture), worthless=True)
    yield from _pages_for_the_site(links, many, own_names)
    yield from _made_pages(links, many, shared)
    yield Rule(LIST, _quoted("a directory: its URL has ", page_signs.shapes(urls, LIST)))
    yield Rule(LIST, _quoted("a tag page: its URL has ", page_signs.shapes(urls, TAGS)))
    if "standing" in links:
        comment = "a comment: a nofollow link with only a URL as anchor, on a page about something else"
        yield Rule(VISITORS, words_where(_like_comments(links), comment))
    nameless = page_signs.nameless(titles, urls)
    yield Rule(UNCLEAR, words_where(nameless, "unclear: the title and the URL do not show what the page is"))
    yield Rule(PAGE, words_where(pd.Series(True, links.index), "a normal page: no list, spam or forum"))


def _pages_for_the_site(links: pd.DataFrame, many: pd.Series, own_names: Collection[str]) -> Iterator[Rule]:
    """Yield the rules for pages that somebody made for the site: profiles, entries, notes."""
    urls, titles, keys = links["referring_url"], links["referring_title"], _texts(links, "target_key")
    passive = page_signs.passive(links)
    below, address = self_made.is_below(urls), self_made.addresses(_texts(links, "anchor"))
    bare = address | self_made.buttons(_texts(links, "anchor"))
    site = self_made.named_after_site(titles, urls, own_names, bare)
    yield Rule(LIST, _quoted("an entry about the site: named ", site.where(below, "")), worthless=passive)
    yield Rule(VISITORS, _quoted("a profile of the site: named ", site), worthless=passive)
    handle = self_made.handles_of_titles(titles, urls)
    yield Rule(VISITORS, _quoted("a profile: its name is the title, ", handle), worthless=passive)
    target = self_made.named_after_target(titles, keys, own_names, bare)
    yield Rule(LIST, _quoted("an entry: its title only names what it links to, ", target), worthless=passive)
    note = self_made.nameless_notes(titles, urls, address, many)
    yield Rule(VISITORS, _quoted("a note or post that anybody can publish, at ", note), worthless=passive)


def _made_pages(links: pd.DataFrame, many: pd.Series, shared: pd.DataFrame | None) -> Iterator[Rule]:
    """Yield the rules for pages that a program made: copies, and directories."""
    urls, titles = links["referring_url"], links["referring_title"]
    passive = page_signs.passive(links)
    if shared is None:
        copied = made_pages.copied_titles(titles, _texts(links, "target_key"), passive) != ""
    else:
        copied = shared["copied_page"] & passive
    repeats = "a copy: its title repeats the URL of the page it links to"
    yield Rule(LIST, words_where(copied, repeats))
    if shared is not None:
        copies = shared["copied_site"]
        on_site = words_where(
            copies > 0, lambda rows: copies[rows].map("a copy: {:,} pages of this site copy yours".format)
        )
        yield Rule(LIST, on_site)
        counts = shared["site_anchor"]
        fed = passive & (counts >= made_pages.MANY_TARGETS)
        fed &= matched(_texts(links, "names_site"), "anchor")
        leads = words_where(
            fed, lambda rows: "a copy: on this site one anchor leads to " + _pages(counts, rows) + " of yours"
        )
        yield Rule(LIST, leads)
        targets = shared["referring_page"]
        own = passive & (targets >= made_pages.MANY_TARGETS)
        for_site = words_where(
            own, lambda rows: "a list made for the site: " + _pages(targets, rows) + " of yours, not followed"
        )
        yield Rule(LIST, for_site)
        if "standing" in links:
            network = (shared["title"] >= FAR_AND_WIDE) & ~passive & (links["standing"].fillna(0) < FAR_FROM_TARGET)
            one_page = words_where(network, lambda rows: "one page on many sites: " + _sharing(shared["title"], rows))
            yield Rule(LIST, one_page, False, "risk_template", for_links=True)
        by_title = words_where(shared["title"] >= SHARED_BY, lambda rows: "a copy: " + _sharing(shared["title"], rows))
        yield Rule(LIST, by_title, same_fact="risk_template")
        by_series = passive & (shared["series"] >= SHARED_BY)
        program = words_where(
            by_series, lambda rows: shared["series"][rows].map("a copy: {:,} sites have such articles".format)
        )
        yield Rule(LIST, program)
        numbered = shared["numbered"]
        same = words_where(
            numbered >= NUMBERED_ALIKE,
            lambda rows: "generated: " + _pages(numbered, rows) + " of its site have this title",
        )
        yield Rule(LIST, same)
    yield Rule(LIST, _quoted("a directory: titled by category, ", made_pages.categories(titles, urls, many)))


def _near_target(links: pd.DataFrame) -> pd.Series:
    """Return which pages are about the field of the target, and close to it themselves, bool."""
    if "standing" not in links or "own_field" not in links:
        return pd.Series(False, links.index)
    return links["own_field"] & (links["standing"].fillna(0) >= FAR_FROM_TARGET)


def _like_comments(links: pd.DataFrame) -> pd.Series:
    """Return which links look like those in comments under a page about something else.

    Of titles in other scripts than the Latin an English model knows nothing, so they are never off the subject.
    """
    known = ~page_signs.in_other_scripts(links["referring_title"])
    bare = self_made.addresses(_texts(links, "anchor"))
    return known & bare & page_signs.flags(links, "nofollow") & (links["standing"].fillna(0) < FAR_FROM_TARGET)


def _about(links: pd.DataFrame, rows: np.ndarray) -> pd.Series:
    return "spam, its title is about: " + links["topic_field"][rows].str.lower()


def _quoted(words: str, found: pd.Series) -> pd.Series:
    short = found.where(found.str.len() <= LONGEST_QUOTE, found.str.slice(0, LONGEST_QUOTE - 1) + "…")
    return words_where(found != "", lambda rows: f"{words}“" + short[rows] + "”")


def _counted(many: pd.Series, rows: np.ndarray) -> pd.Series:
    return many[rows].map("{:,.0f} external links".format)


def _sharing(shared_by: pd.Series, rows: np.ndarray) -> pd.Series:
    return shared_by[rows].map("{:,} sites have a page with this title".format)


def _pages(counts: pd.Series, rows: np.ndarray) -> pd.Series:
    return counts[rows].map("{:,} pages".format)


def _texts(links: pd.DataFrame, column: str) -> pd.Series:
    return links[column] if column in links else pd.Series("", links.index, dtype="str")
