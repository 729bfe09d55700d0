"""Clusters of pages: clean -> texts -> embed -> group -> name -> map."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from backlink_audit.clusters.grouping import (
    NO_HUB,
    Partition,
    choose_hubs,
    generality_of,
    group,
    missing_hub_links,
    missing_pairs,
    most_groups,
    partition,
    range_for,
)
from backlink_audit.clusters.names import about_name, group_and_name, name_clusters, numbered, title_phrases
from backlink_audit.clusters.result import BETWEEN_PAGES, FROM_HUB, NO_MAP, TO_HUB, WITHOUT_HUB, Clusters, make_map
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings, InterlinkSettings
from backlink_audit.site.links import LinkGraph, read_links, why_nothing_matched
from backlink_audit.site.pages import read_chosen_texts
from backlink_audit.site.vectors import PageVectors, page_vectors
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.link_texts import is_homepage
from backlink_audit.text.page_texts import PageTexts, language_groups
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
    """Group the pages of a crawl by subject; `with_map`: lay out the topic map, which is in no file.

    `sources`: the site's internal links, which say what pages are hubs and which links inside a cluster are missing;
    backlinks, whose pages are on the topic map too. `vectors`: given embeddings; without a page text in the settings,
    theirs is used. Raises NoRowsLeft, MissingColumns for a chosen column that the file lacks, EmbeddingMismatch,
    Cancelled.
    """
    on_progress("Cleaning", 0, 1)
    inlinks = sources.inlinks
    cleaned = clean_pages(pages, settings.filters)
    texts = read_chosen_texts(cleaned, settings, vectors)
    used = page_vectors(cleaned.table, texts, encoder, vectors, on_progress)
    own_model = used.model == encoder.name
    languages = np.zeros(len(used.vectors)) if settings.across_languages else language_groups(texts)
    own_encoder = encoder if own_model else None
    urls = cleaned.table["url"].tolist()
    found, names, curve, grouped = group_and_name(
        texts, used.vectors, languages, settings, own_encoder, urls, on_progress
    )
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
    return range_for(len(pages.table))


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


def rename_cluster(clusters: Clusters, number: int, name: str) -> Clusters:
    """Return the clusters with another name for one of them. Raises InvalidSetting for a blank or a taken one."""
    name = " ".join(name.split())
    if not name:
        raise InvalidSetting("A cluster needs a name.")
    others = clusters.groups["cluster"].drop(number)
    if name.casefold() in set(others.str.casefold()):
        raise InvalidSetting(f"Another cluster already has the name “{name}”.")
    former = clusters.groups.loc[number, "cluster"]

    def renamed(names: pd.Series) -> pd.Series:
        return names.where(names != former, name)

    missing = clusters.missing_links
    return replace(
        clusters,
        pages=clusters.pages.assign(cluster=renamed(clusters.pages["cluster"])),
        groups=clusters.groups.assign(cluster=renamed(clusters.groups["cluster"])),
        missing_links=None if missing is None else missing.assign(cluster=renamed(missing["cluster"])),
    )


def split_cluster(clusters: Clusters, number: int, k: int, encoder: Encoder | None) -> Clusters:
    """Return the clusters with one of them split into k, or into as many as its pages allow; the others stay.

    `encoder`: the one that the vectors are from, for the names; None: they are chosen without it.
    Raises InvalidSetting where the pages of the cluster are too few or too much alike.
    """
    vectors, former = clusters.vectors.vectors, clusters.pages["cluster_number"].to_numpy()
    members = np.flatnonzero(former == number)
    parts = group(vectors[members], k, clusters.settings.seed)
    if parts.k < 2:
        name = str(clusters.groups.loc[number, "cluster"])
        raise InvalidSetting(f"“{name}” cannot be split: it has too few pages, or they are too similar.")
    labels = former.copy()
    labels[members] = clusters.k + parts.labels
    found = partition(vectors, labels)
    urls = clusters.pages["url"].tolist()
    made = name_clusters(clusters.texts, found, vectors, encoder, clusters.settings.name_words, urls=urls)
    names = _kept_names(clusters, found.labels, members, made)
    pages = describe_pages(clusters.cleaned.table, clusters.texts, found, vectors, names, clusters.links)
    missing = find_missing_links(pages, vectors, clusters.links) if clusters.links else None
    return replace(clusters, pages=pages, groups=describe_groups(pages, missing), missing_links=missing)


def _kept_names(clusters: Clusters, labels: np.ndarray, members: np.ndarray, made: list[str]) -> list[str]:
    """Return a name for each new label: the former one, or for a part of the cluster that was split the one made."""
    first_page = [int(np.flatnonzero(labels == label)[0]) for label in range(len(made))]
    is_part = np.isin(first_page, members)
    former = clusters.pages["cluster"].to_numpy()
    kept = [former[page] for page, part in zip(first_page, is_part, strict=True) if not part]
    parts = numbered([*kept, *(name for name, part in zip(made, is_part, strict=True) if part)])[len(kept) :]
    rest = iter(parts)
    return [next(rest) if part else former[page] for page, part in zip(first_page, is_part, strict=True)]


def describe_pages(
    table: pd.DataFrame,
    texts: PageTexts,
    found: Partition,
    vectors: np.ndarray,
    names: Sequence[str],
    links: LinkGraph | None,
) -> pd.DataFrame:
    """Return the pages of a cleaned crawl with their clusters, as `Clusters.pages` has them."""
    similarities = found.similarities(vectors)
    hubs = np.zeros(len(table), dtype=bool)
    generality = generality_of(
        title_phrases(texts, words=1),
        _depths(table["url"]),
        links.inlinks if links else table["unique_inlinks"].fillna(table["inlinks"]).to_numpy(dtype="float64"),
        np.array([is_homepage(key) for key in table["url_key"]], dtype=bool),
        found.labels,
    )
    about = np.zeros(len(table))
    titles = np.array(texts.names, dtype=object)
    for label, name in enumerate(names):
        about[found.labels == label] = about_name(titles[found.labels == label], name)
    chosen = choose_hubs(found, similarities, generality, links.linked if links else None, about)
    hubs[chosen[chosen != NO_HUB]] = True
    return pd.DataFrame(
        {
            "cluster": pd.Series([names[label] for label in found.labels], dtype="str", index=table.index),
            "cluster_number": found.labels,
            "title": pd.Series(texts.names, dtype="str", index=table.index),
            "url": table["url"],
            "url_key": table["url_key"],
            "similarity": similarities.astype("float64"),
            "is_hub": hubs,
        },
        index=table.index,
    )


def describe_groups(pages: pd.DataFrame, missing: pd.DataFrame | None) -> pd.DataFrame:
    """Return one row per cluster, as `Clusters.groups` has them."""
    by_number = pages.groupby("cluster_number")
    hubs = pages[pages["is_hub"]].set_index("cluster_number")
    groups = pd.DataFrame(
        {
            "cluster": by_number["cluster"].first(),
            "size": by_number.size(),
            "page_share": by_number.size() / len(pages),
            "mean_similarity": by_number["similarity"].mean(),
            "hub_title": hubs["title"],
            "hub_url": hubs["url"],
        }
    ).rename_axis(None)
    groups = groups.fillna({"hub_title": WITHOUT_HUB, "hub_url": ""})
    if missing is None:
        return groups
    counts = missing["cluster"].value_counts()
    return groups.assign(missing_links=groups["cluster"].map(counts).fillna(0).astype("int64"))


def find_missing_links(pages: pd.DataFrame, vectors: np.ndarray, links: LinkGraph) -> pd.DataFrame:
    """Return the links missing inside each cluster, as `Clusters.missing_links` has them.

    Two pages that are not the hub are named where they are at least as similar as the cluster's pages are to its centre
    on average, and no near duplicates.
    """
    labels, is_hub = pages["cluster_number"].to_numpy(), pages["is_hub"].to_numpy()
    hubs = np.full(int(labels.max()) + 1, NO_HUB)
    hubs[labels[is_hub]] = np.flatnonzero(is_hub)
    lowest = pages.groupby("cluster_number")["similarity"].mean().to_numpy()
    near_duplicate = InterlinkSettings().near_duplicate
    around = missing_hub_links(labels, hubs, links.linked)
    between = missing_pairs(vectors, labels, hubs, links.linked, lowest, near_duplicate)
    sources, targets = (np.concatenate(rows) for rows in zip(around, between, strict=True))
    source, target = (pages.iloc[rows].reset_index(drop=True) for rows in (sources, targets))
    directions = np.select([is_hub[targets], is_hub[sources]], [TO_HUB, FROM_HUB], BETWEEN_PAGES)
    table = pd.DataFrame(
        {
            "cluster": source["cluster"],
            "direction": pd.Series(directions, dtype="str"),
            "source_title": source["title"],
            "source_url": source["url"],
            "target_title": target["title"],
            "target_url": target["url"],
            "similarity": np.einsum("ij,ij->i", vectors[sources], vectors[targets]).clip(-1, 1).astype("float64"),
        }
    )
    between_pages = table["direction"] == BETWEEN_PAGES
    order = np.lexsort((-table["similarity"], between_pages, source["cluster_number"]))
    return table.iloc[order].reset_index(drop=True)


def _depths(urls: pd.Series) -> np.ndarray:
    return np.array([len([part for part in _path(url).split("/") if part]) for url in urls])


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
