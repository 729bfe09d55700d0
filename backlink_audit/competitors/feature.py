"""The feature Competitors: profiles side by side."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backlink_audit.audit.feature import judged
from backlink_audit.errors import WrongExport
from backlink_audit.feature import NO_TOOL, SCORES, Feature, Input, Job
from backlink_audit.settings import AuditSettings, LinkChoice

if TYPE_CHECKING:
    from backlink_audit.competitors.result import SideBySide


def run(job: Job) -> "SideBySide":
    """Profile our links and those of each competitor. Raises WrongExport for our own."""
    from backlink_audit.competitors.result import compare_profiles
    from backlink_audit.text.urls import main_domain

    sources = [judged(job, one) if job.scores else one for one in (job.ours, *job.theirs)]
    found = compare_profiles(sources, job.choice or LinkChoice(), job.settings.filters, job.on_progress)
    ours, *theirs = (main_domain(one.export.link_keys["target_domain"]) for one in found.profiles)
    if ours and ours in theirs:
        own = found.profiles[1 + theirs.index(ours)].export.name
        raise WrongExport(own, f"its links point to your own site, {ours}; use the export of a competitor.")
    return found


FEATURE = Feature(
    "competitors",
    "Competitors",
    "Compare your backlink profile with those of competitors, one column for each file.",
    (
        Input("ours", "Your own backlinks, from any tool.", "backlinks", roles=("backlinks",), typed="Export | Audit"),
        Input(
            "theirs",
            "Backlinks of competitors, one file per competitor.",
            "backlinks",
            several="apart",
            roles=("competitors",),
            typed="Export | Audit",
        ),
    ),
    AuditSettings,
    run,
    button="Compare profiles",
    returns="SideBySide",
    also_settings={"choice": LinkChoice},
    apart=("original_columns", "risk"),
    options=(replace(SCORES, help="Audit the links of every file first, to find their topics.", default=False),),
    without={"tool": NO_TOOL},
)
