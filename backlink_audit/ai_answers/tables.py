"""Citations in AI answers as tables for the reader."""

import pandas as pd

from backlink_audit.ai_answers.result import WHAT_THEY_ARE, AiAnswers
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of

CITED = sheet("ai.cited", lambda result: result.cited)
LINKS = sheet("ai.links", lambda result: result.links_to_add)
NEVER = sheet("ai.never", lambda result: result.never_cited)
QUERIES = sheet("ai.queries", lambda result: result.queries)
SHEETS = (
    CITED,
    sheet("ai.hardly", lambda result: result.hardly_linked),
    LINKS,
    NEVER,
    QUERIES,
    sheet("ai.unanswered", lambda result: result.without_page),
    sheet("ai.changes", lambda result: result.changes),
    sheet("ai.topics", lambda result: result.topics),
    sheet("ai.dates", lambda result: result.by_date),
    sheet("ai.bots", lambda result: result.bots if len(result.bots) else None),
)


def tables(result: AiAnswers) -> WholeTables:
    """Return the tables of a result: the cited pages, and the workbook."""
    return tables_of(result, CITED, SHEETS, lambda: _summary(result))


def _summary(result: AiAnswers) -> pd.DataFrame:
    return summary_table(
        [
            ("AI answers", "In a sentence", result.headline),
            ("AI answers", "File", result.name),
            ("AI answers", "Created", result.made_at),
            *(("Figures", name, "" if value is None else value) for name, value, _ in result.figures),
            *rows_of_notes([WHAT_THEY_ARE, *result.notes]),
        ]
    )
