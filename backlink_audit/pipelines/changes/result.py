"""Finished changes: what is new, lost, kept or changed between two exports of one site, and what it is worth."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit.analysis.changes.figures import months, most_important_first, roll_up, verdict_moves
from backlink_audit.analysis.scales import rating_labels
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import CHANGE_LABELS, KEPT, LOST
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.wording import by_number, count

SCORED = ("cas_before", "cas_after", "verdict_before", "verdict_after", "cas_gained", "cas_lost")
"""The columns of `links` that need an audit of both files."""


@dataclass(frozen=True, eq=False)
class Changes:
    """What changed between two exports of one site.

    `links` has one row per link (`links.compare_links`, and SCORED where both files were audited); it is
    None where a file lists domains only. `domains` has one row per referring domain. `notes` are sentences about what
    could not be compared.
    """

    older: Export
    newer: Export
    links: pd.DataFrame | None
    domains: pd.DataFrame
    audits: tuple[Audit, Audit] | None = None
    notes: tuple[str, ...] = ()
    period: tuple[pd.Timestamp, pd.Timestamp] | None = None
    """The last days that the older and the newer file know of; None where they know of none."""
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def rows(self) -> pd.DataFrame:
        """What was compared: the links, or the domains where a file lists nothing else."""
        return self.domains if self.links is None else self.links

    @property
    def noun(self) -> str:
        """What a row of `rows` is: link or domain."""
        return "domain" if self.links is None else "link"

    @cached_property
    def ranked(self) -> pd.DataFrame:
        """`rows` with lost ones first, then new, changed and kept; in each, the largest changes of CAS first."""
        return most_important_first(self.rows)

    @cached_property
    def authority_labels(self) -> dict[str, str]:
        """What the exports call url_rating and domain_rating."""
        return rating_labels(self.domains["scale"] if self.links is None else self.links["scale"])

    @property
    def counts(self) -> dict[str, int]:
        """How many links (domains, where a file lists nothing else) are new, lost, changed and kept."""
        return _counts(self.rows)

    @property
    def domain_counts(self) -> dict[str, int]:
        """How many referring domains are new, lost, changed and kept."""
        return _counts(self.domains)

    @property
    def lost_before(self) -> int:
        """How many of the lost and kept links the older file already marks as lost."""
        if self.links is None:
            return 0
        return int((self.links["was_lost"] & self.links["change"].isin([LOST.word, KEPT.word])).sum())

    @property
    def cas_gained(self) -> float | None:
        """CAS gained with new and stronger links; None where the files were not audited."""
        return None if self.links is None or self.audits is None else float(self.links["cas_gained"].sum())

    @property
    def cas_lost(self) -> float | None:
        """CAS lost with lost and weaker links; None where the files were not audited."""
        return None if self.links is None or self.audits is None else float(self.links["cas_lost"].sum())

    @cached_property
    def months(self) -> pd.DataFrame:
        """New and lost links per month between the two files (`analysis.changes.figures.months`)."""
        nothing = pd.DataFrame(columns=["change", "first_seen", "last_seen", "lost_date"])
        return months(nothing if self.links is None else self.links, *(self.period or ()))

    @cached_property
    def targets(self) -> pd.DataFrame:
        """What happened to the links of each target page, most lost first (`analysis.changes.figures.roll_up`)."""
        if self.links is None:
            return roll_up(pd.DataFrame(columns=["target_url", "change"]), "target_url")
        one_spelling = self.links.groupby("target_key")["target_url"].transform("first")
        return roll_up(self.links.assign(target_url=one_spelling), "target_url")

    @cached_property
    def verdict_moves(self) -> pd.DataFrame:
        """How many links went from one verdict to another; empty where the files were not audited."""
        if self.links is None or self.audits is None:
            return pd.DataFrame({"verdict_before": [], "verdict_after": [], "links": []})
        return verdict_moves(self.links)

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        counts = self.counts
        if not any(counts[label.word] for label in CHANGE_LABELS if label is not KEPT):
            unchanged = f"all {counts[KEPT.word]:,} {self.noun}s are the same"
            return f"Nothing changed: {by_number(counts[KEPT.word], f'the one {self.noun} is as it was', unchanged)}."
        first, *others, last = CHANGE_LABELS
        sentence = ", ".join(
            [count(counts[first.word], f"{first.word} {self.noun}")]
            + [f"{counts[label.word]:,} {label.word}" for label in others]
        )
        sentence += f" and {counts[last.word]:,} {last.word}"
        if self.cas_gained is not None and self.cas_lost is not None:
            return f"{sentence}; {self.cas_gained:,.1f} CAS gained and {self.cas_lost:,.1f} lost."
        return f"{sentence}."

    def gone_links(self) -> pd.DataFrame | None:
        """Return the scored links that only the older file has, as its audit knows them; None without an audit."""
        if self.links is None or self.audits is None:
            return None
        gone = self.links[self.links["newer_row"].isna() & ~self.links["was_lost"]]
        return self.audits[0].links.loc[gone["older_row"].astype("int64")]


def _counts(rows: pd.DataFrame) -> dict[str, int]:
    counts = rows["change"].value_counts()
    return {label.word: int(counts.get(label.word, 0)) for label in CHANGE_LABELS}
