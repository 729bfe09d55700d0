"""Citations in AI answers as tables for the reader."""

import pandas as pd

from backlink_audit.ai_answers.result import WHAT_THEY_ARE, AiAnswers
from backlink_audit.report.rows import Tables, WholeTables, rows_of_notes, shown, summary_table

PAGES = (
    *("url", "title", "citations", "cited_before", "cited_change", "clicks", "link_score", "links_in"),
    *("linking_domains", "bot_visits", "topic_field"),
)
QUERIES = (
    *("query", "citations", "cited_before", "cited_change", "answered", "page_title", "page_url", "query_similarity"),
    *("intent", "query_topic"),
)
BOTS = ("bot", "bot_verified", "page_path", "answer_status", "visits", "redirect_to")
LINKS_TO_ADD = ("source_title", "target_title", "similarity", "source_url", "target_url")


def tables(result: AiAnswers) -> WholeTables:
    """Return the tables of a result: the cited pages, and the workbook."""
    return Tables(lambda: shown(result.cited, PAGES), lambda: sheets(result))


def sheets(result: AiAnswers) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    named = {
        "Summary": _summary(result),
        "Cited pages": shown(result.cited, PAGES),
        "Cited, hardly linked": shown(result.hardly_linked, PAGES),
        "Links to add": shown(result.links_to_add, LINKS_TO_ADD),
        "Never cited": shown(result.never_cited, PAGES),
        "Queries": shown(result.queries, QUERIES),
        "Queries without a page": shown(result.without_page, QUERIES),
        "Changes": shown(result.changes, PAGES),
        "Topics": shown(result.topics, ("topic_field", "pages", "citations", "share")),
        "By date": shown(result.by_date, ("cited_on", "citations", "cited_pages")),
    }
    if len(result.bots):
        named["Bots"] = shown(
            result.bots, ("bot", "bot_verified", "page_path", "answer_status", "visits", "redirect_to")
        )
    return named


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
