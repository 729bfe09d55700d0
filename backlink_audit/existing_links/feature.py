"""The feature Existing links: which of them to mend, to reword, or that are off-topic."""

from typing import TYPE_CHECKING

from backlink_audit.feature import INLINKS, NO_TOOL, Feature, Job
from backlink_audit.settings import InlinkSettings

if TYPE_CHECKING:
    from backlink_audit.existing_links.result import InlinkAudit


def run(job: Job) -> "InlinkAudit":
    """Judge the links."""
    from backlink_audit.existing_links.run import audit_inlinks

    return audit_inlinks(job.inlinks, job.settings, job.encoder, job.sources, job.on_progress)


FEATURE = Feature(
    "inlinks",
    "Existing links",
    "Check the internal links of a site: broken or redirected links, poor anchors, off-topic links.",
    (INLINKS,),
    InlinkSettings,
    run,
    button="Check the links",
    returns="InlinkAudit",
    without={"tool": NO_TOOL},
)
