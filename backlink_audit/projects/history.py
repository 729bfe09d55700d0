"""The history of a project: its figures over the snapshots, and what changed from one to another."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.changes.links import compare_links
from backlink_audit.changes.result import most_important_first, verdict_moves
from backlink_audit.changes.run import by_domain, in_both, with_scores
from backlink_audit.check.run import CHANGES, with_former
from backlink_audit.errors import StoreProblem, WrongExport
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.referring_page_crawl import RELS
from backlink_audit.judgement.scales import rating_labels
from backlink_audit.labels import CHANGE_LABELS, LOST, NEW, PROTECT, VERDICTS
from backlink_audit.progress import Progress, silent
from backlink_audit.projects.project_files import CHECKS
from backlink_audit.projects.projects import Project, lock
from backlink_audit.projects.snapshots import Snapshot, every_row, every_snapshot, months_of, scored_links
from backlink_audit.projects.store import (
    COMPARISONS,
    FILES,
    PROJECTS,
    SNAPSHOTS,
    Store,
    pack_bytes,
    plain,
    unpack_bytes,
    unpacking,
)
from backlink_audit.report.client import EARNED, EARNED_KEY, LABELS
from backlink_audit.site.pages import common_host, page_figures
from backlink_audit.wording import count

MOVES = {
    "links_new": "new_links",
    "links_lost": "lost_links",
    "new_domains": "new_domains",
    "lost_domains": "lost_domains",
    "protect_lost": "protect_lost",
}
"""Columns of the history on what moved since the snapshot before, and what `Comparison.figures` calls them."""
FLAGS = [f"page_{name}" for name in RELS]
KEPT = ["referring_url", "target_url", "anchor", "check_state", *FLAGS]  # what is kept of each link
LISTED = 20  # links of each change that are listed; the table has all


@dataclass(frozen=True, eq=False)
class Comparison:
    """What changed from one snapshot to another."""

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
        return {name: label for name, label in EARNED.items() if self.figures[name].notna().any()}

    @cached_property
    def months(self) -> pd.DataFrame:
        return months_of(self.snapshots[-1].figures)

    @cached_property
    def before(self) -> pd.DataFrame:
        """Return the months before the first snapshot, by the dates in its file: month and domains then."""
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


def earned_of(performance: Export, site: str) -> dict[str, Any]:
    """Return what the pages in a file of clicks or visits earn together.

    file, fingerprint, pages (how many), and each of `EARNED` that the file has, a whole number. `site`: the
    registrable domain that the project is about; paths are taken for its own. Raises WrongExport for another site's,
    and for one that has none of these figures.
    """
    table = page_figures(performance.table, site)
    host = common_host(table["page"])
    if host != site and not host.endswith(f".{site}"):
        raise WrongExport(performance.name, f"its pages are from {host or 'no site'}, but the project is about {site}.")
    sums = {name: int(table[name].sum()) for name in EARNED if table[name].notna().any()}
    if not sums:
        raise WrongExport(performance.name, "it has neither clicks nor visits.")
    return {"file": performance.name, "fingerprint": performance.fingerprint, "pages": len(table)} | sums


def keep_earned(
    store: Store, project: Project, snapshot: Snapshot, performance: Export, *, replace: bool
) -> dict[str, Any]:
    """Keep with a snapshot what the pages earned; return it.

    `replace`: in place of what was kept there before, as somebody asked for; else that stays. Raises WrongExport for a
    file of another site; StoreProblem where the file is kept with another snapshot already, another file with this one
    and is not replaced, or the snapshot was deleted.
    """
    site = sa.select(PROJECTS.c.site).where(PROJECTS.c.id == project.id)
    query = sa.select(SNAPSHOTS.c.id, SNAPSHOTS.c.day, SNAPSHOTS.c.figures).where(SNAPSHOTS.c.project_id == project.id)
    with store.writing() as connection:
        lock(connection, project)
        found = earned_of(performance, connection.execute(site).scalar_one())
        rows = {row["id"]: row for row in connection.execute(query).mappings()}
        if snapshot.id not in rows:
            raise StoreProblem(f"The snapshot of {snapshot.day} was deleted in another window; nothing was saved.")
        for row in rows.values():
            if (
                row["id"] != snapshot.id
                and row["figures"].get(EARNED_KEY, {}).get("fingerprint") == found["fingerprint"]
            ):
                raise StoreProblem(
                    f"{performance.name} is already saved with the snapshot of {row['day']}, and each file belongs "
                    f"to only one snapshot. Load the file for {snapshot.day}."
                )
        former = rows[snapshot.id]["figures"].get(EARNED_KEY, found)
        if not replace and former["fingerprint"] != found["fingerprint"]:
            raise StoreProblem(
                f"The snapshot of {snapshot.day} already has the clicks and visits of {former['file']}; "
                f"{performance.name} did not replace them. You can replace them on the page History, tab Snapshots."
            )
        values = {"figures": rows[snapshot.id]["figures"] | {EARNED_KEY: found}}
        connection.execute(sa.update(SNAPSHOTS).where(SNAPSHOTS.c.id == snapshot.id).values(values))
    return found


def source_in_words(figures: Mapping[str, Any]) -> str:
    """Say which file the clicks or visits of a snapshot come from; "" where none is kept."""
    found = figures.get(EARNED_KEY)
    return f"{found['file']}, {count(found['pages'], 'page')}" if found else ""


@dataclass(frozen=True, eq=False)
class CheckNews:
    """What a check found beside the one before. `links`: KEPT and change; `since`: its day, None for the first one."""

    links: pd.DataFrame
    since: date | None

    @property
    def counts(self) -> dict[str, int]:
        """How many links each change has; those that none has are left out."""
        found = {name: int(self._with(name).sum()) for name in CHANGES}
        return {name: number for name, number in found.items() if number}

    @property
    def sentences(self) -> list[str]:
        """What changed in words: one sentence for all, then a line for each link."""
        if self.since is None:
            return [f"The first link check of this project: {count(len(self.links), 'link')}."]
        if not self.counts:
            return [f"Since the link check of {self.since}: no link changed."]
        counted = ", ".join(f"{number:,} {name}" for name, number in self.counts.items())
        return [f"Since the link check of {self.since}: {counted}.", *self._lines()]

    def _lines(self) -> list[str]:
        lines = []
        for name, number in self.counts.items():
            rows = self.links[self._with(name)].head(LISTED)
            ends = zip(rows["referring_url"], rows["target_url"], strict=True)
            lines += [f"{name.capitalize()}: {page} to {target}" for page, target in ends]
            if number > LISTED:
                lines.append(f"{name.capitalize()}: and {number - LISTED:,} more.")
        return lines

    def _with(self, name: str) -> pd.Series:
        return self.links["change"].str.split(", ").map(lambda changes: name in changes).astype(bool)


def keep_check(store: Store, project: Project, checked: pd.DataFrame, day: date) -> CheckNews:
    """Keep what a check found (`check_links`) under its day, and say what changed since the last.

    A second check of a day takes the place of the first. Raises StoreProblem.
    """
    own = sa.and_(FILES.c.project_id == project.id, FILES.c.role == CHECKS)
    with store.writing() as connection:
        lock(connection, project)
        query = sa.select(FILES.c.place, FILES.c.name, FILES.c.data).where(own).order_by(FILES.c.place.desc())
        last = connection.execute(query.limit(1)).first()
        if last is None:
            news = CheckNews(checked[KEPT].assign(change=""), None)
        else:
            with unpacking(store.name):
                former = _read(unpack_bytes(last.data))
            news = CheckNews(with_former(checked[KEPT], former), date.fromisoformat(last.name))
        again = last is not None and last.name == day.isoformat()
        place = 0 if last is None else last.place + (not again)
        connection.execute(sa.delete(FILES).where(own, FILES.c.place == place))
        data = pack_bytes(news.links[KEPT].to_csv(index=False).encode("utf-8", "replace"))
        row: dict[str, Any] = {"project_id": project.id, "role": CHECKS, "place": place, "name": day.isoformat()}
        connection.execute(sa.insert(FILES).values(row | {"mapping": {}, "data": data}))
    return news


def _read(data: bytes) -> pd.DataFrame:
    text = pd.read_csv(io.BytesIO(data), dtype="str", keep_default_na=False)
    flags = {name: text[name].map({"True": True, "False": False}).astype("boolean") for name in FLAGS}
    return text.assign(**flags)
