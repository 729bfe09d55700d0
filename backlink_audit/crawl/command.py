"""The command that crawls the user's own site."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.check.command import ask_first
from backlink_audit.errors import AuditError
from backlink_audit.settings import CrawlSettings
from backlink_audit.terminal.files import message_when_stopped, progress, say
from backlink_audit.terminal.options import GOES_ON, Out, with_options

PACKAGES = ("httpcore2", "h2", "protego", "selectolax", "trafilatura")
"""Of the extra `crawl`."""


@with_options()
def crawl(
    start: Annotated[str, typer.Argument(help="A page of your site, or its sitemap: a URL.")],
    out: Out,
    settings: CrawlSettings,
    inlinks: Annotated[Path | None, typer.Option(help="Write the links between the pages to this file too.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send the requests without asking first.")] = False,
) -> None:
    """Crawl your own site: a table of its pages and one of their links, as a crawler's exports have them."""
    if any(find_spec(name) is None for name in PACKAGES):
        raise AuditError('The crawl needs more packages: install "backlink-audit[crawl]".')
    from backlink_audit.fetching.site import crawl as site
    from backlink_audit.fetching.site.found import Found, forget
    from backlink_audit.fetching.site.tables import link_tables, page_tables
    from backlink_audit.report.files import check_target, save
    from backlink_audit.report.rows import Tables

    check_target(out)
    if inlinks:
        check_target(inlinks, inputs=[out])
    unfinished = out.with_name(f"{out.name}.unfinished")
    with Found(unfinished) as found:
        plan = site.begin(start, settings, found)
        say(plan.sentence)
        if plan.needs_requests and not yes:
            try:
                ask_first()
            except AuditError:
                if not plan.known:
                    forget(unfinished)
                raise
        with progress() as on_progress, message_when_stopped(GOES_ON):
            stopped_by = site.crawl(plan, settings, found, on_progress)
        if not any(status for status, _ in found.statuses()):
            why = next((row.answer.reason for row in found.rows() if row.answer.reason), stopped_by)
            forget(unfinished)
            raise AuditError(f"{plan.host} gave no page: {why}. Nothing was written.")
        pages, links = (lambda: page_tables(found)), (lambda: link_tables(found))
        sentences = site.what_came_out(plan, found, stopped_by, unfinished)
        cut = save(Tables(lambda: pages, lambda: {"Pages": pages, "Inlinks": links}), out)
        if inlinks:
            cut += save(Tables(lambda: links, lambda: {"Inlinks": links}), inlinks)
    if not stopped_by:
        forget(unfinished)
    say(*cut, *sentences, *(f"Written: {path}" for path in (out, inlinks) if path))
