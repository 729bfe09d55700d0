"""Commands about the pages of a site: interlinks, clusters."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.commands.options import (
    GOES_ON,
    Address,
    Columns,
    Crawl,
    CrawlEmbeddings,
    Embeddings,
    Folder,
    Model,
    Out,
    Text,
    check_place,
)
from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.engine import PageEngine
from backlink_audit.settings import DEFAULT_MODEL, ClusterSettings, InterlinkSettings, Order
from backlink_audit.terminal import aside, finish, load, notes_of, progress, read_bytes, said_when_stopped

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export
    from backlink_audit.pipelines.clusters.run import Clusters
    from backlink_audit.pipelines.crawl.vectors import PageVectors
    from backlink_audit.pipelines.interlinks.result import Opportunities
    from backlink_audit.report.files import Tables


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
    engine: Annotated[PageEngine, typer.Option(help="On this machine, or on a cluster.")] = "memory",
    address: Address = None,
    folder: Folder = None,
) -> None:
    """Suggest internal links: which pages, on which words, in which sentence."""
    from backlink_audit.embedding.cache import cache_folder
    from backlink_audit.pipelines.run_folders import forget, open_folder
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[crawl, inlinks])
    if save_embeddings:
        check_target(save_embeddings, (".npz",))
    check_place(engine, address, folder)
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
    if engine == "memory":
        write_links(find_links(pages, settings, links, given), out, save_embeddings, notes_of(pages, links))
        return
    with open_folder([crawl], folder or cache_folder() / "runs") as kept:
        with said_when_stopped(GOES_ON):
            result = find_links(pages, settings, links, given, kept, address)
            write_links(result, out, save_embeddings, notes_of(pages, links))
        forget(kept)


def find_links(
    pages: "Export",
    settings: InterlinkSettings,
    inlinks: "Export | None",
    vectors: "PageVectors | None",
    folder: Path | None = None,
    address: str | None = None,
) -> "Opportunities":
    """Find internal links; with a folder, where what is embedded is kept, on a cluster."""
    from backlink_audit.distributed.ray_interlinks import find_internal_links_on_ray
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.interlinks.run import find_internal_links

    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        if folder is None:
            return find_internal_links(pages, settings, encoder, inlinks, vectors, on_progress)
        return find_internal_links_on_ray(
            pages, settings, encoder, folder, inlinks, vectors, address=address, on_progress=on_progress
        )


def write_links(result: "Opportunities", out: Path, embeddings: Path | None, notes: list[str]) -> None:
    """Write the result, its embeddings if a place is given, and say what came out."""
    from backlink_audit.pipelines.interlinks.tables import tables
    from backlink_audit.report.files import save_bytes

    if embeddings:
        save_bytes(result.vectors.to_npz(), embeddings)
    finish_pages(result, tables(result), out, notes)


def finish_pages(result: "Opportunities | Clusters", tables: "Tables", out: Path, notes: list[str]) -> None:
    """Write a result about pages, and say what came out."""
    removed = aside(result.cleaned.removed, len(result.cleaned.export.raw))
    finish(tables, out, *notes, *result.notes, *removed, result.headline)


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
    from backlink_audit.pipelines.clusters.run import find_clusters
    from backlink_audit.pipelines.clusters.tables import tables
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
    finish_pages(result, tables(result), out, notes_of(pages, links))


def given_vectors(pages: "Export", file: Path | None, *, crawl_embeddings: bool) -> "PageVectors | None":
    """Return the embeddings of the file, or else those in the crawl if asked for. Raises AuditError."""
    from backlink_audit.pipelines.crawl.vectors import crawl_vectors, read_page_vectors

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
