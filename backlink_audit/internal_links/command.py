"""The command that suggests internal links."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.audit.run import PageEngine
from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import InterlinkSettings
from backlink_audit.sources import Sources
from backlink_audit.terminal.files import load, message_when_stopped, notes_of, progress
from backlink_audit.terminal.options import (
    GOES_ON,
    Address,
    Crawl,
    CrawlEmbeddings,
    Embeddings,
    Folder,
    Out,
    SourceFiles,
    check_place,
    finish_pages,
    given_vectors,
    with_options,
)

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export
    from backlink_audit.internal_links.result import Opportunities
    from backlink_audit.site.vectors import PageVectors


@with_options()
def interlinks(
    crawl: Crawl,
    out: Out,
    settings: InterlinkSettings,
    others: SourceFiles,
    embeddings: Embeddings = None,
    crawl_embeddings: CrawlEmbeddings = False,
    save_embeddings: Annotated[Path | None, typer.Option(help="Where to save the embeddings (.npz).")] = None,
    insertions: Annotated[
        Path | None,
        typer.Option(help="Where to save the sentences to edit, each without and with its new link (.csv, .json)."),
    ] = None,
    matrix: Annotated[
        Path | None,
        typer.Option(help="Where to save the similarity of every page with every other one (.csv)."),
    ] = None,
    all_pairs: Annotated[
        float | None,
        typer.Option(
            min=-1,
            max=1,
            help="Write every pair of pages with at least this similarity (cosine) instead of suggestions.",
        ),
    ] = None,
    near_top_first: Annotated[
        bool,
        typer.Option(
            help=(
                "With --performance: of each page's targets, list striking-distance pages (Google positions 4 to 20) "
                "first."
            )
        ),
    ] = False,
    engine: Annotated[PageEngine, typer.Option(help="Run on this computer, or on a Ray cluster.")] = "memory",
    address: Address = None,
    folder: Folder = None,
) -> None:
    """Suggest internal links, with the anchor text and the sentence for each."""
    from backlink_audit.audit.run_folders import delete_folder, open_folder
    from backlink_audit.embedding.cache import cache_folder
    from backlink_audit.internal_links.result import with_figures
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[crawl, *others.paths])
    if near_top_first and "performance" not in others.by_role:
        raise InvalidSetting("--near-top-first needs a file with positions: add one with --performance.")
    if save_embeddings:
        check_target(save_embeddings, (".npz",))
    if insertions:
        check_target(insertions, (".csv", ".json"), inputs=[crawl, *others.paths])
    if matrix:
        check_target(matrix, (".csv",), inputs=[crawl, *others.paths])
    check_place(engine, address, folder)
    pages = load([crawl], "pages")
    sources = others.load()
    earned, notes = sources.performance, notes_of(pages, *sources.exports.values())

    def written(result: "Opportunities") -> None:
        with_earnings = with_figures(result, earned, near_top_first=near_top_first) if earned else result
        write_links(with_earnings, out, save_embeddings, insertions, matrix, all_pairs, notes)

    given = given_vectors(pages, embeddings, crawl_embeddings=crawl_embeddings)
    if engine == "memory":
        written(find_links(pages, settings, sources, given))
        return
    with open_folder([crawl], folder or cache_folder() / "runs") as kept:
        with message_when_stopped(GOES_ON):
            written(find_links(pages, settings, sources, given, kept, address))
        delete_folder(kept)


def find_links(
    pages: "Export",
    settings: InterlinkSettings,
    sources: Sources,
    vectors: "PageVectors | None",
    folder: Path | None = None,
    address: str | None = None,
) -> "Opportunities":
    """Find internal links; with a folder, where what is embedded is kept, on a cluster."""
    from backlink_audit.distributed.ray_audit import find_internal_links_on_ray
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.internal_links.result import with_clusters
    from backlink_audit.internal_links.run import find_internal_links

    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        if folder is None:
            found = find_internal_links(pages, settings, encoder, sources, vectors, on_progress)
        else:
            found = find_internal_links_on_ray(
                pages, settings, encoder, folder, sources, vectors, address=address, on_progress=on_progress
            )
        return with_clusters(found, encoder, on_progress)


def write_links(
    result: "Opportunities",
    out: Path,
    embeddings: Path | None,
    edits: Path | None,
    matrix: Path | None,
    threshold: float | None,
    notes: list[str],
) -> None:
    """Write the result (with a threshold every pair), its embeddings, edits and matrix, and say what came out."""
    from backlink_audit.internal_links.tables import all_pairs_tables, as_json, insertions, tables
    from backlink_audit.report.files import save_bytes, similarity_matrix, write_csv

    if embeddings:
        save_bytes(result.vectors.to_npz(), embeddings)
    if edits:
        table = insertions(result)
        save_bytes(as_json(table) if edits.suffix.lower() == ".json" else write_csv(table), edits)
    if matrix:
        vectors, urls = result.vectors.vectors, result.pages["url"]
        save_bytes(similarity_matrix(urls, vectors, *result.matrix_pages(), result.nearest_pairs), matrix)
    chosen = tables(result) if threshold is None else all_pairs_tables(result, threshold)
    finish_pages(result, chosen, out, notes)
