"""Two snapshots of a project: which links are new, lost, changed and kept, as `changes` says of their two files."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.analysis.changes import compare_links
from backlink_audit.analysis.changes_in_figures import verdict_moves
from backlink_audit.labels import CHANGE_LABELS, LOST, NEW, PROTECT
from backlink_audit.pipelines.changes.pairs import in_both
from backlink_audit.pipelines.changes.run import by_domain, with_scores
from backlink_audit.projects.connection import Store
from backlink_audit.projects.packed import plain
from backlink_audit.projects.schema_of_store import COMPARISONS
from backlink_audit.projects.snapshots import Snapshot, every_row, scored_links


@dataclass(frozen=True, eq=False)
class Comparison:
    """What changed from one snapshot to another.

    `links` holds one row per link (`analysis.changes.compare_links`, with the CAS and verdicts of both audits).
    """

    older: Snapshot
    newer: Snapshot
    links: pd.DataFrame

    @cached_property
    def domains(self) -> pd.DataFrame:
        """One row per referring domain, most lost links first."""
        return by_domain(self.links)

    @property
    def lost_to_protect(self) -> pd.DataFrame:
        """The lost links that the older audit found worth protecting, the one with the best CAS first."""
        lost = self.links[(self.links["change"] == LOST.word) & (self.links["verdict_before"] == PROTECT.word)]
        return lost.sort_values("cas_before", ascending=False, kind="stable", na_position="last")

    @property
    def new_domains(self) -> int:
        """How many referring domains have new links only."""
        return int((self.domains["change"] == NEW.word).sum())

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The comparison in figures, as plain data."""
        counts, domains = self.links["change"].value_counts(), self.domains["change"].value_counts()
        words = [label.word for label in CHANGE_LABELS]
        found = {
            "since": self.older.day.isoformat(),
            **{f"{word}_links": int(counts.get(word, 0)) for word in words},
            **{f"{word}_domains": int(domains.get(word, 0)) for word in words},
            "cas_gained": float(self.links["cas_gained"].sum()),
            "cas_lost": float(self.links["cas_lost"].sum()),
            "protect_lost": len(self.lost_to_protect),
            "changed_verdicts": int(verdict_moves(self.links)["links"].sum()),
        }
        return {name: plain(value) for name, value in found.items()}


def compare(store: Store, older: Snapshot, newer: Snapshot) -> Comparison:
    """Compare two snapshots, and keep the figures in the store for the next time. Raises StoreProblem."""
    first, second = scored_links(store, older), scored_links(store, newer)
    rows = every_row(store, older, first), every_row(store, newer, second)
    links, _ = with_scores(compare_links(*rows, in_both(older.columns, newer.columns)), first, second)
    result = Comparison(older, newer, links)
    _keep(store, result)
    return result


def kept_figures(store: Store, newer: Snapshot) -> dict[int, dict[str, Any]]:
    """Return the figures of every comparison of a snapshot with an older one that was made already, by the older id."""
    query = sa.select(COMPARISONS.c.older_id, COMPARISONS.c.figures).where(COMPARISONS.c.newer_id == newer.id)
    with store.reading() as connection:
        return {int(older): figures for older, figures in connection.execute(query)}


def _keep(store: Store, result: Comparison) -> None:
    pair = {"older_id": result.older.id, "newer_id": result.newer.id}
    same = sa.and_(COMPARISONS.c.older_id == pair["older_id"], COMPARISONS.c.newer_id == pair["newer_id"])
    with store.writing() as connection:
        connection.execute(sa.delete(COMPARISONS).where(same))
        connection.execute(sa.insert(COMPARISONS).values(pair | {"figures": result.figures}))
