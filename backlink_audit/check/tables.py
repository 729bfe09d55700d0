"""The link check as tables for the reader: every link with what its page says, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.check.result import LinkCheck
from backlink_audit.labels import CHECK_STATES
from backlink_audit.report.rows import Tables, WholeTables, rows_of_file, rows_of_notes, shown, summary_table
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS

LINKS = (
    *("check_state", "check_note", "referring_url", "target_url", "anchor", "page_anchor", "place"),
    *("text_before", "text_after", "heading", "link_state", "nofollow", "page_nofollow", "ugc", "page_ugc"),
    *("sponsored", "page_sponsored", "external_links", "page_external_links", "kind", "through", "page_status"),
    *("final_url", "checked_at", "referring_title", "page_title", "main_text"),
)
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
MOST_TEXT = 4_000
"""Characters of a page's main text in the tables: enough to know what it is about."""


def tables(result: LinkCheck) -> WholeTables:
    """Return the tables of a check: every link, and the workbook."""
    return Tables(lambda: links(result), lambda: sheets(result))


def links(result: LinkCheck) -> pd.DataFrame:
    """Return every link under its headers."""
    short = result.links.assign(main_text=result.links["main_text"].str.slice(0, MOST_TEXT))
    return shown(short, LINKS, WORDS)


def sheets(result: LinkCheck) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    return {"Summary": summary(result), "Links": links(result)}


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
