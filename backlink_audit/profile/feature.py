"""The feature Backlink profile."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from backlink_audit.audit.feature import judged
from backlink_audit.errors import InvalidSetting
from backlink_audit.feature import BACKLINKS, KEEP_THEM, NO_TOOL, SCORES, SITE, Feature, Job, aside
from backlink_audit.settings import AuditSettings, LinkChoice

if TYPE_CHECKING:
    from backlink_audit.profile.result import Profile
    from backlink_audit.profile.shares import LinkingTexts


def run(job: Job) -> "Profile | LinkingTexts":
    """Profile links, or Google's linking texts where there are no links. Raises InvalidSetting without either."""
    from backlink_audit.profile.run import profile_backlinks
    from backlink_audit.profile.shares import read_texts

    if job.backlinks is None:
        if job.sources.texts is None:
            raise InvalidSetting(
                "Add a backlink export, or the “Top linking text” export of Search Console with --texts."
            )
        return read_texts(job.sources.texts, site=job.site or "")
    source = judged(job, job.backlinks) if job.scores else job.backlinks
    return profile_backlinks(source, job.choice or LinkChoice(), job.settings.filters, job.sources, job.on_progress)


def notes(_: Job, result: Any) -> list[str]:
    """Return which rows were set aside, and the profile's own notes."""
    removed = getattr(result, "removed", {})
    return [*aside(removed, len(result.export.raw), KEEP_THEM), *getattr(result, "notes", ())]


FEATURE = Feature(
    "profile",
    "Backlink profile",
    "Show the backlink profile: domains, anchors, topics, target pages, new and lost links by month.",
    (
        replace(
            BACKLINKS,
            help="Backlink exports, as downloaded; not needed if you only use --texts.",
            roles=("backlinks", "texts"),
            optional=True,
            typed="Export | Audit | None",
        ),
    ),
    AuditSettings,
    run,
    button="Create the profile",
    returns="Profile",
    also_settings={"choice": LinkChoice},
    apart=("original_columns", "risk"),
    options=(SCORES, SITE),
    positional=("choice", "settings"),
    notes=notes,
    without={"tool": NO_TOOL},
)
