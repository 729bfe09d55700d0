"""The redirect map as tables for the reader: the map itself, and the sheets of the workbook."""

from dataclasses import replace

import pandas as pd

from backlink_audit.glossary import TERMS
from backlink_audit.labels import CONFIDENCES, NO_GOOD_TARGET
from backlink_audit.redirects.result import Redirects
from backlink_audit.report.rows import WholeTables, rows_of_file, rows_of_notes, sheet, summary_table, tables_of

MAP = sheet("redirects.map", lambda redirects: redirects.table)


def _unsure(redirects: Redirects) -> pd.DataFrame:
    return redirects.table[(redirects.table["confidence"] == "choose") | (redirects.table["flags"] != "")]


def _without_target(redirects: Redirects) -> pd.DataFrame:
    return redirects.table[redirects.table["confidence"] == NO_GOOD_TARGET.word]


def tables(redirects: Redirects) -> WholeTables:
    """Return the tables of the redirect map: every old URL that the new crawl lacks, and the workbook."""
    parts = {"To review": _unsure, "No good target": _without_target}
    sheets = (MAP, *(replace(MAP, name=name, rows=rows) for name, rows in parts.items()))
    return tables_of(redirects, MAP, sheets, lambda: summary(redirects))


def summary(redirects: Redirects) -> pd.DataFrame:
    """Return what was compared and what came out, as rows of Part, What and Value."""
    old, new = redirects.sites.old, redirects.sites.new
    return summary_table(
        [
            ("Redirects", "In a sentence", redirects.headline),
            ("Redirects", "Old site", old.export.name),
            ("Redirects", "New site", new.export.name),
            ("Redirects", "Created", redirects.made_at),
            *([("Redirects", "Model of the CAS at risk", redirects.model)] if redirects.model else []),
            ("Settings", "Remove from titles", ", ".join(redirects.brands) or "nothing"),
            ("Settings", "Old URLs with a query", "included" if redirects.settings.query_urls else "not included"),
            ("Settings", "Minimum confidence for redirect rules", redirects.settings.served),
            *rows_of_file(len(old.export.raw), old.removed),
            ("Rows", "Old pages", len(old.table)),
            ("Rows", "of these found in the new crawl", redirects.sites.found),
            ("Rows", "Pages of the new crawl with status 200", len(redirects.sites.living)),
            *(("Confidence", f"{one.word}: {one.meaning}", redirects.counts[one.word]) for one in CONFIDENCES),
            ("Confidence", "With a flag", redirects.flagged),
            ("Formulas", "Score", TERMS["redirect_score"].help),
            ("Formulas", "CAS at risk", TERMS["cas_at_risk"].help),
            *rows_of_notes(redirects.notes),
        ]
    )
