"""The terminal: one command per pipeline. Results go to files, progress and problems to standard error.

Exit code 0, or 2 with one line on standard error. Pipelines are imported inside the commands: `--help` stays instant.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.pipelines.engine import Engine, choose_engine
from backlink_audit.settings import (
    DEFAULT_MODEL,
    AuditSettings,
    BacklinkFilters,
    ClusterSettings,
    GapSettings,
    InterlinkSettings,
    LinkText,
    Order,
    PageText,
)
from backlink_audit.terminal import finish, load, load_any, notes_of, progress, read_bytes, said_when_stopped, say

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export
    from backlink_audit.pipelines.page_vectors import PageVectors

GOES_ON = "Stopped. Run the same command again, and it goes on where it was."
WIDTH_OF_MODELS = 140
"""Characters that the list of models needs to keep each on few lines."""

app = typer.Typer(
    help="Which backlinks matter, and which pages of your site should link to each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv or .parquet.")]
Model = Annotated[str, typer.Option(help="The embedding model; `models` lists them.")]
Crawl = Annotated[Path, typer.Argument(help="A crawl of the site: URL and title or H1, and content if there is any.")]
Text = Annotated[
    PageText | None,
    typer.Option(help="What stands for a page; default: title and content where there is content, else the H1."),
]
Columns = Annotated[
    list[str] | None, typer.Option(help="Columns of the file, joined, in place of --text; once for each column.")
]
Embeddings = Annotated[
    Path | None, typer.Option(help="Embeddings saved by an earlier run (.npz), instead of making them.")
]
CrawlEmbeddings = Annotated[
    bool, typer.Option("--crawl-embeddings", help="Use the embeddings in the crawl's own column.")
]


def run() -> None:
    """Run the command line and exit: 0, or 2 with one line that says what is wrong."""
    try:
        app()
    except AuditError as error:
        say(str(error))
        sys.exit(2)


@app.command()
def audit(
    files: Annotated[
        list[Path], typer.Argument(help="Backlink exports, as Ahrefs, Semrush, Majestic or Moz wrote them.")
    ],
    out: Out,
    model: Model = DEFAULT_MODEL,
    link_text: Annotated[LinkText, typer.Option(help="What stands for the two ends of a link.")] = "evidence",
    pages: Annotated[
        Path | None, typer.Option(help="A crawl of the target site: its titles and H1 are used too.")
    ] = None,
    original_columns: Annotated[
        bool, typer.Option("--original-columns", help="Add the original app's two columns.")
    ] = False,
    filters: Annotated[
        Literal["default", "none"], typer.Option(help="Set rows aside before scoring, or keep them all.")
    ] = "default",
    engine: Annotated[
        Engine,
        typer.Option(help="In one piece, in parts that need little memory, or on a cluster; auto: parts from 100 MB."),
    ] = "auto",
    address: Annotated[
        str | None, typer.Option(help="With --engine ray: the cluster, as host:port; default: this machine's cores.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where parts are kept meanwhile; with a cluster, a folder that all nodes see."),
    ] = None,
) -> None:
    """Score backlinks: similarity, relevance, CAS and a verdict for each."""
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, pages])
    settings = AuditSettings(
        model=model,
        link_text=link_text,
        original_columns=original_columns,
        filters=BacklinkFilters() if filters == "default" else BacklinkFilters.none(),
    )
    if address and engine != "ray":
        raise InvalidSetting("--address names a cluster, which --engine ray is for; add that, or leave --address out.")
    if choose_engine(engine, files, out) == "memory":
        audit_in_one(files, pages, settings, out)
    else:
        audit_in_parts(files, pages, settings, out, folder, on_cluster=engine == "ray", address=address)


def audit_in_one(files: list[Path], pages: Path | None, settings: AuditSettings, out: Path) -> None:
    """Audit the files in one piece, and say what came out."""
    from backlink_audit.embedding.models import find_model, language_warning, load_encoder
    from backlink_audit.pipelines.audit import audit_backlinks

    links = load(files, "backlinks")
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        result = audit_backlinks(links, settings, encoder, pages=crawl, on_progress=on_progress)
    warning = language_warning(find_model(settings.model), result.links["language"])
    finish(result, out, *notes_of(links, crawl), *filter(None, [warning]), result.headline)


def audit_in_parts(
    files: list[Path],
    pages: Path | None,
    settings: AuditSettings,
    out: Path,
    kept_in: Path | None,
    *,
    on_cluster: bool,
    address: str | None,
) -> None:
    """Audit files larger than the memory in parts, here or on a cluster, and say what came out."""
    from backlink_audit.distributed.ray_audit import audit_on_ray
    from backlink_audit.embedding.cache import cache_folder
    from backlink_audit.embedding.models import find_model, language_warning, load_encoder
    from backlink_audit.exports.parts import split
    from backlink_audit.pipelines.audit_parts import audit_parts
    from backlink_audit.pipelines.runs import forget, open_folder, stages_folder
    from backlink_audit.report.files import save_parts

    crawl = load([pages], "pages") if pages else None
    with open_folder(files, kept_in or cache_folder() / "runs") as folder:
        with progress() as on_progress, said_when_stopped(GOES_ON):
            links = split(files, folder, on_progress)
            encoder = load_encoder(settings.model, on_progress=on_progress)
            stages = stages_folder(links, settings, encoder.identity, crawl)
            said = []
            if on_cluster:
                done = audit_on_ray(links, settings, stages, crawl, address=address, on_progress=on_progress)
                result, said = done.audit, [done.sentence]
            else:
                result = audit_parts(links, settings, encoder, stages, crawl, on_progress)
            save_parts(result.main_tables(on_progress), out)
        warning = language_warning(find_model(settings.model), result.column("language"))
        say(*links.notes, *notes_of(crawl), *filter(None, [warning]), *said, result.headline, f"Written: {out}")
        forget(folder)


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

    check_target(out, inputs=[ours, *theirs, pages])
    settings = GapSettings(model=model, min_authority=min_authority)
    own, *others = (load_any(path) for path in (ours, *theirs))
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_gap(own, others, settings, encoder, pages=crawl, on_progress=on_progress)
    finish(result, out, *notes_of(own, *others, crawl), result.headline, *result.notes)


@app.command()
def interlinks(
    crawl: Crawl,
    out: Out,
    inlinks: Annotated[Path | None, typer.Option(help="All inlinks: the links that exist, to leave them out.")] = None,
    text: Text = None,
    columns: Columns = None,
    order: Annotated[
        Order, typer.Option(help="By shared words, mentions and meaning, or by meaning alone.")
    ] = "editorial",
    per_page: Annotated[int, typer.Option(help="Targets suggested for each page, at most.")] = 15,
    per_target: Annotated[int | None, typer.Option(help="Sources suggested for each target, at most.")] = None,
    min_similarity: Annotated[float, typer.Option(help="The lowest cosine of a suggestion, -1 to 1.")] = 0.5,
    model: Model = DEFAULT_MODEL,
    embeddings: Embeddings = None,
    crawl_embeddings: CrawlEmbeddings = False,
    save_embeddings: Annotated[Path | None, typer.Option(help="Where to save the embeddings (.npz).")] = None,
) -> None:
    """Suggest internal links: which pages, on which words, in which sentence."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.interlinks import find_internal_links
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[crawl, inlinks])
    settings = InterlinkSettings(
        model=model,
        text=text,
        columns=tuple(columns or ()),
        order=order,
        per_page=per_page,
        per_target=per_target,
        min_similarity=min_similarity,
    )
    pages = load([crawl], "pages")
    links = load([inlinks], "inlinks") if inlinks else None
    given = given_vectors(pages, embeddings, crawl_embeddings=crawl_embeddings)
    if save_embeddings:
        check_target(save_embeddings, (".npz",))
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_internal_links(pages, settings, encoder, links, given, on_progress)
    if save_embeddings:
        save_embeddings.write_bytes(result.vectors.to_npz())
    finish(result, out, *notes_of(pages, links), *result.notes, result.headline)


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

    check_target(out, inputs=[older, newer, pages])
    before, after = load_any(older), load_any(newer)
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress) if scores else None
        result = compare_exports(before, after, AuditSettings(model=model), encoder, crawl, on_progress)
    finish(result, out, *notes_of(before, after, crawl), result.headline, *result.notes)


@app.command()
def clusters(
    crawl: Crawl,
    out: Out,
    k: Annotated[str, typer.Option(help="How many clusters, or auto: chosen by silhouette.")] = str(
        ClusterSettings().k
    ),
    inlinks: Annotated[
        Path | None, typer.Option(help="All inlinks: to list the links missing between pages and their hubs.")
    ] = None,
    text: Text = None,
    columns: Columns = None,
    model: Model = DEFAULT_MODEL,
    embeddings: Embeddings = None,
    crawl_embeddings: CrawlEmbeddings = False,
) -> None:
    """Group the pages of a crawl by subject, name the groups, and find the hub of each."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.clusters import find_clusters
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[crawl, inlinks])
    settings = ClusterSettings(model=model, text=text, columns=tuple(columns or ()), k=number_of_clusters(k))
    pages = load([crawl], "pages")
    links = load([inlinks], "inlinks") if inlinks else None
    given = given_vectors(pages, embeddings, crawl_embeddings=crawl_embeddings)
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_clusters(
            pages, settings, encoder, inlinks=links, vectors=given, with_map=False, on_progress=on_progress
        )
    finish(result, out, *notes_of(pages, links), *result.notes, result.headline)


def given_vectors(pages: "Export", file: Path | None, *, crawl_embeddings: bool) -> "PageVectors | None":
    """Return the embeddings of the file, or else those in the crawl if asked for. Raises AuditError."""
    from backlink_audit.pipelines.page_vectors import crawl_vectors, read_page_vectors

    if file:
        return read_page_vectors(file.name, read_bytes(file))
    return crawl_vectors(pages) if crawl_embeddings else None


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
