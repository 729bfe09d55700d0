"""The feature Competitors: profiles side by side."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backlink_audit.audit.feature import judged
from backlink_audit.feature import NO_TOOL, SCORES, Feature, Input, Job
from backlink_audit.settings import AuditSettings, LinkChoice

if TYPE_CHECKING:
    from backlink_audit.competitors.result import SideBySide


def run(job: Job) -> "SideBySide":
    """Profile our links and those of each competitor."""
    from backlink_audit.competitors.result import compare_profiles

    sources = [judged(job, one) if job.scores else one for one in (job.ours, *job.theirs)]
    return compare_profiles(sources, job.choice or LinkChoice(), job.settings.filters, job.on_progress)


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
