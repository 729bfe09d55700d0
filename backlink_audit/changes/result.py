"""Finished changes: what is new, lost, kept or changed between two exports of one site, and what it is worth."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit.audit.result import Audit
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.scales import LEAST_MOVEMENT, rating_labels
from backlink_audit.labels import CHANGE_LABELS, CHANGED, KEPT, LOST, NEW
from backlink_audit.report.rows import Row, Tables, WholeTables, rows_of_notes, sheet, summary_table
from backlink_audit.wording import by_number, count

WORDS = [label.word for label in CHANGE_LABELS]
SCORED = ("cas_before", "cas_after", "verdict_before", "verdict_after", "cas_gained", "cas_lost")
"""The columns of `links` that need an audit of both files."""
LINKS = sheet("changes.links", lambda changes: changes.ranked, lambda changes: changes.authority_labels)
ONLY_DOMAINS = sheet("changes.only_domains", lambda changes: changes.ranked, LINKS.words)
DOMAINS = sheet("changes.domains", lambda changes: changes.domains, LINKS.words)
TARGETS = sheet("changes.targets", lambda changes: changes.targets, LINKS.words)
MOVES = sheet("changes.moves", lambda changes: changes.verdict_moves, LINKS.words)


def roll_up(links: pd.DataFrame, by: str = "referring_domain") -> pd.DataFrame:
    """Return one row per value of the column `by`, those with most lost links first, then those with most new ones.

    `links` has the columns change and `by`. Columns: `by`, change, links_new, links_lost, links_kept, links_changed,
    net (new - lost). All links new: new; all lost: lost; none new, lost or changed: kept; else changed.
    """
    counts = links.groupby([by, "change"], sort=False).size().unstack(fill_value=0).reindex(columns=WORDS, fill_value=0)
    total = counts.sum(axis=1)
    change = pd.Series(CHANGED.word, index=counts.index)
    for word in (NEW.word, LOST.word, KEPT.word):
        change = change.mask(counts[word] == total, word)
    rolled = counts.add_prefix("links_").assign(net=counts[NEW.word] - counts[LOST.word])
    rolled.insert(0, "change", change)
    rolled.columns.name = None
    return rolled.sort_values(["links_lost", "links_new"], ascending=False, kind="stable").reset_index()


def months(links: pd.DataFrame, since: pd.Timestamp | None = None, until: pd.Timestamp | None = None) -> pd.DataFrame:
    """Return new and lost links per month: columns month (its first day), new, lost; without gaps, oldest first.

    `links` has the columns change, first_seen, last_seen, lost_date. A new link is dated by when it was first seen, a
    lost one by its lost date, else by when it was last seen; links without that date are left out, and so are those
    dated before `since` or after `until`, the days of the two exports: what happened between them happened then,
    whenever a tool first met a link that the older export does not list.
    """
    lost = links["change"] == LOST.word
    dates = links["first_seen"].where(~lost, links["lost_date"].fillna(links["last_seen"]))
    moved = links["change"].isin([NEW.word, LOST.word]) & dates.notna()
    if since is not None:
        moved &= dates >= since
    if until is not None:
        moved &= dates <= until
    if not moved.any():
        return pd.DataFrame({"month": pd.to_datetime([]), "new": [], "lost": []})
    month = dates[moved].dt.to_period("M").dt.to_timestamp()
    counts = pd.crosstab(month, links.loc[moved, "change"]).reindex(
        index=pd.date_range(_first_day(since or month.min()), _first_day(until or month.max()), freq="MS"),
        columns=[NEW.word, LOST.word],
        fill_value=0,
    )
    return pd.DataFrame({"month": counts.index, "new": counts[NEW.word].array, "lost": counts[LOST.word].array})


def _first_day(day: pd.Timestamp) -> pd.Timestamp:
    return day.to_period("M").to_timestamp()


def cas_movements(links: pd.DataFrame) -> pd.DataFrame:
    """Return the CAS gained and lost by each link: columns cas_gained, cas_lost (both >= 0), the index of `links`.

    `links` has the columns cas_before, cas_after, was_lost, is_lost. A link that is not there, is marked as lost, or
    has no CAS counts as 0; a link that is in both files gains or loses the difference.
    """
    before = links["cas_before"].mask(links["was_lost"]).fillna(0.0)
    after = links["cas_after"].mask(links["is_lost"]).fillna(0.0)
    moved = (after - before).where((after - before).abs() > LEAST_MOVEMENT, 0.0)
    return pd.DataFrame({"cas_gained": moved.clip(lower=0), "cas_lost": (-moved).clip(lower=0)})


def most_important_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows: lost, new, changed, then kept; within each, those that changed CAS the most first."""
    order = {label.word: place for place, label in enumerate((LOST, NEW, CHANGED, KEPT))}
    size = rows["cas_gained"] + rows["cas_lost"] if "cas_gained" in rows else pd.Series(0.0, rows.index)
    return rows.iloc[np.lexsort([-size, rows["change"].map(order)])]


def verdict_moves(links: pd.DataFrame) -> pd.DataFrame:
    """Return how many links went from one verdict to another, most first: verdict_before, verdict_after, links."""
    known = (links["verdict_before"] != "") & (links["verdict_after"] != "")
    moved = links[known & (links["verdict_before"] != links["verdict_after"])]
    counts = moved.groupby(["verdict_before", "verdict_after"], sort=False).size()
    return counts.sort_values(ascending=False, kind="stable").rename("links").reset_index()


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
        return self.domains if self.links is None else self.links

    @property
    def noun(self) -> str:
        return "domain" if self.links is None else "link"

    @cached_property
    def ranked(self) -> pd.DataFrame:
        return most_important_first(self.rows)

    @cached_property
    def authority_labels(self) -> dict[str, str]:
        return rating_labels(self.domains["scale"] if self.links is None else self.links["scale"])

    @property
    def counts(self) -> dict[str, int]:
        return _counts(self.rows)

    @property
    def domain_counts(self) -> dict[str, int]:
        return _counts(self.domains)

    @property
    def lost_before(self) -> int:
        """How many of the lost and kept links the older file already marks as lost."""
        if self.links is None:
            return 0
        return int((self.links["was_lost"] & self.links["change"].isin([LOST.word, KEPT.word])).sum())

    @property
    def cas_gained(self) -> float | None:
        return None if self.links is None or self.audits is None else float(self.links["cas_gained"].sum())

    @property
    def cas_lost(self) -> float | None:
        return None if self.links is None or self.audits is None else float(self.links["cas_lost"].sum())

    @cached_property
    def months(self) -> pd.DataFrame:
        """New and lost links per month between the two files (`months`)."""
        nothing = pd.DataFrame(columns=["change", "first_seen", "last_seen", "lost_date"])
        return months(nothing if self.links is None else self.links, *(self.period or ()))

    @cached_property
    def targets(self) -> pd.DataFrame:
        """What happened to the links of each target page, most lost first (`roll_up`)."""
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


def tables(changes: Changes) -> WholeTables:
    """Return the tables of changes: a row per link, or per domain where a file lists nothing else; and the workbook."""
    main = DOMAINS if changes.links is None else LINKS
    return Tables(lambda: main.written(changes.rows, changes), lambda: sheets(changes))


def sheets(changes: Changes) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    named = {"Summary": summary(changes)}
    if changes.links is not None:
        for label in (NEW, LOST, CHANGED, KEPT):
            rows = changes.links[changes.links["change"] == label.word]
            named[f"{label.word.capitalize()} links"] = LINKS.written(rows, changes)
        named[TARGETS.name] = TARGETS.written(changes.targets, changes)
    named[DOMAINS.name] = DOMAINS.written(changes.domains, changes)
    if len(changes.months):
        named["Months"] = changes.months.rename(
            columns=lambda name: TERMS[name].label if name in TERMS else name.capitalize()
        )
    if changes.audits is not None:
        named[MOVES.name] = MOVES.written(changes.verdict_moves, changes)
    return named


def summary(changes: Changes) -> pd.DataFrame:
    """Return what was compared and what came out, as rows of Part, What and Value."""
    plural = f"{changes.noun.capitalize()}s"
    rows: list[Row] = [
        ("Changes", "In a sentence", changes.headline),
        ("Changes", "Older file", changes.older.name),
        ("Changes", "Newer file", changes.newer.name),
        ("Changes", "Created", changes.made_at),
        ("Rows", "In the older file", len(changes.older.raw)),
        ("Rows", "In the newer file", len(changes.newer.raw)),
    ]
    if changes.audits is not None:
        rows += [("Changes", "Model", changes.audits[1].model)]
    rows += [(plural, f"{label.word}: {label.meaning}", changes.counts[label.word]) for label in CHANGE_LABELS]
    if changes.links is not None:
        rows += [("Links", "lost or kept, and already marked as lost in the older file", changes.lost_before)]
    rows += [("Referring domains", word, count) for word, count in changes.domain_counts.items()]
    if changes.cas_gained is not None and changes.cas_lost is not None:
        rows += [
            ("CAS", "Gained", f"{changes.cas_gained:.3f}"),
            ("CAS", "Lost", f"{changes.cas_lost:.3f}"),
            ("CAS", "How gained or lost", TERMS["cas_gained"].help),
        ]
    return summary_table([*rows, *rows_of_notes(changes.notes)])
