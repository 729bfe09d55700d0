"""Citations in AI answers as tables for the reader."""

import pandas as pd

from backlink_audit.ai_answers.result import WHAT_THEY_ARE, AiAnswers
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of

CITED = sheet("citations.cited", lambda answers: answers.cited)
TO_ADD = sheet("citations.to_add", lambda answers: answers.links_to_add)
NEVER = sheet("citations.never", lambda answers: answers.never_cited)
QUERIES = sheet("citations.queries", lambda answers: answers.queries)
SHEETS = (
    CITED,
    sheet("citations.hardly_linked", lambda answers: answers.hardly_linked),
    TO_ADD,
    NEVER,
    QUERIES,
    sheet("citations.without_page", lambda answers: answers.without_page),
    sheet("citations.changes", lambda answers: answers.changes),
    sheet("citations.topics", lambda answers: answers.topics),
    sheet("citations.by_date", lambda answers: answers.by_date),
    sheet("citations.bots", lambda answers: answers.bots if len(answers.bots) else None),
)


def tables(result: AiAnswers) -> WholeTables:
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
