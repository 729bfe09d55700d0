"""What a search found as tables for the reader."""

from dataclasses import replace

from backlink_audit.report.rows import Tables, WholeTables, sheet
from backlink_audit.schema import PAGES
from backlink_audit.search.result import Found

FOUND = sheet("search.found", lambda found: found.table)


def tables(found: Found) -> WholeTables:
    """Return the found rows as tables, best match first."""
    words = {column.name: column.label for column in PAGES.columns} if found.noun == "page" else {}
    table = replace(FOUND, headers=words).written(found.table, found)
    return Tables(lambda: table, lambda: {FOUND.name: table})
