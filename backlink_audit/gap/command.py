"""The command that finds who links to competitors only."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.settings import GapSettings
from backlink_audit.terminal.files import finish, load_any, notes_of, progress
from backlink_audit.terminal.options import Out, SourceFiles, with_options, words_of


@with_options("min_authority")
def gap(
    ours: Annotated[Path, typer.Argument(help="Your own backlinks or referring domains, from any tool.")],
    theirs: Annotated[
        list[Path],
        typer.Argument(help="Backlinks or referring domains of up to five competitors, one or more files each."),
    ],
    out: Out,
    settings: GapSettings,
    others: SourceFiles,
    min_authority: Annotated[list[str] | None, typer.Option(help=words_of(GapSettings, "min_authority"))] = None,
) -> None:
    """Find sites that link to competitors but not to you, with a page to pitch for each."""
    from backlink_audit.embedding.languages import warn_of_languages
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.gap.run import find_gap
    from backlink_audit.gap.tables import tables
    from backlink_audit.judgement.scales import read_limits
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[ours, *theirs, *others.paths])
    read_limits(min_authority or [], ())  # what no file can make right is refused before the work
    own, *rivals = (load_any(path) for path in (ours, *theirs))
    sources = others.load()
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        result = find_gap(own, rivals, settings, encoder, sources, on_progress)
    if min_authority:
        limits = read_limits(min_authority, tuple(result.limits))
        result = result.with_settings(replace(settings, min_authority=limits))
    warning = warn_of_languages(settings.model, [own, *rivals])
    said = [*notes_of(own, *rivals, *sources.exports.values()), *filter(None, [warning])]
    finish(tables(result), out, *said, result.headline, *result.notes)
