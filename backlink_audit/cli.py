"""The terminal: one command per pipeline. Results go to files, progress and problems to standard error.

Exit code 0, or 2 with one line on standard error. Pipelines are imported inside the commands: `--help` stays instant.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table

from backlink_audit.errors import AuditError, InvalidSetting, UnreadableFile
from backlink_audit.progress import Progress
from backlink_audit.settings import (
    DEFAULT_MODEL,
    LINK_TEXTS,
    ORDERS,
    PAGE_TEXTS,
    AuditSettings,
    BacklinkFilters,
    ClusterSettings,
    GapSettings,
    InterlinkSettings,
)

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export
    from backlink_audit.report.files import Result

WIDTH_OF_MODELS = 140
"""Characters that the list of models needs to keep each on few lines."""

app = typer.Typer(
    help="Which backlinks matter, and which pages of your site should link to each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
errors = Console(stderr=True, highlight=False, soft_wrap=True)

LinkTextChoice = StrEnum("LinkTextChoice", {text: text for text in LINK_TEXTS})
PageTextChoice = StrEnum("PageTextChoice", {text: text for text in PAGE_TEXTS})
OrderChoice = StrEnum("OrderChoice", {order: order for order in ORDERS})


class FilterChoice(StrEnum):
    """Which rows are set aside before scoring."""

    default = "default"
    none = "none"


Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv or .parquet.")]
Model = Annotated[str, typer.Option(help="The embedding model; `models` lists them.")]


def run() -> None:
    """Run the command line and exit: 0, or 2 with one line that says what is wrong."""
    try:
        app()
    except AuditError as error:
        errors.print(" ".join(str(error).split()), markup=False)
        sys.exit(2)


@app.command()
def audit(
    files: Annotated[
        list[Path], typer.Argument(help="Backlink exports, as Ahrefs, Semrush, Majestic or Moz wrote them.")
    ],
    out: Out,
    model: Model = DEFAULT_MODEL,
    link_text: Annotated[
        LinkTextChoice, typer.Option(help="What stands for the two ends of a link.")
    ] = LinkTextChoice.evidence,
    pages: Annotated[
        Path | None, typer.Option(help="A crawl of the target site: its titles and H1 are used too.")
    ] = None,
    original_columns: Annotated[
        bool, typer.Option("--original-columns", help="Add the original app's two columns.")
    ] = False,
    filters: Annotated[
        FilterChoice, typer.Option(help="Set rows aside before scoring, or keep them all.")
    ] = FilterChoice.default,
) -> None:
    """Score backlinks: similarity, relevance, CAS and a verdict for each."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.audit import audit_backlinks
    from backlink_audit.report.files import check_target

    check_target(out)
    settings = AuditSettings(
        model=model,
        link_text=link_text.value,
        original_columns=original_columns,
        filters=BacklinkFilters() if filters is FilterChoice.default else BacklinkFilters.none(),
    )
    links = load(files, "backlinks")
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = audit_backlinks(links, settings, encoder, pages=crawl, on_progress=on_progress)
    errors.print(result.headline, markup=False)
    finish(result, out)


@app.command()
def gap(
    ours: Annotated[Path, typer.Argument(help="Your own backlinks or referring domains, of any tool.")],
    theirs: Annotated[list[Path], typer.Argument(help="The same of up to five competitors, one or more files each.")],
    out: Out,
    pages: Annotated[Path | None, typer.Option(help="A crawl of your site: its pages are those to pitch.")] = None,
    model: Model = DEFAULT_MODEL,
    min_authority: Annotated[float, typer.Option(help="The lowest authority of a prospect, 0-100.")] = (
        GapSettings().min_authority
    ),
) -> None:
    """Find the sites that link to competitors and not to you, and which of your pages to pitch to each."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.gap import find_gap
    from backlink_audit.report.files import check_target

    check_target(out)
    settings = GapSettings(model=model, min_authority=min_authority)
    own, *others = (load_any(path) for path in (ours, *theirs))
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_gap(own, others, settings, encoder, pages=crawl, on_progress=on_progress)
    for sentence in (result.headline, *result.notes):
        errors.print(sentence, markup=False)
    finish(result, out)


@app.command()
def interlinks(
    crawl: Annotated[
        Path, typer.Argument(help="A crawl of the site: URL and title or H1, and content if there is any.")
    ],
    out: Out,
    inlinks: Annotated[Path | None, typer.Option(help="All inlinks: the links that exist, to leave them out.")] = None,
    text: Annotated[
        PageTextChoice | None,
        typer.Option(help="What stands for a page; default: title and content where there is content, else the H1."),
    ] = None,
    order: Annotated[
        OrderChoice, typer.Option(help="By shared words, mentions and meaning, or by meaning alone.")
    ] = OrderChoice.editorial,
    per_page: Annotated[int, typer.Option(help="Targets suggested for each page, at most.")] = 15,
    per_target: Annotated[int | None, typer.Option(help="Sources suggested for each target, at most.")] = None,
    min_similarity: Annotated[float, typer.Option(help="The lowest cosine of a suggestion, -1 to 1.")] = 0.5,
    model: Model = DEFAULT_MODEL,
    embeddings: Annotated[
        Path | None, typer.Option(help="Embeddings saved by an earlier run (.npz), instead of making them.")
    ] = None,
    crawl_embeddings: Annotated[
        bool, typer.Option("--crawl-embeddings", help="Use the embeddings in the crawl's own column.")
    ] = False,
    save_embeddings: Annotated[Path | None, typer.Option(help="Where to save the embeddings (.npz).")] = None,
) -> None:
    """Suggest internal links: which pages, on which words, in which sentence."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.interlinks import find_internal_links
    from backlink_audit.pipelines.page_vectors import crawl_vectors, read_page_vectors
    from backlink_audit.report.files import check_target

    check_target(out)
    settings = InterlinkSettings(
        model=model,
        text=text.value if text else None,
        order=order.value,
        per_page=per_page,
        per_target=per_target,
        min_similarity=min_similarity,
    )
    pages = load([crawl], "pages")
    links = load([inlinks], "inlinks") if inlinks else None
    given = crawl_vectors(pages) if crawl_embeddings else None
    if embeddings:
        given = read_page_vectors(embeddings.name, read_bytes(embeddings))
    if save_embeddings:
        check_target(save_embeddings, (".npz",))
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_internal_links(pages, settings, encoder, links, given, on_progress)
    for note in result.notes:
        errors.print(note, markup=False)
    errors.print(result.headline, markup=False)
    if save_embeddings:
        save_embeddings.write_bytes(result.vectors.to_npz())
    finish(result, out)


@app.command()
def changes(
    older: Annotated[Path, typer.Argument(help="The older export of your backlinks, or of your referring domains.")],
    newer: Annotated[Path, typer.Argument(help="The newer export of the same site.")],
    out: Out,
    pages: Annotated[Path | None, typer.Option(help="A crawl of the site: its titles and dead pages count.")] = None,
    model: Model = DEFAULT_MODEL,
    scores: Annotated[bool, typer.Option(help="Audit both files too, for the CAS gained and lost.")] = True,
) -> None:
    """Compare two exports of one site: links new, lost, kept and changed, CAS gained and lost, changed verdicts."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.changes import compare_exports
    from backlink_audit.report.files import check_target

    check_target(out)
    before, after = load_any(older), load_any(newer)
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress) if scores else None
        result = compare_exports(before, after, AuditSettings(model=model), encoder, crawl, on_progress)
    for sentence in (result.headline, *result.notes):
        errors.print(sentence, markup=False)
    finish(result, out)


@app.command()
def clusters(
    crawl: Annotated[
        Path, typer.Argument(help="A crawl of the site: URL and title or H1, and content if there is any.")
    ],
    out: Out,
    k: Annotated[str, typer.Option(help="How many clusters, or auto: chosen by silhouette.")] = str(
        ClusterSettings().k
    ),
    inlinks: Annotated[
        Path | None, typer.Option(help="All inlinks: to list the links missing between pages and their hubs.")
    ] = None,
    text: Annotated[
        PageTextChoice | None,
        typer.Option(help="What stands for a page; default: title and content where there is content, else the H1."),
    ] = None,
    model: Model = DEFAULT_MODEL,
) -> None:
    """Group the pages of a crawl by subject, name the groups, and find the hub of each."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.clusters import find_clusters
    from backlink_audit.report.files import check_target

    check_target(out)
    settings = ClusterSettings(model=model, text=text.value if text else None, k=number_of_clusters(k))
    pages = load([crawl], "pages")
    links = load([inlinks], "inlinks") if inlinks else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_clusters(pages, settings, encoder, inlinks=links, with_map=False, on_progress=on_progress)
    for sentence in (*result.notes, result.headline):
        errors.print(sentence, markup=False)
    finish(result, out)


def number_of_clusters(k: str) -> int | None:
    """Return the number that `--k` asks for, None for auto. Raises InvalidSetting."""
    if k.lower() == "auto":
        return None
    if not k.isdecimal():
        raise InvalidSetting(f"--k is {k!r}, but must be a whole number, or auto.")
    return int(k)


@app.command()
def models() -> None:
    """List the embedding models: what is ready, and what would be downloaded."""
    from backlink_audit.embedding.models import MODELS, status

    table = Table(box=None, pad_edge=False)
    for heading in ("Model", "Status", "Dimensions", "Size", "Languages"):
        table.add_column(heading, no_wrap=True)
    table.add_column("Good for")
    for model in MODELS:
        size = f"{model.size_mb:,} MB"
        table.add_row(model.name, status(model), str(model.dimensions), size, model.languages, model.good_for)
    Console(highlight=False, width=max(Console().width, WIDTH_OF_MODELS)).print(table)


def load(paths: list[Path], table: str) -> "Export":
    """Read the files as one export of that table. Raises FileProblem."""
    from backlink_audit.exports.load import load as load_exports

    return load_exports([(path.name, read_bytes(path)) for path in paths], table)


def load_any(path: Path) -> "Export":
    """Read a file as whatever export it is. Raises FileProblem."""
    from backlink_audit.exports.load import recognise_file

    return recognise_file(path.name, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises UnreadableFile."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be opened ({(error.strerror or 'unknown error').lower()}).") from error


@contextmanager
def progress() -> Iterator[Progress]:
    """Show on standard error how far the stages are and how long still; nothing where there is no screen."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bars:
        tasks: dict[str, int] = {}

        def on_progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)  # type: ignore[arg-type]

        yield on_progress


def finish(result: "Result", out: Path) -> None:
    """Write the result and say where it is."""
    from backlink_audit.report.files import save

    for note in save(result, out):
        errors.print(note, markup=False)
    errors.print(f"Written: {out}", markup=False)
