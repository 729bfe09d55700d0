"""The feature Internal links: which page should link to which."""

from typing import TYPE_CHECKING

from backlink_audit.errors import InvalidSetting
from backlink_audit.feature import CRAWL, EMBEDDINGS, Feature, Job, Option, given_vectors, page_notes
from backlink_audit.settings import InterlinkSettings

if TYPE_CHECKING:
    from backlink_audit.internal_links.result import Opportunities


def refuse(job: Job) -> None:
    """Refuse options that contradict each other before the work. Raises InvalidSetting."""
    if job.near_top_first and "performance" not in job.paths:
        raise InvalidSetting("--near-top-first needs a file with positions: add one with --performance.")


def run(job: Job) -> "Opportunities":
    """Find internal links, each with its cluster, and what the targets earn where that is known."""
    from backlink_audit.internal_links.result import with_clusters, with_figures
    from backlink_audit.internal_links.run import find_internal_links

    given, encoder = given_vectors(job), job.encoder
    found = find_internal_links(job.pages, job.settings, encoder, job.sources, given, job.on_progress)
    found = with_clusters(found, encoder, job.on_progress)
    earned = job.sources.performance
    return with_figures(found, earned, near_top_first=job.near_top_first) if earned else found


def write(job: Job, result: "Opportunities") -> list[str]:
    """Write the suggestions (with a threshold every pair), and the embeddings, edits and matrix if asked for."""
    from backlink_audit.internal_links.tables import all_pairs_tables, as_json, insertions, tables
    from backlink_audit.report.files import save, save_bytes, similarity_matrix, write_csv

    if job.save_embeddings:
        save_bytes(result.vectors.to_npz(), job.save_embeddings)
    if job.insertions:
        table, is_json = insertions(result), job.insertions.suffix.lower() == ".json"
        save_bytes(as_json(table) if is_json else write_csv(table), job.insertions)
    if job.matrix:
        vectors, urls = result.vectors.vectors, result.pages["url"]
        save_bytes(similarity_matrix(urls, vectors, *result.matrix_pages(), result.nearest_pairs), job.matrix)
    return save(tables(result) if job.all_pairs is None else all_pairs_tables(result, job.all_pairs), job.out)


FEATURE = Feature(
    "interlinks",
    "Internal links",
    "Suggest internal links, with the anchor text and the sentence for each.",
    (CRAWL,),
    InterlinkSettings,
    run,
    button="Find the links",
    returns="Opportunities",
    options=(
        *EMBEDDINGS,
        Option("save_embeddings", "Where to save the embeddings (.npz).", writes=(".npz",)),
        Option(
            "insertions",
            "Where to save the sentences to edit, each without and with its new link (.csv, .json).",
            writes=(".csv", ".json"),
        ),
        Option("matrix", "Where to save the similarity of every page with every other one (.csv).", writes=(".csv",)),
        Option(
            "all_pairs",
            "Write every pair of pages with at least this similarity (cosine) instead of suggestions.",
            float,
            more={"min": -1, "max": 1},
        ),
        Option(
            "near_top_first",
            "With --performance: of each page's targets, list striking-distance pages (Google positions 4 to 20) "
            "first.",
            bool,
            default=False,
            python="bool",
        ),
    ),
    refuse=refuse,
    notes=page_notes,
    write=write,
    tool="suggest_internal_links",
)
