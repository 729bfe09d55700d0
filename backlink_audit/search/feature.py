"""The feature Search: rows of an export or of a result by meaning."""

from typing import TYPE_CHECKING, Any

import typer

from backlink_audit.errors import WrongExport
from backlink_audit.feature import SUFFIXES, Feature, Input, Job, Option, save_tables
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BacklinkFilters, ModelSettings, PageFilters

if TYPE_CHECKING:
    from backlink_audit.embedding.encoder import Encoder
    from backlink_audit.search.run import Found, SearchIndex

WIDE = 100  # Characters of a line of the list


def index_of(source: Any, encoder: "Encoder", on_progress: Progress = silent) -> "SearchIndex":
    """Return the index of an audit, a result about pages, or an export. Raises WrongExport, NoRowsLeft."""
    from backlink_audit.audit.result import Scored
    from backlink_audit.exports.clean import clean_backlinks, clean_pages
    from backlink_audit.search.run import index_links, index_page_vectors, index_pages

    if hasattr(source, "vectors"):
        return index_page_vectors(source.pages, source.vectors.vectors)
    if isinstance(source, Scored):
        return index_links(source.links, encoder, on_progress)
    if source.kind == "backlinks":
        return index_links(clean_backlinks(source, BacklinkFilters.none()).table, encoder, on_progress)
    if source.kind == "pages":
        return index_pages(clean_pages(source, PageFilters()).table, encoder, on_progress)
    raise WrongExport(source.name, "only backlinks and crawls can be searched.")


def run(job: Job) -> "Found":
    """Find the rows; of links one for each site."""
    from backlink_audit.search.run import once_a_site, search

    index = index_of(job.file, job.encoder, job.on_progress)
    of_pages = index.noun == "page"
    found = search(index, job.query, job.encoder, job.rows if of_pages else 10 * job.rows)
    return (found if of_pages else once_a_site(found)).first(job.rows)


def command(job: Job) -> None:
    """Write what is found, or list it: the title of each row, and its address beneath."""
    from backlink_audit.terminal.commands import work
    from backlink_audit.terminal.files import shown

    found = work(FEATURE, job)
    if job.out:
        return
    title, url = ("title", "url") if found.noun == "page" else ("referring_title", "referring_url")
    for name, address, match in zip(found.table[title], found.table[url], found.table["match"], strict=True):
        typer.echo(f"{shown(name)[:WIDE] or '(no title)'} [{match}]\n    {shown(address)}")


FEATURE = Feature(
    "search",
    "Search",
    "Search links or pages by meaning: rows with exactly these words come first.",
    (
        Input("query", "What to look for, in words of any language the model supports.", word=True),
        Input("file", "A backlink export or a crawl."),
    ),
    ModelSettings,
    run,
    options=(
        Option("out", "Write the rows to a file: .xlsx, .csv or .parquet.", writes=SUFFIXES, names=("-o", "--out")),
        Option("rows", "The most rows to return.", int, default=20, more={"min": 1, "max": 10_000}),
    ),
    writes=(),
    notes=lambda *_: (),
    write=lambda job, found: save_tables(job, found) if job.out else (),
    command=command,
    tool="search_pages",
    without={"page": "Each list has its own field for it."},
)
