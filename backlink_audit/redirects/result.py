"""A finished redirect map: where each old page should lead, how sure that is, what is at risk; and its tables."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import pandas as pd

from backlink_audit.glossary import TERMS
from backlink_audit.labels import CONFIDENCES, NO_GOOD_TARGET, SURE
from backlink_audit.redirects.matching import Rewriting
from backlink_audit.redirects.pages import Sites
from backlink_audit.report.rows import WholeTables, rows_of_file, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.settings import RedirectSettings
from backlink_audit.wording import count, part_of

MAP = sheet("redirects.map", lambda redirects: redirects.table)


@dataclass(frozen=True, eq=False)
class Redirects:
    """One row per old URL that the new crawl lacks, the most at risk first.

    Columns of `table`: old_url, new_url, confidence, redirect_score (0-1), reason, alternative_1, alternative_2,
    cas_at_risk (NaN without backlinks), flags, inlinks (of the old page, NaN where unknown); with a file of clicks or
    visits its figures too, and the old pages that earned most come first.
    """

    sites: Sites
    settings: RedirectSettings
    table: pd.DataFrame
    brands: tuple[str, ...]
    model: str
    knows_backlinks: bool
    rewritings: tuple[Rewriting, ...] = ()
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have each confidence, the surest first."""
        found = self.table["confidence"].value_counts()
        return {label.word: int(found.get(label.word, 0)) for label in CONFIDENCES}

    @property
    def flagged(self) -> int:
        return int((self.table["flags"] != "").sum())

    @property
    def cas_at_risk(self) -> float | None:
        return float(self.table["cas_at_risk"].sum()) if self.knows_backlinks else None

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        old = len(self.sites.old.table)
        if self.table.empty:
            return f"The new crawl has all {count(old, 'old URL')}: no redirects needed."
        counts = ", ".join(f"{number:,} {word}" for word, number in self.counts.items() if number)
        settled = self.counts[SURE.word]
        risk = f" CAS at risk: {self.cas_at_risk:,.1f}." if self.cas_at_risk else ""
        lacks = f"The new crawl does not have {part_of(len(self.table), old, 'old URL')}"
        by_rule = len({page for one in self.rewritings for page in one.pages})
        rules = f" ({by_rule:,} by {count(len(self.rewritings), 'rewriting')})" if by_rule else ""
        return f"{settled:,} of {count(len(self.table), 'redirect')} settled{rules}. {lacks}: {counts}.{risk}"


def _unsure(redirects: Redirects) -> pd.DataFrame:
    return redirects.table[(redirects.table["confidence"] == "choose") | (redirects.table["flags"] != "")]


def tables(redirects: Redirects) -> WholeTables:
    """Return the tables of the redirect map: every old URL that the new crawl lacks, and the workbook."""
    parts = {"To review": _unsure, "No good target": lambda it: it.table[it.table["confidence"] == NO_GOOD_TARGET.word]}
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
