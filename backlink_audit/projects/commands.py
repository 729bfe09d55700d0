"""The command that keeps an eye on a site: a snapshot, what changed since the last one, and limits."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.audit.feature import judged
from backlink_audit.check.feature import checked
from backlink_audit.feature import BACKLINKS, KEEP_THEM, YES, Feature, Input, Job, Option, aside, read_bytes
from backlink_audit.labels import ACCENT
from backlink_audit.settings import AuditSettings, CheckSettings, WatchLimits
from backlink_audit.terminal.commands import STORE, StoreName, check, read
from backlink_audit.terminal.files import notes_of, progress, say

CROSSED = 3  # The exit code when a limit is crossed
LETTERS = (".zip", ".csv")


def watch(job: Job) -> None:
    """Audit a new export, keep it as a snapshot, and say what changed; end with CROSSED where a limit is crossed."""
    from backlink_audit.projects.history import keep_check
    from backlink_audit.projects.snapshots import require_day_of_export
    from backlink_audit.projects.store import open_store
    from backlink_audit.projects.watch import digest
    from backlink_audit.projects.watch import watch as keep_watch
    from backlink_audit.report.files import save_bytes

    if job.date:
        require_day_of_export(job.date.date())
    check(WATCH, job)
    with open_store(job.store) as opened:
        read(WATCH, job)
        links, sources = job.backlinks, job.sources
        links_now = checked(links, job.checking, job.yes).links if job.check else None
        with progress() as job.on_progress:
            audit = judged(job, links)
        given = {role: [(path.name, read_bytes(path)) for path in paths] for role, paths in job.paths.items()}
        day = job.date.date() if job.date else None
        result = keep_watch(opened, job.project, audit, job.limits, day, sources.performance, given)
        if links_now is not None:
            news = keep_check(opened, result.project, links_now, datetime.now().date())
            result = replace(result, notes=(*result.notes, *news.sentences))
    removed = aside(audit.cleaned.removed, len(links.raw), KEEP_THEM)
    if job.digest:
        save_bytes(digest(result, job.digest.suffix), job.digest)
    say(*notes_of(links, sources.pages), *removed, *result.notes, result.headline)
    say(*(f"Alert: {one.sentence}" for one in result.crossed))
    say(*([f"Written: {job.digest}"] if job.digest else []))
    if result.crossed:
        raise typer.Exit(CROSSED)


WATCH = Feature(
    "watch",
    "History",
    "Audit a new export, save it as a snapshot and show what changed. The exit code is 3 if there is an alert.",
    (
        Input("project", "The name of the project; a new project is created if none has this name.", word=True),
        BACKLINKS,
    ),
    AuditSettings,
    also_settings={"limits": WatchLimits, "checking": CheckSettings},
    apart=("original_columns",),
    options=(
        Option(
            "check",
            "Ask the referring pages too, and say what changed since the last check.",
            bool,
            default=False,
            flag=True,
        ),
        YES,
        Option("digest", "The file for the summary of changes: .md, .html or .json.", writes=(".md", ".html", ".json")),
        Option(
            "date",
            "The date of the export; default: the date in the file name, else the newest date in the file.",
            datetime,
            more={"formats": ["%Y-%m-%d"]},
        ),
        Option("store", STORE, str),
    ),
    writes=(),
    command=watch,
    without={
        "function": "It keeps what it finds in a project: the store is the terminal's and the page's.",
        "tool": "Nothing that a program asks for changes a project.",
    },
)


def report(
    project: Annotated[str, typer.Argument(help="The name of the project, as in `watch` or the app.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write: .html or .pdf.")],
    logo: Annotated[Path | None, typer.Option(help="Your logo: PNG, JPEG, GIF or WebP, up to 1 MB.")] = None,
    name: Annotated[str, typer.Option(help="Your name, shown next to the logo and at the end of the report.")] = "",
    accent: Annotated[str, typer.Option(help="The colour of headings and lines, for instance #0B5394.")] = ACCENT,
    store: StoreName = None,
) -> None:
    """Write a client report on the last snapshot of a project: one file that opens and prints anywhere."""
    from backlink_audit.projects.client_report import client_report
    from backlink_audit.projects.projects import find_or_refuse
    from backlink_audit.projects.store import open_store
    from backlink_audit.report.client import Look, as_pdf, logo_of, render
    from backlink_audit.report.files import check_target, save_bytes

    check_target(out, (".html", ".pdf"), inputs=[logo])
    look = Look(name, accent, logo_of(logo.name, read_bytes(logo)) if logo else "")
    with open_store(store, to_read=True) as opened:
        made = client_report(opened, find_or_refuse(opened, project))
    html = render(made, look)
    save_bytes(as_pdf(html) if out.suffix.lower() == ".pdf" else html, out)
    say(made.sentence, f"Written: {out}")


def outreach_desk(
    project: Annotated[str, typer.Argument(help="The name of the project, as in `watch` or the app.")],
    prospects: Annotated[
        list[Path],
        typer.Option(
            help="A file of sites to add: what `gap` or `reclaim` wrote, or a list of domains or URLs. Repeatable."
        ),
    ] = [],  # noqa: B006 (typer copies it)
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The file for the list of prospects: .xlsx, .csv or .parquet.")
    ] = None,
    letters: Annotated[
        Path | None,
        typer.Option(
            help=(
                "The file for the emails to prospects to contact or to follow up: .zip (one .eml draft each) or "
                ".csv (for a mail merge)."
            )
        ),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option(
            help=(
                "A text file with the email template for every prospect; {placeholders} as on the page Gap. Default: "
                "the templates of the app, one for each reason."
            )
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(help="The language of the emails (en, de, fr, es, sv, da); without it, by the site's country."),
    ] = "",
    sender: Annotated[str, typer.Option(help="Your name, at the end of each email.")] = "",
    store: StoreName = None,
) -> None:
    """Show the prospects of a project and the follow-ups that are due, and write the emails to them."""
    from backlink_audit.errors import InvalidSetting
    from backlink_audit.exports.lists import read_prospects
    from backlink_audit.exports.read import to_utf8
    from backlink_audit.judgement.letters import LANGUAGES, TEMPLATES
    from backlink_audit.projects.outreach_desk import choose, desk, linking_now, tables
    from backlink_audit.projects.projects import find_or_refuse
    from backlink_audit.projects.store import open_store
    from backlink_audit.report.files import SUFFIXES, check_target, save, save_bytes, write_csv
    from backlink_audit.report.letters import as_archive, as_table
    from backlink_audit.wording import count

    for target, suffixes in ((out, SUFFIXES), (letters, LETTERS)):
        if target:
            check_target(target, suffixes, inputs=[*prospects, template, out if target is letters else None])
    if language and language not in LANGUAGES:
        raise InvalidSetting(f"There are no emails in {language!r}; use {', '.join(LANGUAGES)}.")
    text = to_utf8(read_bytes(template), template.name).decode("utf-8-sig") if template else None
    templates = dict.fromkeys(TEMPLATES, text) if text is not None else {}
    chosen = [read_prospects(file.name, read_bytes(file)) for file in prospects]
    with open_store(store) as opened:
        kept = find_or_refuse(opened, project)
        for file, rows in zip(prospects, chosen, strict=True):
            added = choose(opened, kept, rows, linking_now(opened, kept))
            say(f"{file}: {count(added, 'prospect')} of {len(rows):,} added.")
        found = desk(opened, kept, date.today())
    say(found.headline)
    say(*(f"Follow-up due: {domain} ({found.prospects[domain].follow_up})" for domain in sorted(found.due)))
    if letters:
        written = found.letters(templates, found.to_write_to(), language, sender)
        is_table = letters.suffix.lower() == ".csv"
        data = write_csv(as_table(written), for_spreadsheets=True) if is_table else as_archive(written)
        save_bytes(data, letters)
        say(f"Written: {letters} ({count(len(written), 'letter')})")
    if out:
        say(*save(tables(found), out), f"Written: {out}")
