"""The feature Topic clusters."""

from typing import TYPE_CHECKING

from backlink_audit.feature import CRAWL, EMBEDDINGS, NO_TOOL, Feature, Job, given_vectors, page_notes
from backlink_audit.settings import ClusterSettings

if TYPE_CHECKING:
    from backlink_audit.clusters.result import Clusters


def run(job: Job) -> "Clusters":
    """Find the clusters, with the map where somebody looks at it, and what their pages earn where that is known."""
    from backlink_audit.clusters.result import with_figures
    from backlink_audit.clusters.run import find_clusters

    encoder = job.encoder
    found = find_clusters(
        job.pages,
        job.settings,
        encoder,
        sources=job.sources,
        vectors=given_vectors(job),
        with_map=job.out is None,
        on_progress=job.on_progress,
    )
    return with_figures(found, job.sources.performance) if job.sources.performance else found


FEATURE = Feature(
    "clusters",
    "Topic clusters",
    "Group the pages of a crawl into topic clusters, each with a name and a hub page.",
    (CRAWL,),
    ClusterSettings,
    run,
    button="Find the clusters",
    returns="Clusters",
    options=EMBEDDINGS,
    notes=page_notes,
    without={"tool": NO_TOOL},
)
