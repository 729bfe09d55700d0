"""The command that groups pages by subject."""

from backlink_audit.settings import ClusterSettings
from backlink_audit.terminal.files import load, notes_of, progress
from backlink_audit.terminal.options import (
    Crawl,
    CrawlEmbeddings,
    Embeddings,
    Out,
    SourceFiles,
    finish_pages,
    given_vectors,
    with_options,
)


@with_options()
def clusters(
    crawl: Crawl,
    out: Out,
    settings: ClusterSettings,
    others: SourceFiles,
    embeddings: Embeddings = None,
    crawl_embeddings: CrawlEmbeddings = False,
) -> None:
    """Group the pages of a crawl into topic clusters, each with a name and a hub page."""
    from backlink_audit.clusters.result import with_figures
    from backlink_audit.clusters.run import find_clusters
    from backlink_audit.clusters.tables import tables
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[crawl, *others.paths])
    pages = load([crawl], "pages")
    sources = others.load()
    given = given_vectors(pages, embeddings, crawl_embeddings=crawl_embeddings)
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        result = find_clusters(
            pages, settings, encoder, sources=sources, vectors=given, with_map=False, on_progress=on_progress
        )
    result = with_figures(result, sources.performance) if sources.performance else result
    finish_pages(result, tables(result), out, notes_of(pages, *sources.exports.values()))
