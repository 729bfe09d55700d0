"""Clusters of pages: clean -> texts -> embed -> group -> name -> map."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from backlink_audit.analysis.clusters import Partition, best_k, group, most_groups, silhouettes
from backlink_audit.analysis.hub_links import missing_hub_links
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.clusters.names import name_clusters
from backlink_audit.pipelines.clusters.result import FROM_HUB, TO_HUB, Clusters
from backlink_audit.pipelines.clusters.topic_map import NO_MAP, make_map
from backlink_audit.pipelines.crawl.link_graph import read_links, why_nothing_matched
from backlink_audit.pipelines.crawl.texts import read_chosen_texts
from backlink_audit.pipelines.crawl.vectors import PageVectors, page_vectors
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings
from backlink_audit.text.pages import PageTexts
from backlink_audit.wording import by_number, count


def find_clusters(
    pages: Export,
    settings: ClusterSettings,
    encoder: Encoder,
    *,
    inlinks: Export | None = None,
    backlinks: Export | None = None,
    vectors: PageVectors | None = None,
    with_map: bool = True,
    on_progress: Progress = silent,
) -> Clusters:
    """Group the pages of a crawl by subject.

    Args:
        pages: The crawl.
        settings: How many clusters, of which text.
        encoder: Gives the vectors of pages and of the phrases that name clusters.
        inlinks: The site's internal links; with them the links missing to and from the hubs are listed.
        backlinks: Backlinks to the site; their pages stand on the topic map too.
        vectors: Given embeddings in place of the encoder's. Without a page text in the settings, theirs holds.
        with_map: Lay out the topic map, which no file holds.
        on_progress: Told how far the run is.

    Raises NoRowsLeft when the filters leave nothing, MissingColumns for a chosen column that the file lacks,
    EmbeddingMismatch when `vectors` do not fit the pages or the model, Cancelled when `on_progress` stops the run.
    """
    on_progress("Cleaning", 0, 1)
    cleaned = clean_pages(pages, settings.filters)
    texts = read_chosen_texts(cleaned, settings, vectors)
    used = page_vectors(cleaned.table, texts, encoder, vectors, on_progress)
    unit = used.vectors
    own_model = used.model == encoder.name
    curve = {} if settings.k else silhouettes(unit, settings.k_range, settings.seed, on_progress)
    on_progress("Clustering", 0, 1)
    found = group(unit, settings.k or best_k(curve), settings.seed)
    names = name_clusters(texts, found, unit, encoder if own_model else None, on_progress)
    table = _pages(cleaned.table, texts, found, unit, names)
    topic_map = NO_MAP
    if with_map:
        topic_map = make_map(table, unit, encoder if own_model else None, backlinks, settings.seed, on_progress)
    result = Clusters(
        cleaned=cleaned,
        settings=settings,
        model=used.model,
        device="" if vectors else encoder.device,
        texts=texts,
        pages=table,
        groups=_groups(table, names),
        curve=pd.DataFrame({"k": list(curve), "silhouette": list(curve.values())}, dtype="float64"),
        topic_map=topic_map,
        notes=(*_notes(settings, unit, found), *topic_map.notes),
    )
    return result if inlinks is None else _with_missing_links(result, found, unit, inlinks)


def _pages(
    table: pd.DataFrame, texts: PageTexts, found: Partition, vectors: np.ndarray, names: Sequence[str]
) -> pd.DataFrame:
    hubs = np.zeros(len(table), dtype=bool)
    hubs[found.hubs(vectors)] = True
    return pd.DataFrame(
        {
            "cluster": pd.Series([names[label] for label in found.labels], dtype="str", index=table.index),
            "cluster_number": found.labels,
            "title": pd.Series(texts.names, dtype="str", index=table.index),
            "url": table["url"],
            "url_key": table["url_key"],
            "similarity": found.similarities(vectors).astype("float64"),
            "is_hub": hubs,
        },
        index=table.index,
    )


def _groups(pages: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    by_number = pages.groupby("cluster_number")
    hubs = pages[pages["is_hub"]].set_index("cluster_number")
    return pd.DataFrame(
        {
            "cluster": list(names),
            "size": by_number.size(),
            "page_share": by_number.size() / len(pages),
            "mean_similarity": by_number["similarity"].mean(),
            "hub_title": hubs["title"],
            "hub_url": hubs["url"],
        }
    ).rename_axis(None)


def _with_missing_links(result: Clusters, found: Partition, vectors: np.ndarray, inlinks: Export) -> Clusters:
    graph = read_links(inlinks, result.pages, content_only=True)
    if graph is None:
        return replace(result, notes=(*result.notes, why_nothing_matched(inlinks, result.pages)))
    sources, targets = missing_hub_links(found.labels, found.hubs(vectors), graph.linked)
    missing = _link_table(result.pages, sources, targets)
    counts = missing["cluster"].value_counts()
    groups = result.groups.assign(missing_links=result.groups["cluster"].map(counts).fillna(0).astype("int64"))
    return replace(result, missing_links=missing, groups=groups)


def _link_table(pages: pd.DataFrame, sources: np.ndarray, targets: np.ndarray) -> pd.DataFrame:
    """Return one row per link, by cluster, the pages nearest to their hub first."""
    source, target = (pages.iloc[rows].reset_index(drop=True) for rows in (sources, targets))
    table = pd.DataFrame(
        {
            "cluster": source["cluster"],
            "direction": np.where(target["is_hub"], TO_HUB, FROM_HUB),
            "source_title": source["title"],
            "source_url": source["url"],
            "target_title": target["title"],
            "target_url": target["url"],
            "similarity": source["similarity"].where(target["is_hub"], target["similarity"]),
        }
    )
    return table.iloc[np.lexsort((-table["similarity"], source["cluster_number"]))].reset_index(drop=True)


def _notes(settings: ClusterSettings, vectors: np.ndarray, found: Partition) -> list[str]:
    if not settings.k or found.k == settings.k:
        return []
    texts = len(np.unique(vectors, axis=0))
    return [
        f"{settings.k} clusters were asked for, but {count(len(vectors), 'page')} with "
        f"{count(texts, 'different text')} {by_number(texts, 'allows', 'allow')} no more than {most_groups(vectors)}."
    ]
