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
                "A text file with the email template; {placeholders} as on the page Gap. Default: the template of the "
                "app."
            )
        ),
    ] = None,
    store: StoreName = None,
) -> None:
    """Show the prospects of a project and the follow-ups that are due, and write the emails to them."""
    from backlink_audit.exports.decode import to_utf8
    from backlink_audit.pipelines.gap.result import DEFAULT_TEMPLATE
    from backlink_audit.projects.outreach_desk import desk, tables
    from backlink_audit.projects.projects import find_or_refuse
    from backlink_audit.projects.store import open_store
    from backlink_audit.report.csv import write_csv
    from backlink_audit.report.files import SUFFIXES, check_target, save, save_bytes
    from backlink_audit.report.letters import as_archive, as_table
    from backlink_audit.wording import count

    for target, suffixes in ((out, SUFFIXES), (letters, LETTERS)):
        if target:
            check_target(target, suffixes, inputs=[template, out if target is letters else None])
    text = to_utf8(read_bytes(template), template.name).decode("utf-8-sig") if template else DEFAULT_TEMPLATE
    with open_store(store) as opened:
        found = desk(opened, find_or_refuse(opened, project), date.today())
    say(found.headline)
    say(*(f"Follow-up due: {domain} ({found.prospects[domain].follow_up})" for domain in sorted(found.due)))
    if letters:
        written = found.letters(text, found.to_write_to())
        is_table = letters.suffix.lower() == ".csv"
        data = write_csv(as_table(written), for_spreadsheets=True) if is_table else as_archive(written)
        save_bytes(data, letters)
        say(f"Written: {letters} ({count(len(written), 'letter')})")
    if out:
        say(*save(tables(found), out), f"Written: {out}")
