"""The link check as tables for the reader: every link with what its page says, and the sheets of the workbook."""

from dataclasses import replace

import pandas as pd

from backlink_audit.check.result import LinkCheck
from backlink_audit.labels import CHECK_STATES
from backlink_audit.report.rows import WholeTables, rows_of_file, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS

WORDS = {
    **{column.name: column.label for column in (*PAGE_FACTS.columns, *LINK_FACTS.columns)},
    "check_state": "State on the page",
    "check_note": "Details",
    "link_state": "State in the export",
    "kind": "Link type on the page",
    "external_links": "External links",
    "page_external_links": "External links on the page",
    "page_status": "HTTP status now",
    "page_title": "Title on the page",
}
MOST_TEXT = 4_000  # Characters of a page's main text in the tables: enough to know what it is about


LINKS = sheet("check.links", lambda result: result.links)
WRITTEN = replace(LINKS, headers=WORDS, rows=lambda result: _shortened(result.links))


def tables(result: LinkCheck) -> WholeTables:
    return tables_of(result, WRITTEN, (WRITTEN,), lambda: summary(result))


def _shortened(links: pd.DataFrame) -> pd.DataFrame:
    return links.assign(main_text=links["main_text"].str.slice(0, MOST_TEXT))


def summary(result: LinkCheck) -> pd.DataFrame:
    """Return what was checked and what came out, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Check", "In a sentence", result.headline),
            ("Check", "File", result.name),
            ("Check", "Created", result.made_at),
            *rows_of_file(len(result.cleaned.export.raw), result.cleaned.removed),
            *(("States", label.word, result.counts[label.word]) for label in CHECK_STATES),
            *(("Meaning", label.word, label.meaning) for label in CHECK_STATES),
            *rows_of_notes(result.notes),
        ]
    )
