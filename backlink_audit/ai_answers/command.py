"""The command that shows the citations of a site in AI answers, and which bots read its pages."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.settings import LINKS_MODEL
from backlink_audit.terminal.files import finish, load, notes_of, progress
from backlink_audit.terminal.options import Out, SourceFiles, with_options


@with_options()
def citations(
    files: Annotated[
        list[Path],
        typer.Argument(help="AI Performance exports of Bing Webmaster Tools: pages, queries; of several dates."),
    ],
    out: Out,
    others: SourceFiles,
    logs: Annotated[
        list[Path] | None, typer.Option(help="Server logs (combined format, may be .gz): which bots read which pages.")
    ] = None,
    bot_ranges: Annotated[
        list[Path] | None,
        typer.Option(help="Address ranges that a bot's owner publishes, such as gptbot.json: a bot outside is false."),
    ] = None,
    model: Annotated[str, typer.Option(help="The embedding model; `models` shows the list.")] = LINKS_MODEL,
) -> None:
    """Show which pages AI answers cite, which links they lack, and which queries have no page."""
    from backlink_audit.ai_answers.bots import read_logs, read_ranges
    from backlink_audit.ai_answers.run import dead_addresses, read_answers
    from backlink_audit.ai_answers.tables import tables
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, *others.paths, *(logs or []), *(bot_ranges or [])])
    ranges = read_ranges(bot_ranges or [])
    exports, sources = load(files, "citations"), others.load()
    with progress() as on_progress:
        visits = read_logs(logs, ranges, on_progress) if logs else None
        encoder = load_encoder(model, on_progress=on_progress)
        result = read_answers(exports, encoder, sources, None if visits is None else visits.pages, on_progress)
        if visits is not None:
            dead = dead_addresses(visits.pages, result.pages, encoder)
            result = replace(result, bots=visits.pages.merge(dead[["page_path", "redirect_to"]], "left", "page_path"))
    said = [visits.note] if visits is not None else []
    finish(tables(result), out, *notes_of(exports, *sources.exports.values()), *result.notes, *said, result.headline)
