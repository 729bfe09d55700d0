"""The audit of existing links as tables for the reader: every judged link, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.existing_links.result import InlinkAudit
from backlink_audit.glossary import TERMS
from backlink_audit.labels import INLINK_VERDICTS
from backlink_audit.report.rows import Tables, WholeTables, rows_of_notes, shown, summary_table, with_headers

LINKS = ("source_url", "target_url", "anchor", "position", "page_relevance", "anchor_class", "verdict", "why")
WORDS = {"source_url": "Source URL", "target_url": "Target URL", "page_relevance": "Relevance", "url": "URL"}
DECIMALS = 1


def tables(result: InlinkAudit) -> WholeTables:
    """Return the tables of the audit: every judged link, and the workbook."""
    return Tables(lambda: links(result.links), lambda: sheets(result))


def links(table: pd.DataFrame) -> pd.DataFrame:
    """Return links under their headers."""
    return shown(table.round({"page_relevance": DECIMALS}), LINKS, WORDS)


def sheets(result: InlinkAudit) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order: all links, and those of each verdict that asks for work."""
    by_verdict = {
        label.word: links(result.links[result.links["verdict"] == label.word]) for label in INLINK_VERDICTS[:-1]
    }
    return {
        "Summary": summary(result),
        "Links": links(result.links),
        **by_verdict,
        "Anchors": with_headers(result.anchors, WORDS),
        "Pages": with_headers(result.pages, WORDS),
    }


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
