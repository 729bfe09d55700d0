"""The risk review: clean -> signals of every link -> what they add up to."""

import pandas as pd

from backlink_audit.analysis.relevance.topics import load_topics
from backlink_audit.analysis.risk.signals import SIGNALS, risk_signals
from backlink_audit.analysis.scoring.link_choice import chosen_links
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.merge_tools import seen_by_tools
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.missing import missing_parts
from backlink_audit.pipelines.risk.result import Risks, summed_up, to_review
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BacklinkFilters, LinkChoice, RiskLimits, VerdictLimits


def review_risks(
    source: Export | Audit,
    filters: BacklinkFilters = BacklinkFilters(),  # noqa: B008 (frozen)
    limits: RiskLimits | None = None,
    on_progress: Progress = silent,
) -> Risks:
    """Find the risk signals of every live link, wherever it is on its page, of an export or of an audit.

    An audit brings its own filters and limits; other limits may be given. Only an audit knows topics and kinds of
    pages, so only there the signals that need them are found. Raises NoRowsLeft.
    """
    on_progress("Cleaning", 0, 2)
    audit = source if isinstance(source, Audit) else None
    cleaned = source.cleaned if isinstance(source, Audit) else clean_backlinks(source, filters)
    every, export, removed = audit.scored if audit else cleaned.table, cleaned.export, cleaned.removed
    limits = limits or (audit.settings.risk if audit else RiskLimits())
    verdicts = audit.settings.verdicts if audit else VerdictLimits()
    on_progress("Finding risk signals", 1, 2)
    topics = load_topics()
    # What many sites share shows in the whole file, lost links too, as in the audit: so both have the same signals.
    signals = risk_signals(every, limits, frozenset(topics.fields[topics.risky]))
    found = summed_up(every.drop(columns="risk_signals", errors="ignore").join(signals))
    found = found.assign(to_review=to_review(found, verdicts.review_signals))
    links = found[chosen_links(found, LinkChoice())].join(seen_by_tools(export))
    return Risks(export, links, limits, verdicts, removed, _missing(export, links, audit))


def _missing(export: Export, links: pd.DataFrame, audit: Audit | None) -> dict[str, str]:
    missing = missing_parts(export, links, {signal.name: signal.needs for signal in SIGNALS if signal.needs})
    return missing if audit else missing | {signal.name: signal.why_not for signal in SIGNALS if signal.why_not}
