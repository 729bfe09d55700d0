"""The authority of a site as tables for the reader: every page, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.authority.result import SiteAuthority
from backlink_audit.glossary import TERMS
from backlink_audit.labels import AUTHORITY_VERDICTS
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of

PAGES = sheet("authority.pages", lambda result: result.pages)
WHAT_IF = sheet("authority.what_if", lambda result: result.what_if and result.what_if.pages)
SOURCES = sheet("authority.sources", lambda result: result.sources)


def tables(result: SiteAuthority) -> WholeTables:
    return tables_of(result, PAGES, (PAGES, WHAT_IF, SOURCES), lambda: summary(result))


def summary(result: SiteAuthority) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    graph = result.graph
    weight = result.settings.outside_content if graph.knows_positions else "1 (link positions are unknown)"
    return summary_table(
        [
            ("Run", "File", graph.name),
            ("Run", "Created", result.made_at),
            ("Settings", "Weight of links outside the content", weight),
            ("Rows", "Internal links", len(graph.links)),
            *(("Rows", f"Excluded: {reason}", rows) for reason, rows in graph.left_out.items()),
            ("Result", "In a sentence", result.headline),
            ("Result", "Pages", len(result.pages)),
            *(("Result", label.word, result.verdict_counts[label.word]) for label in AUTHORITY_VERDICTS),
            *([("Result", "What if", result.what_if.sentence)] if result.what_if else []),
            *rows_of_notes(result.notes),
            *(("Formulas", TERMS[name].label, TERMS[name].help) for name in ("link_score", "pagerank", "from_outside")),
        ]
    )
