"""Profiles side by side for the reader: one table with a column for each file, and the most linked pages of each."""

import pandas as pd

from backlink_audit.competitors.result import SideBySide
from backlink_audit.report.rows import Tables, WholeTables, rows_of_notes, summary_table

HEADERS = {"section": "Section", "metric": "Metric", "place": "Place"}


def tables(result: SideBySide) -> WholeTables:
    """Return the tables of profiles side by side: the figures and shares, and the workbook."""
    return Tables(lambda: result.table.rename(columns=HEADERS), lambda: sheets(result))


def sheets(result: SideBySide) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    return {
        "Summary": summary(result),
        "Side by side": result.table.rename(columns=HEADERS),
        "Most linked pages": result.most_linked.rename(columns=HEADERS),
    }


def summary(result: SideBySide) -> pd.DataFrame:
    """Return what was compared, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Competitors", "In a sentence", result.headline),
            *(("Files", "Your site" if place == 0 else "Competitor", name) for place, name in enumerate(result.names)),
            *rows_of_notes(result.notes),
        ]
    )
