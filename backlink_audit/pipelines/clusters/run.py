"""Clusters of pages: clean -> texts -> embed -> group -> name -> map."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.clusters.grouping import (
    MOST_TRIED,
    Partition,
    best_k,
    group_within,
    most_groups,
    numbers_to_try,
    range_for,
    silhouettes,
)
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.clusters.describe import describe_groups, describe_pages, find_missing_links
from backlink_audit.pipelines.clusters.result import Clusters
from backlink_audit.pipelines.clusters.topic_map import NO_MAP, make_map
from backlink_audit.pipelines.crawl.cluster_names import name_clusters
from backlink_audit.pipelines.crawl.cluster_vectors import without_templates
from backlink_audit.pipelines.crawl.link_graph import read_links, why_nothing_matched
from backlink_audit.pipelines.crawl.texts import read_chosen_texts
from backlink_audit.pipelines.crawl.vectors import PageVectors, page_vectors
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.pages.page_texts import language_groups
from backlink_audit.wording import by_number, count


def find_clusters(
    pages: Export,
    settings: ClusterSettings,
    encoder: Encoder,
    *,
    sources: Sources = NO_SOURCES,
    vectors: PageVectors | None = None,
    with_map: bool = True,
    on_progress: Progress = silent,
) -> Clusters:
    """Group the pages of a crawl by subject.

    Args:
        pages: The crawl.
        settings: How many clusters, of which text.
        encoder: Gives the vectors of pages and of the phrases that name clusters.
        sources: The site's internal links, which say what pages are hubs, and which links inside a cluster are missing;
            backlinks to the site, whose pages are on the topic map too.
        vectors: Given embeddings in place of the encoder's. Without a page text in the settings, theirs is used.
        with_map: Lay out the topic map, which is in no file.
        on_progress: Called with how far the run is.

    Raises NoRowsLeft when the filters leave nothing, MissingColumns for a chosen column that the file lacks,
    EmbeddingMismatch when `vectors` do not fit the pages or the model, Cancelled when `on_progress` stops the run.
    """
    on_progress("Cleaning", 0, 1)
    inlinks = sources.inlinks
    cleaned = clean_pages(pages, settings.filters)
    texts = read_chosen_texts(cleaned, settings, vectors)
    used = page_vectors(cleaned.table, texts, encoder, vectors, on_progress)
    own_model = used.model == encoder.name
    languages = np.zeros(len(used.vectors)) if settings.across_languages else language_groups(texts)
    grouped = without_templates(used.vectors, texts)
    curve = {} if settings.k else _curve(grouped, settings, languages, on_progress)
    on_progress("Clustering", 0, 1)
    found = group_within(grouped, settings.k or best_k(curve), settings.seed, languages)
    own_encoder = encoder if own_model else None
    names = name_clusters(texts, found, used.vectors, own_encoder, settings.name_words, on_progress)
    links = read_links(inlinks.table, cleaned.table, content_only=True) if inlinks else None
    table = describe_pages(cleaned.table, texts, found, used.vectors, names, links)
    missing = find_missing_links(table, used.vectors, links) if links else None
    topic_map = NO_MAP
    if with_map:
        topic_map = make_map(table, used.vectors, own_encoder, sources.backlinks, settings.seed, on_progress)
    unmatched = [why_nothing_matched(inlinks, table)] if inlinks and not links else []
    return Clusters(
        cleaned=cleaned,
        settings=settings,
        model=used.model,
        device="" if vectors else encoder.device,
        texts=texts,
        vectors=used,
        pages=table,
        groups=describe_groups(table, missing),
        curve=pd.DataFrame({"k": list(curve), "silhouette": list(curve.values())}, dtype="float64"),
        links=links,
        missing_links=missing,
        topic_map=topic_map,
        notes=(*_notes(settings, grouped, found), *topic_map.notes, *unmatched),
    )


def usual_range(pages: Export) -> tuple[int, int]:
    """Return the lowest and the highest number of clusters that are tried by default for the pages of a crawl."""
    return range_for(len(pages.table))


def _curve(
    vectors: np.ndarray, settings: ClusterSettings, languages: np.ndarray, on_progress: Progress
) -> dict[int, float]:
    """Return the silhouettes over the range given, or over some numbers around the one that the site suggests."""
    if settings.k_range:
        return silhouettes(vectors, numbers_to_try(settings.k_range), settings.seed, languages, on_progress)
    numbers = numbers_to_try(range_for(len(vectors)), MOST_TRIED)
    return silhouettes(vectors, numbers, settings.seed, languages, on_progress)


def _notes(settings: ClusterSettings, vectors: np.ndarray, found: Partition) -> list[str]:
    if not settings.k or found.k == settings.k:
        return []
    if found.k > settings.k:
        return [
            f"You asked for {settings.k} clusters. Languages are not mixed in a cluster, so there are {found.k}; "
            "choose clusters across languages to mix them."
        ]
    texts = len(np.unique(vectors, axis=0))
    return [
        f"You asked for {settings.k} clusters, but {count(len(vectors), 'page')} with "
        f"{count(texts, 'different text')} {by_number(texts, 'allows', 'allow')} no more than "
        f"{most_groups(vectors)}."
    ]
