"""The command that maps the pages of an old site to those of a new one."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.settings import RedirectSettings
from backlink_audit.terminal.files import finish, load, notes_of, progress, read_bytes, say
from backlink_audit.terminal.options import SourceFiles, with_options

Map = Annotated[
    Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv, .parquet, .htaccess, .map or _redirects.")
]


@with_options()
def redirects(
    old: Annotated[Path, typer.Argument(help="A crawl of the old site, or a list of its URLs (csv or txt).")],
    new: Annotated[Path, typer.Argument(help="A crawl of the new site.")],
    out: Map,
    settings: RedirectSettings,
    others: SourceFiles,
) -> None:
    """Find the best redirect target for each old page that the new site no longer has, with a confidence."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.lists import load_pages_or_urls
    from backlink_audit.redirects.rules import WRITERS, server_file
    from backlink_audit.redirects.run import map_redirects
    from backlink_audit.redirects.tables import tables
    from backlink_audit.report.files import SUFFIXES, check_target, ending, save_bytes

    check_target(out, (*SUFFIXES, *WRITERS), [old, new, *others.paths])
    before, after = load_pages_or_urls(old.name, read_bytes(old)), load([new], "pages")
    sources = others.load()
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress) if sources.backlinks else None
        result = map_redirects(before, after, settings, encoder, sources, on_progress)
    said = [*notes_of(before, after, *sources.exports.values()), *result.notes, result.headline]
    if ending(out) in WRITERS:
        rules = server_file(ending(out), result)
        save_bytes(rules.data, out)
        say(*said, *rules.notes, f"Written: {out}")
    else:
        finish(tables(result), out, *said)
