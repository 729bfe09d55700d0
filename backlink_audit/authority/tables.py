"""The authority of a site as tables for the reader: every page, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.authority.result import SiteAuthority
from backlink_audit.glossary import TERMS
from backlink_audit.labels import AUTHORITY_VERDICTS
from backlink_audit.report.rows import Tables, WholeTables, rows_of_notes, shown, summary_table, with_headers

PAGES = ("url", "link_score", "pagerank", "from_outside", "links_in", "links_out", "verdict", "why", "share_after")
SOURCES = ("target_url", "source_url", "source_title", "anchor", "sentence", "page_relevance", "passes")
SOURCE_WORDS = {
    "target_url": "Page that needs more authority",
    "source_url": "Link from",
    "source_title": "Link from: title",
}
WORDS = {"url": "URL"}
SCORE_DECIMALS = 1


def tables(result: SiteAuthority) -> WholeTables:
    """Return the tables of a site's authority: every page, and the workbook."""
    return Tables(lambda: pages(result), lambda: sheets(result))


def pages(result: SiteAuthority) -> pd.DataFrame:
    """Return every page under its headers, the shares as they are: they add up to 1."""
    return shown(result.pages.round({"link_score": SCORE_DECIMALS}), PAGES, WORDS)


def sheets(result: SiteAuthority) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    found = {"Summary": summary(result), "Pages": pages(result)}
    if result.what_if is not None:
        found["What if"] = with_headers(result.what_if.pages, WORDS)
    if result.sources is not None:
        found["Sources"] = shown(result.sources, SOURCES, SOURCE_WORDS)
    return found


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
