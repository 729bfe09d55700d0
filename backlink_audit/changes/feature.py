"""The features Changes and Reclaim: what two exports of one site differ in, and what is to be won back."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backlink_audit.feature import BACKLINKS, NO_TOOL, SCORES, Feature, Input, Job
from backlink_audit.settings import AuditSettings

if TYPE_CHECKING:
    from backlink_audit.changes.reclaim import Reclaim
    from backlink_audit.changes.result import Changes


def run(job: Job) -> "Changes":
    """Compare the exports, both audited first if scores are wanted."""
    from backlink_audit.changes.run import compare_exports

    encoder = job.encoder if job.scores else None
    return compare_exports(job.older, job.newer, job.settings, encoder, job.sources, job.on_progress)


def find_reclaims(job: Job) -> "Reclaim":
    """Find what to win back; with an older export also what only that has."""
    from backlink_audit.changes.reclaim import find_reclaims
    from backlink_audit.changes.run import compare_exports

    links, settings, sources, on_progress = job.backlinks, job.settings, job.sources, job.on_progress
    changes = compare_exports(job.older, links, settings, job.encoder, sources, on_progress) if job.older else None
    return find_reclaims(links, settings, job.encoder, sources, changes, on_progress)


FEATURE = Feature(
    "changes",
    "Changes",
    "Compare two exports of the same site: new, lost and changed links, CAS gained and lost, changed verdicts.",
    (
        Input("older", "The older export of your backlinks, or of your referring domains.", roles=("older",)),
        Input("newer", "The newer export of the same site.", roles=("backlinks", "domains")),
    ),
    AuditSettings,
    run,
    button="Compare the exports",
    returns="Changes",
    apart=("filters", "original_columns"),
    options=(replace(SCORES, help="Audit both files first, to compare CAS and verdicts."),),
    without={"tool": NO_TOOL},
)
RECLAIM = Feature(
    "reclaim",
    "Reclaim",
    "List the links to reclaim: lost links, links to dead pages, and redirect targets for dead pages.",
    (
        BACKLINKS,
        Input(
            "older",
            "An older export of the same site: links that are only in this file count as lost too.",
            "backlinks",
            roles=("older",),
            optional=True,
            by_name=True,
        ),
    ),
    AuditSettings,
    find_reclaims,
    button="Find links to reclaim",
    returns="Reclaim",
    apart=("filters", "original_columns"),
    without={"page": "It is a list of the page Changes.", "tool": NO_TOOL},
)
