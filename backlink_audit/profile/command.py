"""The command that profiles backlinks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.audit.command import judged
from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.terminal.files import aside, finish, load, notes_of, progress
from backlink_audit.terminal.options import KEEP_THEM, Out, Scores, Site, SourceFiles, with_every_row, with_options

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export


@with_options("original_columns", "risk")
def profile(
    out: Out,
    settings: AuditSettings,
    choice: LinkChoice,
    others: SourceFiles,
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Backlink exports, as downloaded; not needed if you only use --texts."),
    ] = None,
    scores: Scores = True,
    site: Site = None,
) -> None:
    """Show the backlink profile: domains, anchors, topics, target pages, new and lost links by month."""
    from backlink_audit.profile.run import profile_backlinks
    from backlink_audit.profile.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*(files or []), *others.paths])
    sources = others.load()
    if not files:
        _texts_alone(sources.texts, out, site)
        return
    links = load(files, "backlinks", site)
    with progress() as on_progress:
        source = judged(links, settings, sources, on_progress) if scores else links
        shown = with_every_row(choice, settings)
        result = profile_backlinks(source, shown, settings.filters, sources, on_progress)
    removed = aside(result.removed, len(links.raw), KEEP_THEM)
    said = dict.fromkeys([*notes_of(links, *sources.exports.values()), *removed, *result.notes])
    finish(tables(result), out, *said, result.headline)


def _texts_alone(texts: "Export | None", out: Path, site: str | None) -> None:
    """Write Google's linking texts where there are no links. Raises InvalidSetting where there are no texts either."""
    from backlink_audit.profile.linking_texts import read_texts
    from backlink_audit.profile.tables import tables_of_texts

    if texts is None:
        raise InvalidSetting("Add a backlink export, or the “Top linking text” export of Search Console with --texts.")
    result = read_texts(texts, site=site or "")
    finish(tables_of_texts(result), out, *texts.notes, result.headline)
