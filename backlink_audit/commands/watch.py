"""The command that keeps an eye on a site: a snapshot, what changed since the last one, and limits."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.audit import judged
from backlink_audit.commands.check import checked
from backlink_audit.commands.options import KEEP_THEM, Backlinks, StoreName
from backlink_audit.commands.settings_options import with_options
from backlink_audit.commands.source_options import SourceFiles
from backlink_audit.settings import AuditSettings, CheckSettings, WatchLimits
from backlink_audit.terminal import aside, load, notes_of, progress, read_bytes, say

CROSSED = 3
"""The exit code when a limit is crossed."""


@with_options("original_columns")
def watch(
    project: Annotated[
        str, typer.Argument(help="The name of the project; a new project is created if none has this name.")
    ],
    files: Backlinks,
    settings: AuditSettings,
    limits: WatchLimits,
    others: SourceFiles,
    checking: CheckSettings,
    check: Annotated[
        bool, typer.Option("--check", help="Ask the referring pages too, and say what changed since the last check.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send the requests without asking first.")] = False,
    digest: Annotated[
        Path | None, typer.Option(help="The file for the summary of changes: .md, .html or .json.", show_default=False)
    ] = None,
    date: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            help="The date of the export; default: the date in the file name, else the newest date in the file.",
        ),
    ] = None,
    store: StoreName = None,
) -> None:
    """Audit a new export, save it as a snapshot and show what changed. The exit code is 3 if there is an alert."""
    from backlink_audit.projects.content.checks import keep_check
    from backlink_audit.projects.share.digest import SUFFIXES
    from backlink_audit.projects.share.digest import digest as written
    from backlink_audit.projects.share.watch import watch as keep_watch
    from backlink_audit.projects.store.opening import open_store
    from backlink_audit.report.files import check_target, save_bytes

    if digest:
        check_target(digest, SUFFIXES, inputs=[*files, *others.paths])
    with open_store(store) as opened:
        links = load(files, "backlinks")
        sources = others.load()
        links_now = checked(links, checking, yes).links if check else None
        with progress() as on_progress:
            audit = judged(links, settings, sources, on_progress)
        given = {"backlinks": tuple(files)} | {str(role): paths for role, paths in others.by_role.items()}
        read = {role: [(path.name, read_bytes(path)) for path in paths] for role, paths in given.items()}
        result = keep_watch(opened, project, audit, limits, date.date() if date else None, sources.performance, read)
        if links_now is not None:
            news = keep_check(opened, result.project, links_now, datetime.now().date())
            result = replace(result, notes=(*result.notes, *news.sentences))
    removed = aside(audit.cleaned.removed, len(links.raw), KEEP_THEM)
    if digest:
        save_bytes(written(result, digest.suffix), digest)
    say(*notes_of(links, sources.pages), *removed, *result.notes, result.headline)
    say(*(f"Alert: {one.sentence}" for one in result.crossed))
    say(*([f"Written: {digest}"] if digest else []))
    if result.crossed:
        raise typer.Exit(CROSSED)
