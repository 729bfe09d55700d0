"""The command that searches an export by meaning."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.errors import WrongExport
from backlink_audit.settings import LINKS_MODEL
from backlink_audit.terminal.files import finish, load_any, notes_of, progress, say, shown

if TYPE_CHECKING:
    from backlink_audit.embedding.encoder import Encoder
    from backlink_audit.exports.recognise import Export
    from backlink_audit.progress import Progress
    from backlink_audit.search.result import Found
    from backlink_audit.search.run import SearchIndex

WIDE = 100
"""Characters of a line of the list."""


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in words of any language the model supports.")],
    file: Annotated[Path, typer.Argument(help="A backlink export or a crawl.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write the rows to a file: .xlsx, .csv or .parquet.")
    ] = None,
    rows: Annotated[int, typer.Option(min=1, max=10_000, help="The most rows to return.")] = 20,
    model: Annotated[str, typer.Option(help="The embedding model; `models` shows the list.")] = LINKS_MODEL,
) -> None:
    """Search links or pages by meaning: rows with exactly these words come first."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.report.files import check_target
    from backlink_audit.search.run import once_a_site
    from backlink_audit.search.run import search as find
    from backlink_audit.search.tables import tables

    if out is not None:
        check_target(out, inputs=[file])
    export = load_any(file)
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        index = index_of(export, encoder, on_progress)
        found = find(index, query, encoder, rows if index.noun == "page" else 10 * rows)
    found = (found if index.noun == "page" else once_a_site(found)).first(rows)
    if out is not None:
        finish(tables(found), out, *notes_of(export), found.headline)
        return
    say(*notes_of(export), found.headline)
    for line in lines(found):
        typer.echo(line)


def index_of(export: "Export", encoder: "Encoder", on_progress: "Progress") -> "SearchIndex":
    """Return the index of an export of backlinks or of pages. Raises WrongExport for another one, NoRowsLeft."""
    from backlink_audit.exports.clean import clean_backlinks, clean_pages
    from backlink_audit.search.run import index_links, index_pages
    from backlink_audit.settings import BacklinkFilters, PageFilters

    if export.kind == "backlinks":
        return index_links(clean_backlinks(export, BacklinkFilters.none()).table, encoder, on_progress)
    if export.kind == "pages":
        return index_pages(clean_pages(export, PageFilters()).table, encoder, on_progress)
    raise WrongExport(export.name, "only backlinks and crawls can be searched.")


def lines(found: "Found") -> list[str]:
    """Return two lines for each row: its title, and its address beneath."""
    title, url = ("title", "url") if found.noun == "page" else ("referring_title", "referring_url")
    rows = zip(found.table[title], found.table[url], found.table["match"], strict=True)
    return [f"{shown(name)[:WIDE] or '(no title)'} [{match}]\n    {shown(address)}" for name, address, match in rows]
