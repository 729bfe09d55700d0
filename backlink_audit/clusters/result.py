"""Clusters of pages, as a result that answers for itself."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import pandas as pd

from backlink_audit.clusters.topic_map import NO_MAP, TopicMap
from backlink_audit.exports.clean import Cleaned
from backlink_audit.exports.recognise import Export
from backlink_audit.schema import PERFORMANCE
from backlink_audit.settings import ClusterSettings
from backlink_audit.site.links import LinkGraph
from backlink_audit.site.page_figures import add_up, at_stake, read_figures
from backlink_audit.site.vectors import PageVectors
from backlink_audit.text.page_texts import PageTexts
from backlink_audit.wording import by_number, count

TO_HUB, FROM_HUB, BETWEEN_PAGES = "page to hub", "hub to page", "page to page"
"""The directions of a link inside a cluster."""
WITHOUT_HUB = "No hub page"  # in place of the hub's title where no page is about what its cluster is called


@dataclass(frozen=True, eq=False)
class Clusters:
    """Finished clusters.

    `pages` has one row per cleaned page, in the order of the file, indexed as `cleaned.export.raw`: cluster (its name),
    cluster_number (from 0, the largest first), title, url, url_key, similarity (to the cluster's centre) and is_hub.
    `groups` has one row per cluster, the largest first: cluster, size, page_share, mean_similarity, hub_title
    (WITHOUT_HUB: there is none), hub_url, and missing_links where there is an inlinks export. `missing_links` (None
    without one) has one row per link inside a cluster that does not exist yet, between a page and its hub or between
    two pages that are more alike than most: cluster, direction, source_title, source_url, target_title, target_url,
    similarity (of the two). `links` are the links that exist (None: unknown). With a file of clicks or visits
    (`clusters.figures.with_figures`), pages and groups have its figures too (`analysis.page_figures.FIGURES`). `curve`
    (k, silhouette) is empty where k was given.
    """

    cleaned: Cleaned
    settings: ClusterSettings
    model: str
    device: str
    texts: PageTexts
    vectors: PageVectors
    pages: pd.DataFrame
    groups: pd.DataFrame
    curve: pd.DataFrame
    links: LinkGraph | None = None
    missing_links: pd.DataFrame | None = None
    topic_map: TopicMap = NO_MAP
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def k(self) -> int:
        return len(self.groups)

    @property
    def mean_similarity(self) -> float:
        return float(self.pages["similarity"].mean())

    @property
    def silhouette(self) -> float | None:
        return None if self.curve.empty else float(self.curve["silhouette"].max())

    @property
    def worth(self) -> tuple[str, str] | None:
        """The figure that says best what a cluster earns, as its column and in words; None without such a file."""
        name = at_stake(self.groups)
        return (name, PERFORMANCE.column(name).label.lower()) if name else None

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        largest = self.groups.iloc[0]
        pages = len(self.pages)
        sentence = f"{count(pages, 'page')} {by_number(pages, 'forms', 'form')} {count(self.k, 'cluster')}"
        if self.k > 1:
            sentence += f"; the largest, “{largest['cluster']}”, has {largest['size']:,}"
        if self.missing_links is not None and len(self.pages) > self.k:
            links = len(self.missing_links)
            sentence += f"; {count(links, 'link')} {by_number(links, 'is', 'are')} missing inside the clusters"
        return sentence + "."


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
