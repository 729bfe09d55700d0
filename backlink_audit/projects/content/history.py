"""The history of a project: its figures over the snapshots, what came and went between them, and the time before."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from backlink_audit.labels import VERDICTS
from backlink_audit.progress import Progress, silent
from backlink_audit.projects.content.comparison import compare, kept_figures
from backlink_audit.projects.content.figures import months_of
from backlink_audit.projects.content.projects import Project
from backlink_audit.projects.content.snapshots import Snapshot, every_snapshot
from backlink_audit.projects.store.connection import Store
from backlink_audit.report.figures import EARNED, EARNED_KEY, LABELS
from backlink_audit.wording import count

MOVES = {
    "links_new": "new_links",
    "links_lost": "lost_links",
    "new_domains": "new_domains",
    "lost_domains": "lost_domains",
    "protect_lost": "protect_lost",
}
"""Columns of the history on what moved since the snapshot before, and what `Comparison.figures` calls them."""


@dataclass(frozen=True, eq=False)
class History:
    """A project's snapshots, the oldest first, and the figures of each one's comparison with the one before."""

    snapshots: tuple[Snapshot, ...]
    moves: Mapping[int, Mapping[str, Any]]
    """`Comparison.figures` by the newer snapshot's id, as far as they were compared."""

    @cached_property
    def figures(self) -> pd.DataFrame:
        """One row per snapshot: day, file, figures (`LABELS`, `EARNED`), authority_name, verdicts, and MOVES."""
        rows = [
            {"day": pd.Timestamp(one.day), "file": one.origin["file"], "authority_name": one.figures["authority_name"]}
            | {name: one.figures.get(name) for name in LABELS}
            | {name: one.figures.get(EARNED_KEY, {}).get(name) for name in EARNED}
            | {label.word: one.figures["verdicts"].get(label.word, 0) for label in VERDICTS}
            | {name: self.moves.get(one.id, {}).get(figure) for name, figure in MOVES.items()}
            for one in self.snapshots
        ]
        table = pd.DataFrame(rows)
        numbers = [name for name in table if name not in ("day", "file", "authority_name")]
        return table.astype(dict.fromkeys(numbers, "float64"))

    @property
    def earned(self) -> dict[str, str]:
        """What of clicks and visits any snapshot has: its column and its word; the one that says most comes first."""
        return {name: label for name, label in EARNED.items() if self.figures[name].notna().any()}

    @cached_property
    def months(self) -> pd.DataFrame:
        """New and lost referring domains by month, by the dates in the newest file (`Profile.months`)."""
        return months_of(self.snapshots[-1].figures)

    @cached_property
    def before(self) -> pd.DataFrame:
        """Return the months before the first snapshot: month (its last day) and domains, the referring domains then.

        By the dates in the first snapshot's file, so of the domains that it still knows. Empty where it has none.
        """
        first = self.snapshots[0]
        months = months_of(first.figures)
        if "new_domains" not in months:
            return pd.DataFrame({"month": pd.to_datetime([]), "domains": pd.Series(dtype="int64")})
        lost = months["lost_domains"] if "lost_domains" in months else 0
        ends = months["month"] + pd.offsets.MonthEnd()
        table = pd.DataFrame({"month": ends, "domains": (months["new_domains"] - lost).cumsum()})
        return table[ends < pd.Timestamp(first.day)]

    @property
    def uncompared(self) -> int:
        """How many snapshots were not compared with the one before them yet."""
        return sum(one.id not in self.moves for one in self.snapshots[1:])

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        first, last = self.snapshots[0], self.snapshots[-1]
        now = f"{count(last.figures['domains'], 'referring domain')} on {last.day}"
        if len(self.snapshots) == 1:
            return f"One snapshot: {now}."
        more = last.figures["domains"] - first.figures["domains"]
        moved = "as many as" if not more else f"{abs(more):,} {'more' if more > 0 else 'fewer'} than"
        return f"{now}, {moved} on {first.day}, in {len(self.snapshots)} snapshots."


def history(store: Store, project: Project) -> History | None:
    """Return the history of a project as the store has it, without reading a link; None without a snapshot."""
    snapshots = every_snapshot(store, project)
    if not snapshots:
        return None
    kept = kept_figures(store, project)
    pairs = zip(snapshots, snapshots[1:], strict=False)
    moves = {newer.id: kept[older.id, newer.id] for older, newer in pairs if (older.id, newer.id) in kept}
    return History(tuple(snapshots), moves)


def compare_neighbours(store: Store, history: History, on_progress: Progress = silent) -> int:
    """Compare each snapshot with the one before where that was not done yet, and keep the figures; return how many."""
    pairs = [
        (older, newer)
        for older, newer in zip(history.snapshots, history.snapshots[1:], strict=False)
        if newer.id not in history.moves
    ]
    for done, (older, newer) in enumerate(pairs):
        on_progress("Comparing snapshots", done, len(pairs))
        compare(store, older, newer)
    return len(pairs)
