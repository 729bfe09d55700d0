"""The gap: exports of several sites -> domains side by side -> what they are about -> prospects and pages to pitch."""

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit, urlunsplit

import numpy as np
import pandas as pd

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.nearest import closest
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.gap.domains import compare_sites, join_sites, links_by_site
from backlink_audit.gap.result import Gap
from backlink_audit.gap.sites import (
    Site,
    check_sites,
    judge_prospects,
    linked_before,
    missing_columns,
    named_apart,
    read_site,
    read_sites,
    worth_asking,
)
from backlink_audit.judgement.actions import prospect_kinds
from backlink_audit.judgement.referring_sites import related_sites
from backlink_audit.judgement.scales import cas_of_new_link
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import GapSettings, PageFilters
from backlink_audit.site.vectors import encode_columns
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.link_texts import short_text, site_texts
from backlink_audit.text.page_kinds import LISTING, UTILITY, page_kinds
from backlink_audit.text.page_languages import page_languages, without_language
from backlink_audit.text.page_texts import read_page_texts
from backlink_audit.text.urls import map_distinct, normalise_urls, url_words

MOST_COMPETITORS = 5
NO_PAGES = (
    "Relevance and page to pitch are empty, because they need your pages: load a crawl of your site or an export "
    "of your backlinks."
)
PITCHED_FROM = 0.4
"""Similarity to a prospect's page from which a page of ours is pitched: below, readers found none on its subject."""
NO_PAGE = r"(?i)\.(jpe?g|png|gif|webp|svg|ico|css|js|json|xml|rss|zip|mp[34]|woff2?)$"
"""Ends of paths that are files, not pages to read."""


def find_gap(
    ours: Export,
    theirs: Sequence[Export],
    settings: GapSettings,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Gap:
    """Compare who links to us with who links to competitors. `sources`: a crawl of our site, for the pages to pitch.

    Exports list links or referring domains, of any tool. Several of one competitor count as one competitor. Raises
    InvalidSetting (no competitor, or more than MOST_COMPETITORS), WrongExport (a competitor's file is our own, or the
    same as another), NoRowsLeft (a filter removed every row of a file).
    """
    on_progress("Comparing sites", 0, 1)
    own = read_site(ours)
    others = named_apart([site for export in theirs for site in read_sites(export)], own)
    check_sites(own, others)
    names = list(dict.fromkeys(site.name for site in others if site.name != own.name))
    if not 1 <= len(names) <= MOST_COMPETITORS:
        raise InvalidSetting(f"A link gap needs 1 to {MOST_COMPETITORS} competitors, but there are {len(names)}.")
    rows = join_sites(_rows_by_site([own, *others]))
    links = links_by_site(rows, [own.name, *names])
    domains = compare_sites(rows, links, own.name)
    tied = related_sites(rows, [own.name, *names])
    domains["tied_to"] = tied.reindex(domains["referring_domain"], fill_value="").astype("str").array
    domains["linked_before"] = domains["referring_domain"].isin(linked_before(own)) & (domains["our_links"] == 0)
    to_pitch = our_pages(own, sources.pages)
    judged = judge_prospects(domains, own, settings.model, encoder, sources.pages, on_progress)
    return Gap(
        ours=own.name,
        competitors=tuple(names),
        files=_files([own, *others]),
        domains=find_pages(judged, to_pitch, encoder, on_progress),
        links_by_site=links,
        settings=settings,
        model=encoder.name,
        notes=tuple(missing_columns([own, *others]) + ([] if len(to_pitch) else [NO_PAGES])),
    )


def _files(sites: Sequence[Site]) -> dict[str, str]:
    named: dict[str, list[str]] = {}
    for site in sites:
        named.setdefault(site.export.name, []).append(site.name)
    return {name: ", ".join(its) for name, its in named.items()}


def _rows_by_site(sites: Sequence[Site]) -> dict[str, list[pd.DataFrame]]:
    tables: dict[str, list[pd.DataFrame]] = {}
    for site in sites:
        tables.setdefault(site.name, []).append(site.rows)
    return tables


def our_pages(own: Site, pages: Export | None) -> pd.DataFrame:
    """Return the pages that can be pitched: columns url, title, h1, language ("" where unknown), one row per page.

    The living pages of the crawl; without a crawl, the pages that links point to; none if there is neither.
    """
    if pages is not None:
        crawl = clean_pages(pages, PageFilters()).table
        texts = read_page_texts(crawl, "title")
        found = {"title": texts.titles, "h1": texts.headings, "language": texts.languages}
        return _of_use(pd.DataFrame({"url": crawl["url"].to_numpy(), **found}, dtype="str"))
    if not own.lists_links:
        return pd.DataFrame({"url": [], "title": [], "h1": [], "language": []}, dtype="str")
    urls = map_distinct(own.table.loc[own.table["target_domain"] == own.name, "target_url"], page_to_pitch)
    urls = urls[urls != ""]
    urls = urls[~normalise_urls(urls).duplicated()]
    return _of_use(pd.DataFrame({"url": urls.to_numpy(), "title": "", "h1": "", "language": ""}).astype("str"))


def _of_use(pages: pd.DataFrame) -> pd.DataFrame:
    """Return the pages that are none of those that nobody links to: legal notices, logins, contact, lists of tags."""
    names = pages["title"].where(pages["title"] != "", map_distinct(pages["url"], url_words))
    kinds = page_kinds(pages["url"].tolist(), names.tolist(), [""] * len(pages), frozenset())
    return pages[[one.kind not in (UTILITY, LISTING) for one in kinds]].reset_index(drop=True)


def page_to_pitch(url: str) -> str:
    """Return a linked URL as one would send it: no fragment, no query, no mobile host; "" for what is no page.

    >>> page_to_pitch("https://m.shop.example/a?utm_source=x#sthash.1"), page_to_pitch("https://shop.example/a.JPG")
    ('https://shop.example/a', '')
    """
    parts = urlsplit(url)
    host = parts.netloc.removeprefix("m.").removeprefix("mobile.")
    return "" if re.search(NO_PAGE, parts.path) else urlunsplit((parts.scheme, host, parts.path, "", ""))


def find_pages(domains: pd.DataFrame, pages: pd.DataFrame, encoder: Encoder, on_progress: Progress) -> pd.DataFrame:
    """Return `sites.compare_sites`' table with our closest page, blank for domains without anything to ask for.

    A domain is compared with our pages by the title of its best example, else by the words of its URL; where only the
    domain is known, by the words of its name. Where we have pages in its language, with these alone.
    """
    prospects = worth_asking(domains)
    titles = map_distinct(prospects["example_title"], short_text)
    bare = "https://" + prospects["referring_domain"] + "/"
    words = prospects["example_url"].where(prospects["example_url"] != "", bare)
    subjects = titles.where(titles != "", map_distinct(words, url_words))
    columns = [subjects, *site_texts(pages["url"], pages["title"], pages["h1"])]
    vectors, *ours = encode_columns(encoder, columns, on_progress)
    place, similarity = np.full(len(prospects), -1), np.full(len(prospects), np.nan)
    for asked, offered in _in_one_language(subjects, prospects["example_url"], pages["language"]):
        nearest, similarity[asked] = closest(vectors[asked], [text[offered] for text in ours], on_progress)
        place[asked] = np.where(nearest >= 0, offered[nearest], -1) if len(offered) else -1
    known = vectors.any(axis=1) & ~np.isnan(similarity)
    place = np.where(known & (similarity >= PITCHED_FROM), place, -1)
    found = pd.DataFrame(
        {
            "similarity": np.where(known, similarity, np.nan).astype("float64"),
            "our_page": _named(place, pages["url"]),
            "our_page_title": _named(place, pages["title"].where(pages["title"] != "", pages["h1"])),
        },
        index=prospects.index,
    )
    found["prospect_cas"] = cas_of_new_link(
        prospects["example_rating"], prospects["example_external_links"], found["similarity"]
    )
    found["prospect_kind"] = prospect_kinds(prospects["example_title"], prospects["example_url"])
    texts = dict.fromkeys(("our_page", "our_page_title", "prospect_kind"), "")
    return domains.join(found).fillna(texts).astype(dict.fromkeys(texts, "str"))


def _in_one_language(subjects: pd.Series, urls: pd.Series, ours: pd.Series) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    if ours.nunique() < 2:
        yield np.arange(len(subjects)), np.arange(len(ours))
        return
    codes = [without_language(url)[1] for url in urls]
    theirs = np.array(page_languages(subjects.tolist(), [codes], ours.unique()))
    for language in np.unique(theirs):
        same = np.flatnonzero(ours == language)
        yield np.flatnonzero(theirs == language), same if len(same) else np.arange(len(ours))


def _named(places: np.ndarray, names: Iterable[str]) -> np.ndarray:
    return np.array([*names, ""], dtype=object)[places]
