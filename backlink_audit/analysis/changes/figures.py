"""The changes of a site's links in figures: by domain and page, by month, in CAS and in verdicts."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.scoring.cas import LEAST_MOVEMENT
from backlink_audit.labels import CHANGE_LABELS, CHANGED, KEPT, LOST, NEW

WORDS = [label.word for label in CHANGE_LABELS]


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
    """Return the first day of the day's month."""
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
    """Return the rows: lost, new, changed, then kept; within each, those that changed CAS the most first.

    `rows` has the column change, and cas_gained and cas_lost where there was an audit.
    """
    order = {label.word: place for place, label in enumerate((LOST, NEW, CHANGED, KEPT))}
    size = rows["cas_gained"] + rows["cas_lost"] if "cas_gained" in rows else pd.Series(0.0, rows.index)
    return rows.iloc[np.lexsort([-size, rows["change"].map(order)])]


def verdict_moves(links: pd.DataFrame) -> pd.DataFrame:
    """Return how many links went from one verdict to another: columns verdict_before, verdict_after, links; most first.

    `links` has the columns verdict_before and verdict_after, "" where the link is not in that file.
    """
    known = (links["verdict_before"] != "") & (links["verdict_after"] != "")
    moved = links[known & (links["verdict_before"] != links["verdict_after"])]
    counts = moved.groupby(["verdict_before", "verdict_after"], sort=False).size()
    return counts.sort_values(ascending=False, kind="stable").rename("links").reset_index()
