"""What the commands about the pages of a site share: their arguments, given embeddings, the end of a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.terminal import aside, finish, read_bytes

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export
    from backlink_audit.pipelines.clusters.result import Clusters
    from backlink_audit.pipelines.crawl.vectors import PageVectors
    from backlink_audit.pipelines.interlinks.result import Opportunities
    from backlink_audit.report.files import Tables

Crawl = Annotated[
    Path, typer.Argument(help="A crawl of the site: URLs with titles or H1s, and the content if available.")
]
Embeddings = Annotated[Path | None, typer.Option(help="Use embeddings saved by an earlier run (.npz).")]
CrawlEmbeddings = Annotated[bool, typer.Option("--crawl-embeddings", help="Use the embeddings in the crawl file.")]


def given_vectors(pages: "Export", file: Path | None, *, crawl_embeddings: bool) -> "PageVectors | None":
    """Return the embeddings of the file, or else those in the crawl if asked for. Raises AuditError."""
    from backlink_audit.pipelines.crawl.vectors import crawl_vectors, read_page_vectors

    if file:
        return read_page_vectors(file.name, read_bytes(file))
    return crawl_vectors(pages) if crawl_embeddings else None


def finish_pages(result: "Opportunities | Clusters", tables: "Tables", out: Path, notes: list[str]) -> None:
    """Write a result about pages, and say what came out; a model that does not know their language is warned of."""
    from backlink_audit.pipelines.languages import warn_of_languages

    made_by_model = result.device != ""
    warning = warn_of_languages(result.settings.model, [result.cleaned.export]) if made_by_model else None
    notes = [*notes, *([warning] if warning else [])]
    removed = aside(result.cleaned.removed, len(result.cleaned.export.raw))
    finish(tables, out, *notes, *result.notes, *removed, result.headline)
