"""Which of our pages to pitch to each prospect: the closest one."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from backlink_audit.analysis.cas import cas_of_new_link
from backlink_audit.analysis.closest import closest
from backlink_audit.analysis.prospect_kinds import prospect_kinds
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.gap.prospects import worth_asking
from backlink_audit.pipelines.gap.sites import Site
from backlink_audit.pipelines.vectors import encode_columns
from backlink_audit.progress import Progress
from backlink_audit.settings import PageFilters
from backlink_audit.text.pages import read_page_texts
from backlink_audit.text.site_pages import site_texts
from backlink_audit.text.texts import short_text
from backlink_audit.text.urls import map_distinct, url_words

FOUND = ("similarity", "our_page", "our_page_title", "prospect_cas", "prospect_kind")
"""The columns that `find_pages` adds."""


def our_pages(own: Site, pages: Export | None) -> pd.DataFrame:
    """Return the pages that can be pitched: columns url, title, h1 (those "" where unknown), one row per page.

    The living pages of the crawl; without a crawl, the pages that links point to; none if there is neither.
    """
    if pages is not None:
        crawl = clean_pages(pages, PageFilters()).table
        names = read_page_texts(crawl.assign(content=""), "title")
        return pd.DataFrame({"url": crawl["url"].to_numpy(), "title": names.titles, "h1": names.headings}, dtype="str")
    if not own.lists_links:
        return pd.DataFrame({"url": [], "title": [], "h1": []}, dtype="str")
    linked = own.table[own.table["target_domain"] == own.name].drop_duplicates("target_key")
    return pd.DataFrame({"url": linked["target_url"].to_numpy(), "title": "", "h1": ""}).astype("str")


def find_pages(domains: pd.DataFrame, pages: pd.DataFrame, encoder: Encoder, on_progress: Progress) -> pd.DataFrame:
    """Return `analysis.gap.compare_sites`' table with FOUND, blank for domains without anything to ask for.

    A domain is compared with our pages by the title of its best example, else by the words of its URL; where only the
    domain is known, by the words of its name.
    """
    prospects = worth_asking(domains)
    columns = [_subjects(prospects), *site_texts(pages["url"], pages["title"], pages["h1"])]
    vectors, *ours = encode_columns(encoder, columns, on_progress)
    place, similarity = closest(vectors, ours, on_progress)
    known = vectors.any(axis=1) & ~np.isnan(similarity)
    place = np.where(known, place, -1)
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


def _subjects(domains: pd.DataFrame) -> pd.Series:
    """Return what each prospect is about: the example's title, else the words of its URL, else of the domain's name."""
    titles = map_distinct(domains["example_title"], short_text)
    bare = "https://" + domains["referring_domain"] + "/"
    words = domains["example_url"].where(domains["example_url"] != "", bare)
    return titles.where(titles != "", map_distinct(words, url_words))


def _named(places: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """Return the name at each place, "" for the place -1."""
    return np.array([*names, ""], dtype=object)[places]
