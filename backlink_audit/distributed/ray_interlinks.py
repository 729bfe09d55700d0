"""Internal links on a Ray cluster: its actors embed, its tasks search; the machine that starts the run judges."""

from pathlib import Path

from backlink_audit.distributed.actors import ClusterEncoder, Load
from backlink_audit.distributed.cluster import cluster, require_shared_folder
from backlink_audit.distributed.ray_search import search_on_cluster
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.crawl.vectors import PageVectors
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.interlinks.run import find_internal_links
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import InterlinkSettings
from backlink_audit.sources import NO_SOURCES, Sources


def find_internal_links_on_ray(
    pages: Export,
    settings: InterlinkSettings,
    encoder: Encoder,
    folder: Path,
    sources: Sources = NO_SOURCES,
    vectors: PageVectors | None = None,
    *,
    address: str | None = None,
    load: Load = load_encoder,
    on_progress: Progress = silent,
) -> Opportunities:
    """Find the links that the pages of a crawl should have, on the cluster at `address`.

    Without an address one of this machine's cores is made for the run. `encoder` is the model on this machine, and
    embeds nothing. `folder` is one that all nodes see, and keeps the vectors. Up to `EXACT_ROWS` pages the result is
    that of `find_internal_links`; beyond, candidates come from partitions instead of a graph. Raises AuditError where
    Ray is not installed or the cluster cannot be reached, and whatever `find_internal_links` raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with cluster(address):
        require_shared_folder(folder)
        spread = ClusterEncoder(encoder, settings.model, folder, load)
        return find_internal_links(pages, settings, spread, sources, vectors, on_progress, search=search_on_cluster)
