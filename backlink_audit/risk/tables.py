"""The risk review as tables for the reader: every domain with its state, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.judgement.risk_signals import SIGNALS
from backlink_audit.report.rows import Tables, WholeTables, rows_of_file, sheet, summary_table
from backlink_audit.risk.result import RiskReview, flagged
from backlink_audit.risk.run import Lesson, lesson

DOMAINS = sheet("risk.domains", lambda result: result.domains)
LINKS = sheet("risk.links", lambda result: result.rows("URL"), lambda _: {one.name: one.label for one in SIGNALS})
SIGNAL_COUNTS = sheet(
    "risk.signals",
    lambda result: result.risks.signal_counts.drop(columns="name"),
    lambda _: {"label": "Signal", "meaning": "Meaning"},
)
SECOND = sheet("risk.second", lambda result: result.risks.second_opinions)
PASSED = sheet("risk.passed", lambda result: result.risks.passed)
CAMPAIGN = sheet("risk.campaign", lambda result: result.rows("URL"))
TO_READ = sheet("risk.to_read", lambda taught: taught.to_read)
CHANGES = sheet("risk.changes", lambda new: new.changes)
GOOD = sheet("risk.good", lambda sent: sent.good)
STILL = sheet("risk.still", lambda sent: sent.domains)


def tables(result: RiskReview) -> WholeTables:
    return Tables(lambda: DOMAINS.written(result.domains, result), lambda: sheets(result))


def sheets(result: RiskReview) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order; only domains and links that are flagged."""
    links = result.rows("URL")
    second, taught = result.risks.second_opinions, lesson(result)
    if taught is not None:
        links = links.join(taught.links[["keep", "certainty"]])
    return {
        "Summary": summary(result, taught),
        SIGNAL_COUNTS.name: SIGNAL_COUNTS.written(SIGNAL_COUNTS.rows(result), result),
        DOMAINS.name: DOMAINS.written(flagged(result.domains), result),
        LINKS.name: LINKS.written(flagged(links), result),
        "Review": result.review.to_table(),
        **({} if second.empty else {SECOND.name: SECOND.written(second, result)}),
        **({} if taught is None else {TO_READ.name: TO_READ.written(taught.to_read, taught)}),
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
