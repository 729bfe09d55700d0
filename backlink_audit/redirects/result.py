"""A finished redirect map: where each old page should lead, how sure that is, and what is at risk."""

from dataclasses import dataclass, field
from datetime import datetime

import pandas as pd

from backlink_audit.labels import CONFIDENCES, SURE
from backlink_audit.redirects.pages import Sites
from backlink_audit.redirects.rewritings import Rewriting
from backlink_audit.settings import RedirectSettings
from backlink_audit.wording import count, part_of


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
