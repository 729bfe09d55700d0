"""What prospects are about, and which of our pages to pitch to them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from backlink_audit.analysis.fit import fit_to_site
from backlink_audit.analysis.relevance import bands
from backlink_audit.analysis.topics import load_topics
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import OURS_ALONE, SHARED
from backlink_audit.pipelines.gap.sites import Site
from backlink_audit.pipelines.vectors import encode_columns
from backlink_audit.progress import Progress
from backlink_audit.settings import BandLimits, PageFilters
from backlink_audit.text.pages import read_page_texts
from backlink_audit.text.site_pages import site_texts
from backlink_audit.text.texts import clean_text
from backlink_audit.text.urls import map_distinct, url_words

FITTED = ("topic", "topic_field", "similarity", "relevance", "band", "our_page", "our_page_title")
"""The columns that `describe` adds."""
TEXTS = ("topic", "topic_field", "band", "our_page", "our_page_title")


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


def describe(domains: pd.DataFrame, pages: pd.DataFrame, encoder: Encoder, on_progress: Progress) -> pd.DataFrame:
    """Return `analysis.gap.compare_sites`' table with FITTED, blank for domains that have nothing to be asked for.

    A domain is told by the title of its best example, else by the words of its URL; where only the domain is known, by
    the words of its name. The anchor there speaks of the competitor and is left out.
    """
    asked = domains[~domains["gap_class"].isin([OURS_ALONE.word, SHARED.word])]
    topics = load_topics()
    columns = [_subjects(asked), pd.Series(topics.phrases), *site_texts(pages["url"], pages["title"], pages["h1"])]
    prospects, chance, *site = encode_columns(encoder, columns, on_progress)
    fit = fit_to_site(prospects, site, chance, on_progress)
    fitted = pd.DataFrame(
        {
            "topic": _named(fit.topic, topics.phrases),
            "topic_field": _named(fit.topic, topics.fields),
            "similarity": fit.similarity.astype("float64"),
            "relevance": fit.relevance,
            "band": bands(fit.relevance, BandLimits()),
            "our_page": _named(fit.page, pages["url"]),
            "our_page_title": _named(fit.page, pages["title"].where(pages["title"] != "", pages["h1"])),
        },
        index=asked.index,
    )
    whole = domains.join(fitted)
    return whole.fillna(dict.fromkeys(TEXTS, "")).astype(dict.fromkeys(TEXTS, "str"))


def _subjects(domains: pd.DataFrame) -> pd.Series:
    """Return what each prospect is about: the example's title, else the words of its URL, else of the domain's name."""
    titles = map_distinct(domains["example_title"], clean_text)
    bare = "https://" + domains["referring_domain"] + "/"
    words = domains["example_url"].where(domains["example_url"] != "", bare)
    return titles.where(titles != "", map_distinct(words, url_words))


def _named(places: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """Return the name at each place, "" for the place -1."""
    return np.array([*names, ""], dtype=object)[places]
