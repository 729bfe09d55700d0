"""The command that profiles backlinks."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.audit import judged
from backlink_audit.commands.options import (
    KEEP_THEM,
    Backlinks,
    Out,
    Performance,
    Scores,
    Site,
    SitePages,
    with_every_row,
)
from backlink_audit.commands.settings_options import with_options
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.terminal import aside, finish, load, notes_of, progress


@with_options("original_columns", "risk")
def profile(
    files: Backlinks,
    out: Out,
    settings: AuditSettings,
    choice: LinkChoice,
    pages: SitePages = None,
    scores: Scores = True,
    performance: Performance = None,
    site: Site = None,
    domains: Annotated[Path | None, typer.Option(help="Your referring domains, for their countries.")] = None,
) -> None:
    """Say what the backlinks are made of: domains, anchors, topics, target pages, new and lost ones by month."""
    from backlink_audit.pipelines.profile.run import profile_backlinks
    from backlink_audit.pipelines.profile.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, pages, domains, *(performance or [])])
    links = load(files, "backlinks", site)
    crawl = load([pages], "pages") if pages else None
    earned = load(performance, "performance") if performance else None
    listed = load([domains], "referring_domains") if domains else None
    with progress() as on_progress:
        source = judged(links, crawl, settings, on_progress) if scores else links
        shown = with_every_row(choice, settings)
        result = profile_backlinks(
            source, shown, settings.filters, crawl, on_progress, performance=earned, domains=listed
        )
    removed = aside(result.removed, len(links.raw), KEEP_THEM)
    said = dict.fromkeys([*notes_of(links, crawl, earned, listed), *removed, *result.notes])
    finish(tables(result), out, *said, result.headline)
