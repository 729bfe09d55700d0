"""Two snapshots of a project: which links are new, lost, changed and kept, as `changes` says of their two files."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.changes.links import compare_links
from backlink_audit.changes.result import most_important_first, verdict_moves
from backlink_audit.changes.run import by_domain, in_both, with_scores
from backlink_audit.errors import StoreProblem
from backlink_audit.judgement.scales import rating_labels
from backlink_audit.labels import CHANGE_LABELS, LOST, NEW, PROTECT
from backlink_audit.projects.projects import Project
from backlink_audit.projects.snapshots import Snapshot, every_row, scored_links
from backlink_audit.projects.store import Store
from backlink_audit.projects.store_tables import COMPARISONS, SNAPSHOTS, plain
from backlink_audit.wording import count


@dataclass(frozen=True, eq=False)
class Comparison:
    """What changed from one snapshot to another.

    `links` has one row per link (`analysis.changes.links.compare_links`, with the CAS and verdicts of both audits).
    """

    older: Snapshot
    newer: Snapshot
    links: pd.DataFrame

    @cached_property
    def domains(self) -> pd.DataFrame:
        return by_domain(self.links)

    @property
    def lost_to_protect(self) -> pd.DataFrame:
        """The lost links that the older audit found worth protecting, the one with the best CAS first."""
        lost = self.links[(self.links["change"] == LOST.word) & (self.links["verdict_before"] == PROTECT.word)]
        return lost.sort_values("cas_before", ascending=False, kind="stable", na_position="last")

    @cached_property
    def ranked(self) -> pd.DataFrame:
        return most_important_first(self.links)

    @cached_property
    def authority_labels(self) -> dict[str, str]:
        return rating_labels(self.links["scale"])

    @cached_property
    def verdict_moves(self) -> pd.DataFrame:
        return verdict_moves(self.links)

    @property
    def headline(self) -> str:
        return f"From {self.older.day} to {self.newer.day}: {self.moves}."

    @property
    def moves(self) -> str:
        """What came and went, in words."""
        figures = self.figures
        return (
            f"{count(figures['new_links'], 'new link')} and {figures['lost_links']:,} lost, "
            f"{count(figures['new_domains'], 'new referring domain')} and {figures['lost_domains']:,} lost"
        )

    @property
    def new_domains(self) -> int:
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
            "changed_verdicts": int(self.verdict_moves["links"].sum()),
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


def kept_figures(store: Store, project: Project) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the figures of every comparison of a project that was made already, by the older and the newer id."""
    newer = sa.and_(SNAPSHOTS.c.id == COMPARISONS.c.newer_id, SNAPSHOTS.c.project_id == project.id)
    query = sa.select(COMPARISONS.c.older_id, COMPARISONS.c.newer_id, COMPARISONS.c.figures).join(SNAPSHOTS, newer)
    with store.reading() as connection:
        return {(int(older), int(newer)): figures for older, newer, figures in connection.execute(query)}


def _keep(store: Store, result: Comparison) -> None:
    pair = {"older_id": result.older.id, "newer_id": result.newer.id}
    same = sa.and_(COMPARISONS.c.older_id == pair["older_id"], COMPARISONS.c.newer_id == pair["newer_id"])
    both = sa.select(SNAPSHOTS.c.id).where(SNAPSHOTS.c.id.in_(pair.values())).order_by(SNAPSHOTS.c.id)
    with store.writing() as connection:
        if len(connection.execute(both.with_for_update()).all()) < len(pair):  # nobody else writes this pair now
            raise StoreProblem("One of the two snapshots was deleted in another window.")
        connection.execute(sa.delete(COMPARISONS).where(same))
        connection.execute(sa.insert(COMPARISONS).values(pair | {"figures": result.figures}))
