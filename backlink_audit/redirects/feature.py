"""The feature Redirects: the pages of an old site mapped to those of a new one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from backlink_audit.feature import NO_TOOL, SUFFIXES, Feature, Input, Job, read_bytes, save_tables
from backlink_audit.settings import RedirectSettings

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export
    from backlink_audit.redirects.result import Redirects

RULES = (".htaccess", ".map", "_redirects")  # Endings of files that a server reads


def old_pages(_: Job, paths: list[Path]) -> "Export":
    """Read a crawl, or a list of URLs. Raises FileProblem."""
    from backlink_audit.exports.lists import load_pages_or_urls

    return load_pages_or_urls(paths[0].name, read_bytes(paths[0]))


def run(job: Job) -> "Redirects":
    """Find the best new page for each old one; a model is needed for what backlinks put at risk alone."""
    from backlink_audit.redirects.run import map_redirects

    encoder = job.encoder if job.sources.backlinks else None
    return map_redirects(job.old, job.new, job.settings, encoder, job.sources, job.on_progress)


def write(job: Job, result: "Redirects") -> Sequence[str]:
    """Write the map as a table, or as the rules of a server."""
    from backlink_audit.redirects.rules import server_file
    from backlink_audit.report.files import ending, save_bytes

    if ending(job.out) not in RULES:
        return save_tables(job, result)
    rules = server_file(ending(job.out), result)
    save_bytes(rules.data, job.out)
    return rules.notes


FEATURE = Feature(
    "redirects",
    "Redirects",
    "Find the best redirect target for each old page that the new site no longer has, with a confidence.",
    (
        Input(
            "old", "A crawl of the old site, or a list of its URLs (csv or txt).", roles=("old_pages",), read=old_pages
        ),
        Input("new", "A crawl of the new site.", "pages", roles=("pages",)),
    ),
    RedirectSettings,
    run,
    button="Find redirects",
    returns="Redirects",
    writes=(*SUFFIXES, *RULES),
    write=write,
    without={"tool": NO_TOOL},
)
