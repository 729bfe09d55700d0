"""The risk review: clean -> signals of every link -> what they add up to."""

import pandas as pd

from backlink_audit.analysis.profile import JUDGED
from backlink_audit.analysis.risk import SIGNALS, risk_signals
from backlink_audit.analysis.topics import load_topics
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.missing import missing_parts
from backlink_audit.pipelines.risk.result import Risks, summed_up
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BacklinkFilters, RiskLimits, VerdictLimits


def review_risks(
    source: Export | Audit,
    filters: BacklinkFilters | None = None,
    limits: RiskLimits | None = None,
    on_progress: Progress = silent,
) -> Risks:
    """Find the risk signals of an export, or of an audit's links.

    An audit brings its own filters and limits; others may be given. With wider filters than the audit's, the links it
    has not judged are blank where it judges. Only an audit knows topics, so only there risky ones are found.
    Raises NoRowsLeft.
    """
    on_progress("Cleaning", 0, 2)
    audit, export = (source, source.cleaned.export) if isinstance(source, Audit) else (None, source)
    if audit and filters in (None, audit.settings.filters):
        links, removed = audit.links, audit.cleaned.removed
    else:
        cleaned = clean_backlinks(export, filters or BacklinkFilters())
        links, removed = cleaned.table, cleaned.removed
        links = _with_judgement(links, audit) if audit else links
    limits = limits or (audit.settings.risk if audit else RiskLimits())
    verdicts = audit.settings.verdicts if audit else VerdictLimits()
    on_progress("Looking for risk signals", 1, 2)
    topics = load_topics()
    signals = risk_signals(links, limits, frozenset(topics.fields[topics.risky]))
    found = summed_up(links.drop(columns="risk_signals", errors="ignore").join(signals))
    return Risks(export, found, limits, verdicts.review_signals, removed, _missing(export, links, audit))


def _missing(export: Export, links: pd.DataFrame, audit: Audit | None) -> dict[str, str]:
    missing = missing_parts(export, links, {signal.name: signal.needs for signal in SIGNALS if signal.needs})
    return missing if audit else missing | {signal.name: signal.why_not for signal in SIGNALS if signal.why_not}


def _with_judgement(links: pd.DataFrame, audit: Audit) -> pd.DataFrame:
    """Return links with what an audit judged of them, blank where it judged nothing."""
    judged = audit.links[[*JUDGED, "band"]].reindex(links.index)
    texts = judged.select_dtypes(exclude="number").columns
    return links.join(judged.assign(**{name: judged[name].astype("str").fillna("") for name in texts}))
