"""The command that groups pages by subject."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.crawl import Crawl, CrawlEmbeddings, Embeddings, finish_pages, given_vectors
from backlink_audit.commands.options import Out, Performance
from backlink_audit.commands.settings_options import with_options
from backlink_audit.settings import ClusterSettings
from backlink_audit.terminal import load, notes_of, progress


@with_options()
def clusters(
    crawl: Crawl,
    out: Out,
    settings: ClusterSettings,
    inlinks: Annotated[
        Path | None,
        typer.Option(
            help="All inlinks export: shows which pages are hubs and which links inside a cluster are missing."
        ),
    ] = None,
    embeddings: Embeddings = None,
    crawl_embeddings: CrawlEmbeddings = False,
    performance: Performance = None,
) -> None:
    """Group the pages of a crawl into topic clusters, each with a name and a hub page."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.clusters.figures import with_figures
    from backlink_audit.pipelines.clusters.run import find_clusters
    from backlink_audit.pipelines.clusters.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[crawl, inlinks, *(performance or [])])
    pages = load([crawl], "pages")
    links = load([inlinks], "inlinks") if inlinks else None
    earned = load(performance, "performance") if performance else None
    given = given_vectors(pages, embeddings, crawl_embeddings=crawl_embeddings)
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        result = find_clusters(
            pages, settings, encoder, inlinks=links, vectors=given, with_map=False, on_progress=on_progress
        )
    result = with_figures(result, earned) if earned else result
    finish_pages(result, tables(result), out, notes_of(pages, links, earned))
