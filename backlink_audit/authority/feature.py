"""The feature Authority: how it flows through the links of a site."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backlink_audit.audit.feature import judged
from backlink_audit.feature import INLINKS, NO_TOOL, Feature, Job, Option, read_bytes
from backlink_audit.settings import AuditSettings, AuthoritySettings

if TYPE_CHECKING:
    from backlink_audit.authority.result import SiteAuthority


def run(job: Job) -> "SiteAuthority":
    """Find the authority of each page; with a crawl also whence pages that deserve more can be linked."""
    import pandas as pd

    from backlink_audit.authority.run import LINKS, find_authority, with_sources
    from backlink_audit.exports.lists import read_pairs, read_url_list
    from backlink_audit.exports.parts import Blocks
    from backlink_audit.site.links import COLUMNS

    in_blocks = bool(job.paths)
    given, crawl = job.inlinks, job.sources.pages
    audited = job.audit
    if audited is None and job.sources.backlinks is not None:
        audited = judged(
            Job(**{**vars(job), "settings": AuditSettings(model=job.settings.model)}), job.sources.backlinks
        )
    result = find_authority(
        Blocks(given, "inlinks", COLUMNS, job.on_progress) if in_blocks else given,
        job.settings,
        given.name,
        sources=job.sources,
        backlinks=None if audited is None else audited.scored,
        added=read_pairs(job.add.name, read_bytes(job.add)) if job.add else None,
        wanted=read_url_list(job.wanted.name, read_bytes(job.wanted)) if job.wanted else job.pages_wanted,
        on_progress=job.on_progress,
    )
    if crawl is None or not result.pages["deserving"].any():
        return result
    blocks = Blocks(given, "inlinks", LINKS, job.on_progress) if in_blocks else [given.table]
    table = pd.concat([block[list(LINKS)] for block in blocks])
    return with_sources(result, crawl, table, job.encoder, job.on_progress)


def also(job: Job, result: "SiteAuthority") -> list[str]:
    """Write the graph if it was asked for; say what the links that were tried would change."""
    from backlink_audit.authority.run import pages_and_links
    from backlink_audit.report.files import save_bytes, write_graphml

    if job.graph:
        save_bytes(write_graphml(*pages_and_links(result)), job.graph)
    return [result.what_if.sentence] if result.what_if else []


FEATURE = Feature(
    "authority",
    "Authority",
    "Show the authority of each page, pages that pass no authority on, and how new links would change it.",
    (replace(INLINKS, read=lambda _, paths: paths[0]),),
    AuthoritySettings,
    run,
    button="Calculate the link score",
    returns="SiteAuthority",
    options=(
        Option("add", "Links to test, as `interlinks` writes them: Source URL, Target URL."),
        Option("wanted", "A list of pages that need more authority: one URL per line, or a table with URLs."),
        Option("graph", "Where to save the graph of the site, for Gephi and others (.graphml).", writes=(".graphml",)),
        Option("audit", "Scored backlinks, which bring authority in.", python="Audit", terminal=False),
        Option("pages_wanted", "", default=(), terminal=False),
    ),
    notes=lambda _, result: [result.counted, *result.notes],
    also=also,
    without={"tool": NO_TOOL},
)
