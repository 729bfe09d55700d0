"""The clusters of the pages that suggested links lead from and to: those that Topic clusters finds by default."""

from dataclasses import replace

import pandas as pd

from backlink_audit.analysis.clusters.grouping import (
    MOST_TRIED,
    best_k,
    group_within,
    numbers_to_try,
    range_for,
    silhouettes,
)
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.pipelines.crawl.cluster_names import name_clusters
from backlink_audit.pipelines.crawl.cluster_vectors import without_templates
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings


def with_clusters(result: Opportunities, encoder: Encoder, on_progress: Progress = silent) -> Opportunities:
    """Return the result with the columns source_cluster and target_cluster in its table, and cluster in its pages.

    `encoder`: the one that the vectors are from; given vectors of another model are grouped, but named by words alone.
    """
    vectors, languages, seed = result.vectors.vectors, result.compared, ClusterSettings().seed
    grouped = without_templates(vectors, result.texts)
    curve = silhouettes(grouped, numbers_to_try(range_for(len(vectors)), MOST_TRIED), seed, languages, on_progress)
    found = group_within(grouped, best_k(curve), seed, languages)
    own = encoder if result.vectors.model == encoder.name else None
    names = name_clusters(result.texts, found, vectors, own, ClusterSettings().name_words, on_progress)
    pages = result.pages.assign(cluster=pd.Series([names[label] for label in found.labels], dtype="str"))
    cluster_of = dict(zip(pages["url"], pages["cluster"], strict=True))
    ends = {f"{end}_cluster": result.table[f"{end}_url"].map(cluster_of).astype("str") for end in ("source", "target")}
    return replace(result, table=result.table.assign(**ends), pages=pages)
