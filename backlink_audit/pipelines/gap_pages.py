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
from backlink_audit.pipelines.gap_sites import Site
from backlink_audit.progress import Progress
from backlink_audit.settings import BandLimits, PageFilters
from backlink_audit.text.pages import read_page_texts
from backlink_audit.text.texts import read_link_texts
from backlink_audit.text.urls import normalise_urls

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
    subjects, ours = _referring_side(asked), _our_side(pages)
    prospects = read_link_texts(subjects, "title")
    targets = read_link_texts(ours, "title", pages)
    topics = load_topics()
    words = [*prospects.vocabulary.texts, *targets.vocabulary.texts, *topics.phrases]
    vectors = encoder.encode(words, on_progress)
    first, second = len(prospects.vocabulary), len(prospects.vocabulary) + len(targets.vocabulary)
    fit = fit_to_site(
        prospects.subject.unit_vectors(vectors[:first], 0, len(asked)),
        [side.unit_vectors(vectors[first:second], 0, len(pages)) for side in targets.target.values()],
        vectors[second:],
        on_progress,
    )
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


def _referring_side(domains: pd.DataFrame) -> pd.DataFrame:
    """Return the prospects as the referring side of links."""
    bare = "https://" + domains["referring_domain"] + "/"
    return pd.DataFrame(
        {
            "referring_url": domains["example_url"].where(domains["example_url"] != "", bare),
            "referring_title": domains["example_title"],
            **dict.fromkeys(("anchor", "left_context", "right_context", "target_url", "target_key"), ""),
        },
        index=domains.index,
    ).astype("str")


def _our_side(pages: pd.DataFrame) -> pd.DataFrame:
    """Return our pages as the target side of links."""
    blank = ("referring_url", "referring_title", "anchor", "left_context", "right_context")
    side = pd.DataFrame({"target_url": pages["url"], "target_key": normalise_urls(pages["url"])})
    return side.assign(**dict.fromkeys(blank, "")).astype("str")


def _named(places: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """Return the name at each place, "" for the place -1."""
    return np.array([*names, ""], dtype=object)[places]
