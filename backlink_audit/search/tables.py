"""What a search found as tables for the reader."""

from backlink_audit.report.rows import Tables, WholeTables, shown
from backlink_audit.schema import PAGES
from backlink_audit.search.result import Found

COLUMNS = (
    *("match", "query_similarity", "referring_url", "referring_title", "anchor", "target_url", "url", "title", "h1"),
    *("domain_rating", "url_rating", "first_seen", "lost_date", "http_status", "verdict", "relevance"),
)
"""Columns of a found row, of those that it has."""


def tables(found: Found) -> WholeTables:
    """Return the found rows as tables, best match first."""
    words = {column.name: column.label for column in PAGES.columns} if found.noun == "page" else {}
    return Tables(lambda: shown(found.table, COLUMNS, words), lambda: {"Found": shown(found.table, COLUMNS, words)})
