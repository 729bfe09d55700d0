"""The command that lists the links to win back."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.options import Backlinks, Out, Performance
from backlink_audit.commands.settings_options import with_options
from backlink_audit.settings import AuditSettings
from backlink_audit.terminal import finish, load, notes_of, progress


@with_options("filters", "original_columns")
def reclaim(
    files: Backlinks,
    out: Out,
    settings: AuditSettings,
    older: Annotated[
        Path | None,
        typer.Option(help="An older export of the same site: links that are only in this file count as lost too."),
    ] = None,
    pages: Annotated[
        Path | None, typer.Option(help="A crawl of the site with HTTP status codes, to find dead pages.")
    ] = None,
    performance: Performance = None,
) -> None:
    """List the links to reclaim: lost links, links to dead pages, and redirect targets for dead pages."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.changes.reclaim import find_reclaims
    from backlink_audit.pipelines.changes.reclaim_tables import tables
    from backlink_audit.pipelines.changes.run import compare_exports
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, older, pages, *(performance or [])])
    links = load(files, "backlinks")
    before = load([older], "backlinks") if older else None
    crawl = load([pages], "pages") if pages else None
    earned = load(performance, "performance") if performance else None
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        changes = compare_exports(before, links, settings, encoder, crawl, on_progress) if before else None
        result = find_reclaims(links, settings, encoder, crawl, changes, on_progress, performance=earned)
    finish(tables(result), out, *notes_of(links, before, crawl, earned), result.headline, *result.notes)
