"""The risk review as tables for the reader: every domain with its state, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.analysis.risk import SIGNAL_NAMES, SIGNALS
from backlink_audit.pipelines.risk.result import RiskReview, flagged
from backlink_audit.pipelines.tables import Tables, WholeTables, rows_of_file, shown, summary_table, with_headers

DOMAINS = (
    *(
        "referring_domain",
        "state",
        "to_review",
        "signals",
        "risk_evidence",
        "google_lists",
        "links",
        "authority",
        "followed_share",
    ),
    *("mean_relevance", "best_cas", "topic", "verdict", "first_seen", "last_seen", "referring_url"),
)
LINKS = (
    *("referring_url", "target_url", "state", "to_review", "signals", "risk_evidence", "google_lists", "seen_by"),
    *("referring_title", "anchor"),
    *("relevance", "cas", "topic", "verdict", *SIGNAL_NAMES),
)


def tables(result: RiskReview) -> WholeTables:
    """Return the tables of a risk review: every domain, and the workbook."""
    return Tables(lambda: shown(result.domains, DOMAINS), lambda: sheets(result))


def sheets(result: RiskReview) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order; only domains and links that are flagged."""
    domains, links, counts = result.domains, result.rows("URL"), result.risks.signal_counts
    return {
        "Summary": summary(result),
        "Signals": with_headers(counts.drop(columns="name"), {"label": "Signal", "meaning": "Meaning"}),
        "Domains": shown(flagged(domains), DOMAINS),
        "Links": shown(flagged(links), LINKS, {signal.name: signal.label for signal in SIGNALS}),
        "Review": result.review.to_table(),
    }


def summary(result: RiskReview) -> pd.DataFrame:
    """Return what was reviewed, and how much of it is decided, as rows of Part, What and Value."""
    risks = result.risks
    return summary_table(
        [
            ("Review", "File", risks.export.name),
            ("Review", "In a sentence", risks.headline),
            *rows_of_file(len(risks.export.raw), risks.removed),
            ("Rows", "Reviewed", len(risks.links)),
            ("Links", "To review", risks.to_review),
            ("Links", f"With {risks.review_signals} or more risk signals", risks.with_enough_signals),
            ("Links", "With a risk signal", risks.flagged_links),
            *(("Domains", state, count) for state, count in result.state_counts.items()),
            ("Domains", "Flagged or decided", f"{result.decided:,} of {risks.flagged_domains:,}"),
        ]
    )
