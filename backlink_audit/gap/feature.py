"""The feature Gap: who links to competitors only."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backlink_audit.feature import NO_TOOL, Feature, Input, Job, Option
from backlink_audit.settings import GapSettings

if TYPE_CHECKING:
    from backlink_audit.gap.result import Gap


def run(job: Job) -> "Gap":
    """Find the gap; limits without a rating's name are of the one rating that the files have."""
    from backlink_audit.gap.run import find_gap
    from backlink_audit.judgement.scales import read_limits

    asked = job.min_authority or ()
    read_limits(asked, ())  # what no file can make right is refused before the work
    gap = find_gap(job.ours, job.theirs, job.settings, job.encoder, job.sources, job.on_progress)
    if not asked:
        return gap
    return gap.with_settings(replace(job.settings, min_authority=read_limits(asked, tuple(gap.limits))))


FEATURE = Feature(
    "gap",
    "Gap",
    "Find sites that link to competitors but not to you, with a page to pitch for each.",
    (
        Input("ours", "Your own backlinks or referring domains, from any tool.", roles=("backlinks", "domains")),
        Input(
            "theirs",
            "Backlinks or referring domains of up to five competitors, one or more files each.",
            several="apart",
            roles=("competitors",),
        ),
    ),
    GapSettings,
    run,
    button="Find prospects",
    returns="Gap",
    apart=("min_authority",),
    options=(Option("min_authority", typed=list[str]),),
    without={"tool": NO_TOOL},
)
