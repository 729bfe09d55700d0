"""Clusters as their reader changes them: one of another name, and one split again."""

from dataclasses import replace

import numpy as np
import pandas as pd

from backlink_audit.analysis.clusters.grouping import group, partition
from backlink_audit.analysis.clusters.names import numbered
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.clusters.describe import describe_groups, describe_pages, find_missing_links
from backlink_audit.pipelines.clusters.result import Clusters
from backlink_audit.pipelines.crawl.cluster_names import name_clusters


def rename_cluster(clusters: Clusters, number: int, name: str) -> Clusters:
    """Return the clusters with another name for one of them, in every table.

    Raises InvalidSetting for a blank name, and for one that another cluster has.
    """
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
    made = name_clusters(clusters.texts, found, vectors, encoder, clusters.settings.name_words)
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
