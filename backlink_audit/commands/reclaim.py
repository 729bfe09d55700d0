"""The command that lists the links to win back."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.options import Backlinks, Out
from backlink_audit.commands.settings_options import with_options
from backlink_audit.commands.source_options import SourceFiles
from backlink_audit.settings import AuditSettings
from backlink_audit.terminal import finish, load, notes_of, progress


@with_options("filters", "original_columns")
def reclaim(
    files: Backlinks,
    out: Out,
    settings: AuditSettings,
    others: SourceFiles,
    older: Annotated[
        Path | None,
        typer.Option(help="An older export of the same site: links that are only in this file count as lost too."),
    ] = None,
) -> None:
    """List the links to reclaim: lost links, links to dead pages, and redirect targets for dead pages."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.changes.reclaim import find_reclaims
    from backlink_audit.pipelines.changes.reclaim_tables import tables
    from backlink_audit.pipelines.changes.run import compare_exports
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, older, *others.paths])
    links = load(files, "backlinks")
    before = load([older], "backlinks") if older else None
    sources = others.load()
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        changes = compare_exports(before, links, settings, encoder, sources, on_progress) if before else None
        result = find_reclaims(links, settings, encoder, sources, changes, on_progress)
    finish(tables(result), out, *notes_of(links, before, *sources.exports.values()), result.headline, *result.notes)
