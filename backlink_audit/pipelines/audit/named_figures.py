"""The figures of an audit by the names that the cells of a template can have."""

from datetime import date

import pandas as pd

from backlink_audit.labels import RECLAIM, VERDICTS
from backlink_audit.pipelines.audit.result import Audit

Figure = str | int | float | date | None
VERDICT_NAMES = {label.word: f"audit_{label.word.lower().replace(' ', '_').replace('-', '_')}" for label in VERDICTS}
NAMES = (
    *("audit_headline", "audit_date", "audit_links", "audit_domains", "audit_authority", "audit_followed"),
    *("audit_relevant", "audit_lost", *VERDICT_NAMES.values()),
)


def named_figures(audit: Audit) -> dict[str, Figure]:
    """Return NAMES with the figures of the chosen links, as the screen has them; None for what cannot be known.

    Shares are 0-1; Reclaim and lost links are those of the whole file.
    """
    counts = audit.verdict_counts
    found: dict[str, Figure] = {
        "audit_headline": audit.headline,
        "audit_date": audit.made_at.date(),
        "audit_links": audit.backlinks,
        "audit_domains": audit.domains,
        "audit_authority": _known(audit.median_authority),
        "audit_followed": _known(audit.share_followed),
        "audit_relevant": _known(audit.share_relevant),
        "audit_lost": audit.lost,
    }
    verdicts = {name: int(counts.get(word, 0)) for word, name in VERDICT_NAMES.items()}
    return found | verdicts | {VERDICT_NAMES[RECLAIM.word]: audit.to_reclaim}


def _known(value: float) -> float | None:
    return None if pd.isna(value) else float(value)
