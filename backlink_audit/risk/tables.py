"""The risk review as tables for the reader: every domain with its state, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.judgement.risk_signals import SIGNAL_NAMES, SIGNALS
from backlink_audit.report.rows import Tables, WholeTables, rows_of_file, shown, summary_table, with_headers
from backlink_audit.risk.result import RiskReview, flagged
from backlink_audit.risk.run import Lesson, lesson

DOMAINS = (
    *(
        "referring_domain",
        "state",
        "proposed",
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
    *(
        "referring_url",
        "target_url",
        "state",
        "proposed",
        "to_review",
        "signals",
        "risk_evidence",
        "google_lists",
        "seen_by",
    ),
    *("referring_title", "anchor"),
    *("relevance", "cas", "topic", "verdict", "certainty", "keep", *SIGNAL_NAMES),
)
SECOND_OPINION = (
    *("referring_url", "target_url", "second_opinion", "verdict", "toxic_score", "spam", "relevance", "cas"),
)
TO_READ = (
    *("referring_url", "referring_title", "anchor", "target_url", "verdict", "why", "certainty", "keep", "relevance"),
)


def tables(result: RiskReview) -> WholeTables:
    """Return the tables of a risk review: every domain, and the workbook."""
    return Tables(lambda: shown(result.domains, DOMAINS), lambda: sheets(result))


def sheets(result: RiskReview) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order; only domains and links that are flagged."""
    domains, links, counts = result.domains, result.rows("URL"), result.risks.signal_counts
    second, taught = result.risks.second_opinions, lesson(result)
    if taught is not None:
        links = links.join(taught.links[["keep", "certainty"]])
    return {
        "Summary": summary(result, taught),
        "Signals": with_headers(counts.drop(columns="name"), {"label": "Signal", "meaning": "Meaning"}),
        "Domains": shown(flagged(domains), DOMAINS),
        "Links": shown(flagged(links), LINKS, {signal.name: signal.label for signal in SIGNALS}),
        "Review": result.review.to_table(),
        **({} if second.empty else {"Second opinion": shown(second, SECOND_OPINION)}),
        **({} if taught is None else {"Read these": shown(taught.to_read, TO_READ)}),
    }


def summary(result: RiskReview, taught: Lesson | None) -> pd.DataFrame:
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
            *([("Links", "Second opinion", risks.second_opinion)] if risks.second_opinion else []),
            *(("Domains", state, count) for state, count in result.state_counts.items()),
            *(
                []
                if taught is None
                else [("Decisions", "In a sentence", taught.headline), ("Decisions", "", taught.promise)]
            ),
            ("Domains", "Flagged or decided", f"{result.decided:,} of {risks.flagged_domains:,}"),
        ]
    )
