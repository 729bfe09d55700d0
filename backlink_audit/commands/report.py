"""The command that writes the report for a client."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.options import StoreName
from backlink_audit.labels import ACCENT
from backlink_audit.terminal import read_bytes, say


def report(
    project: Annotated[str, typer.Argument(help="The name of the project, as in `watch` or the app.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write: .html.")],
    logo: Annotated[Path | None, typer.Option(help="Your logo: PNG, JPEG, GIF or WebP, up to 1 MB.")] = None,
    name: Annotated[str, typer.Option(help="Your name, shown next to the logo and at the end of the report.")] = "",
    accent: Annotated[str, typer.Option(help="The colour of headings and lines, for instance #0B5394.")] = ACCENT,
    store: StoreName = None,
) -> None:
    """Write a client report on the last snapshot of a project: one HTML file that opens and prints anywhere."""
    from backlink_audit.projects.content.projects import find_or_refuse
    from backlink_audit.projects.share.client import client_report
    from backlink_audit.projects.store.opening import open_store
    from backlink_audit.report.client import Look, logo_of, render
    from backlink_audit.report.files import check_target, save_bytes

    check_target(out, (".html",), inputs=[logo])
    look = Look(name, accent, logo_of(logo.name, read_bytes(logo)) if logo else "")
    with open_store(store) as opened:
        made = client_report(opened, find_or_refuse(opened, project))
    save_bytes(render(made, look), out)
    say(made.sentence, f"Written: {out}")
