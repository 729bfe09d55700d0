"""Profiles side by side for the reader: one table with a column for each file, and the most linked pages of each."""

import pandas as pd

from backlink_audit.competitors.result import SideBySide
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of

FIGURES = sheet("competitors.figures", lambda result: result.table, lambda result: result.own_names)
LINKED = sheet("competitors.linked", lambda result: result.most_linked, lambda result: result.own_names)


def tables(result: SideBySide) -> WholeTables:
    return tables_of(result, FIGURES, (FIGURES, LINKED), lambda: summary(result))


def summary(result: SideBySide) -> pd.DataFrame:
    """Return what was compared, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Competitors", "In a sentence", result.headline),
            *(("Files", "Your site" if place == 0 else "Competitor", name) for place, name in enumerate(result.names)),
            *rows_of_notes(result.notes),
        ]
    )
