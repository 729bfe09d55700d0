"""The command that lists a project's outreach desk and writes the letters to its prospects."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.options import StoreName
from backlink_audit.terminal import read_bytes, say

LETTERS = (".zip", ".csv")


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
    store: StoreName = None,
) -> None:
    """Show the prospects of a project and the follow-ups that are due, and write the emails to them."""
    from backlink_audit.exports.decode import to_utf8
    from backlink_audit.exports.prospect_list import read_prospects
    from backlink_audit.labels import OUTREACH_REASONS
    from backlink_audit.projects.content.projects import find_or_refuse
    from backlink_audit.projects.desk.outreach_desk import desk, tables
    from backlink_audit.projects.desk.prospects import choose
    from backlink_audit.projects.desk.won_and_lost import linking_now
    from backlink_audit.projects.store.opening import open_store
    from backlink_audit.report.csv import write_csv
    from backlink_audit.report.files import SUFFIXES, check_target, save, save_bytes
    from backlink_audit.report.letter_files import as_archive, as_table
    from backlink_audit.wording import count

    for target, suffixes in ((out, SUFFIXES), (letters, LETTERS)):
        if target:
            check_target(target, suffixes, inputs=[*prospects, template, out if target is letters else None])
    text = to_utf8(read_bytes(template), template.name).decode("utf-8-sig") if template else None
    templates = {label.word: text for label in OUTREACH_REASONS} if text is not None else {}
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
        written = found.letters(templates, found.to_write_to())
        is_table = letters.suffix.lower() == ".csv"
        data = write_csv(as_table(written), for_spreadsheets=True) if is_table else as_archive(written)
        save_bytes(data, letters)
        say(f"Written: {letters} ({count(len(written), 'letter')})")
    if out:
        say(*save(tables(found), out), f"Written: {out}")
