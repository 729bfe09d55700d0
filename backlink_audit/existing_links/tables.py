"""The audit of existing links as tables for the reader: every judged link, and the sheets of the workbook."""

from dataclasses import replace

import pandas as pd

from backlink_audit.existing_links.result import InlinkAudit
from backlink_audit.glossary import TERMS
from backlink_audit.labels import INLINK_VERDICTS
from backlink_audit.report.rows import Sheet, WholeTables, rows_of_notes, sheet, summary_table, tables_of

LINKS = sheet("existing.links", lambda result: result.links)
ANCHORS = sheet("existing.anchors", lambda result: result.anchors)
PAGES = sheet("existing.pages", lambda result: result.pages)


def _of_verdict(word: str) -> Sheet:
    return replace(LINKS, name=word, rows=lambda result: result.links[result.links["verdict"] == word])


def tables(result: InlinkAudit) -> WholeTables:
    """Return the tables of the audit: every judged link, and the workbook with those of each verdict to work on."""
    by_verdict = (_of_verdict(label.word) for label in INLINK_VERDICTS[:-1])
    return tables_of(result, LINKS, (LINKS, *by_verdict, ANCHORS, PAGES), lambda: summary(result))


def summary(result: InlinkAudit) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    settings, graph = result.settings, result.graph
    return summary_table(
        [
            ("Run", "File", graph.name),
            ("Run", "Created", result.made_at),
            ("Run", "Model", result.model),
            ("Settings", "Links checked", "in the content" if result.in_content else "anywhere on the page"),
            ("Settings", "Off-topic below", settings.off_topic_below),
            ("Settings", "Links with the same anchor, minimum", settings.same_anchor),
            ("Rows", "Internal links", len(graph.links)),
            *(("Rows", f"Excluded: {reason}", rows) for reason, rows in graph.left_out.items()),
            ("Result", "In a sentence", result.headline),
            ("Result", "Links checked", len(result.links)),
            *(("Result", label.word, result.verdict_counts[label.word]) for label in INLINK_VERDICTS),
            *rows_of_notes(result.notes),
            ("Formulas", TERMS["page_relevance"].label, TERMS["page_relevance"].help),
        ]
    )
