"""The command that shows the profiles of competitors beside our own."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.audit.command import judged
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.sources import NO_SOURCES
from backlink_audit.terminal.files import finish, load, notes_of, progress
from backlink_audit.terminal.options import Out, with_every_row, with_options


@with_options("original_columns", "risk")
def competitors(
    ours: Annotated[Path, typer.Argument(help="Your own backlinks, from any tool.")],
    theirs: Annotated[list[Path], typer.Argument(help="Backlinks of competitors, one file per competitor.")],
    out: Out,
    settings: AuditSettings,
    choice: LinkChoice,
    scores: Annotated[bool, typer.Option(help="Audit the links of every file first, to find their topics.")] = False,
) -> None:
    """Compare your backlink profile with those of competitors, one column for each file."""
    from backlink_audit.competitors.result import compare_profiles
    from backlink_audit.competitors.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[ours, *theirs])
    exports = [load([path], "backlinks") for path in (ours, *theirs)]
    with progress() as on_progress:
        sources = [judged(one, settings, NO_SOURCES, on_progress) if scores else one for one in exports]
        result = compare_profiles(sources, with_every_row(choice, settings), settings.filters, on_progress)
    finish(tables(result), out, *notes_of(*exports), *result.notes, result.headline)
