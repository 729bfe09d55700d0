"""What the pages of each cluster earn: clicks or visits of every page, and of every cluster together."""

from dataclasses import replace

from backlink_audit.analysis.page_figures import add_up
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.clusters.result import Clusters
from backlink_audit.pipelines.page_figures import read_figures


def with_figures(clusters: Clusters, performance: Export) -> Clusters:
    """Return the clusters with the figures of their pages, and those of each cluster added up.

    Average positions of a cluster are weighted by impressions. A note says how many pages of the file were found.
    """
    earned = read_figures(performance, clusters.pages["url"])
    if earned is None:
        return clusters
    figures = earned.of(clusters.pages["url"])
    summed = add_up(figures, clusters.pages["cluster_number"]).reindex(columns=figures.columns)
    note = earned.note(clusters.pages["url"], "crawled pages")
    return replace(
        clusters,
        pages=clusters.pages.join(figures),
        groups=clusters.groups.join(summed),
        notes=(*clusters.notes, note),
    )
