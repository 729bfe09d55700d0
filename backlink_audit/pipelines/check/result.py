"""Checked links, as a result that answers for itself."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit.analysis.link_check import GONE, NO_CONCLUSION
from backlink_audit.exports.clean import Cleaned
from backlink_audit.labels import CHECK_STATES
from backlink_audit.wording import count


@dataclass(frozen=True, eq=False)
class LinkCheck:
    """The links of an export, each with what its referring page says (`analysis.link_check`)."""

    cleaned: Cleaned
    links: pd.DataFrame
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def name(self) -> str:
        """The name of the export."""
        return self.cleaned.export.name

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        states = self.links["check_state"]
        gone, open_ones = int(states.isin(GONE).sum()), int(states.isin(NO_CONCLUSION).sum())
        there = len(states) - gone - open_ones
        return (
            f"{count(len(states), 'link')} checked: {there:,} there, {gone:,} gone, {open_ones:,} without a conclusion."
        )

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many links have each state, those that none has included."""
        found = self.links["check_state"].value_counts()
        return {label.word: int(found.get(label.word, 0)) for label in CHECK_STATES}
