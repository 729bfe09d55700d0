"""The command that compares two exports of one site."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.settings import AuditSettings
from backlink_audit.terminal.files import finish, load, load_any, notes_of, progress
from backlink_audit.terminal.options import Backlinks, Out, SourceFiles, with_options


@with_options("filters", "original_columns")
def changes(
    older: Annotated[Path, typer.Argument(help="The older export of your backlinks, or of your referring domains.")],
    newer: Annotated[Path, typer.Argument(help="The newer export of the same site.")],
    out: Out,
    settings: AuditSettings,
    others: SourceFiles,
    scores: Annotated[bool, typer.Option(help="Audit both files first, to compare CAS and verdicts.")] = True,
) -> None:
    """Compare two exports of the same site: new, lost and changed links, CAS gained and lost, changed verdicts."""
    from backlink_audit.changes.run import compare_exports
    from backlink_audit.changes.tables import tables
    from backlink_audit.embedding.languages import warn_of_languages
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[older, newer, *others.paths])
    before, after = load_any(older), load_any(newer)
    sources = others.load()
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress) if scores else None
        result = compare_exports(before, after, settings, encoder, sources, on_progress)
    warning = warn_of_languages(settings.model, [after]) if scores else None
    said = [*notes_of(before, after, *sources.exports.values()), *filter(None, [warning])]
    finish(tables(result), out, *said, result.headline, *result.notes)


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
    from backlink_audit.changes.reclaim import find_reclaims, tables
    from backlink_audit.changes.run import compare_exports
    from backlink_audit.embedding.models import load_encoder
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
