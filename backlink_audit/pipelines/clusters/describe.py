"""A grouping as tables: each page with its cluster, each cluster with its hub, and the links missing inside."""

from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from backlink_audit.analysis.clusters.grouping import Partition
from backlink_audit.analysis.clusters.hubs import NO_HUB, choose_hubs, generality_of
from backlink_audit.analysis.clusters.links import missing_hub_links, missing_pairs
from backlink_audit.pipelines.clusters.result import BETWEEN_PAGES, FROM_HUB, TO_HUB, WITHOUT_HUB
from backlink_audit.pipelines.crawl.cluster_names import about_name, title_phrases
from backlink_audit.pipelines.crawl.link_graph import LinkGraph
from backlink_audit.settings import InterlinkSettings
from backlink_audit.text.links.link_texts import is_homepage
from backlink_audit.text.pages.page_texts import PageTexts


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
        _are_homepages(table["url_key"]),
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


def _are_homepages(keys: pd.Series) -> np.ndarray:
    return np.array([is_homepage(key) for key in keys], dtype=bool)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
