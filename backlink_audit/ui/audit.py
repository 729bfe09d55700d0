"""The audit of the loaded backlinks: started on its page, used by every other."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.estimate import estimate_audit
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.progress import Progress
from backlink_audit.settings import AuditSettings
from backlink_audit.ui import estimate, jobs, loaded

LABEL = "Run the audit"


def run(backlinks: Export, settings: AuditSettings, pages: Export | None) -> Audit | None:
    """Show the audit's button and progress; return its last result (marked if it is not of these inputs), or None."""

    def work(progress: Progress) -> Audit:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return audit_backlinks(backlinks, settings, encoder, pages, on_progress=progress)

    key = (backlinks.fingerprint, pages.fingerprint if pages else None, settings)
    inputs = (*key[:2], settings.model, settings.link_text, settings.filters)
    note = estimate.note(LABEL, key, lambda: estimate_audit(backlinks, settings, pages), inputs)
    return jobs.run(key, LABEL, work, at_once=loaded.starts_by_itself(LABEL), note=note)


def last() -> Audit | None:
    """Return the last audit if it is of the backlinks that are loaded now, else None."""
    audit, backlinks = jobs.last(LABEL), loaded.get("backlinks")
    if audit is None or backlinks is None or audit.cleaned.export.fingerprint != backlinks.fingerprint:
        return None
    return audit


def strongest_first(links: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return these columns with the highest CAS first, so that tables begin with what matters; without a CAS last."""
    strongest = (-links["cas"]).to_numpy().argsort(kind="stable")
    return links[list(dict.fromkeys(columns))].take(strongest)
