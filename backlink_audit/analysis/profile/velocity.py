"""How fast referring domains come and go: new and lost ones per month, net per day, and the months that stand out.

A domain is new in the month in which its first link was first seen. It is lost in the month of its last link's lost
date, and only if every one of its links is lost; where the export has no lost date, the day on which a lost link was
last seen is used.
"""

from datetime import date

import numpy as np
import pandas as pd

SPIKE_SCORE = 3.5
"""Modified z-score from which a month stands out (Iglewicz and Hoaglin, How to detect and handle outliers, 1993)."""
FEWEST_MONTHS = 6
"""With fewer months nothing is usual, so nothing stands out."""
FEWEST_DOMAINS = 5
"""Fewer domains in a month are no spike, however quiet the other months."""
DATES = ("first_seen", "last_seen", "lost_date")
_MAD_TO_SIGMA, _MEAN_DEVIATION_TO_SIGMA = 1.4826, 1.2533
COLUMNS = ("month", "new_domains", "lost_domains", "net_domains", "net_per_day", "spike")
"""The columns of `by_month`, in order."""


def newest_day(links: pd.DataFrame, today: date) -> pd.Timestamp | None:
    """Return the newest date of links that is not in the future; None where they have none.

    Somewhere it is tomorrow already. `links` has DATES.
    """
    end = pd.Timestamp(today) + pd.Timedelta(days=2)
    newest = [links[name][links[name] < end].max() for name in DATES]
    return max((day for day in newest if not pd.isna(day)), default=None)


def lifetimes(links: pd.DataFrame) -> pd.DataFrame:
    """Return when each referring domain came and went: first_seen and lost_on, NaT where unknown or still there.

    One row per domain (the index), from links with referring_domain, first_seen, last_seen, lost_date and is_lost.
    """
    lost_on = links["lost_date"].fillna(links["last_seen"].where(links["is_lost"]))
    rows = pd.DataFrame(
        {"first_seen": links["first_seen"], "lost_on": lost_on, "is_lost": links["is_lost"].astype(bool)}
    )
    domains = rows.groupby(links["referring_domain"].to_numpy(), sort=False).agg(
        first_seen=("first_seen", "min"), lost_on=("lost_on", "max"), gone=("is_lost", "min")
    )
    return domains.assign(lost_on=domains["lost_on"].where(domains["gone"].astype(bool))).drop(columns="gone")


def by_month(domains: pd.DataFrame, until: pd.Timestamp) -> pd.DataFrame:
    """Return one row per month from the first to that of `until`, the day the export knows of last.

    Dates in later months are left out: a single wrong one would stretch the months to its year. `domains` is
    what `lifetimes` returns. Columns: month (its first day), new_domains, lost_domains, net_domains, net_per_day (over
    the days of the month that have passed), spike ("", "new", "lost" or "new and lost").
    """
    last = until.to_period("M")
    new, lost = (
        months[months <= last].value_counts()
        for months in (domains[name].dropna().dt.to_period("M") for name in ("first_seen", "lost_on"))
    )
    known = new.index.union(lost.index)
    if known.empty:
        return pd.DataFrame({name: [] for name in COLUMNS})
    months = pd.period_range(known.min(), last, freq="M")
    table = pd.DataFrame({"new_domains": new, "lost_domains": lost}).reindex(months).fillna(0).astype("int64")
    days = np.where(months == last, until.day, months.days_in_month)
    net = table["new_domains"] - table["lost_domains"]
    table = table.assign(net_domains=net, net_per_day=net / days, spike=_spikes(table))
    return table.set_axis(months.to_timestamp(), axis=0).rename_axis("month").reset_index()


def with_clicks(months: pd.DataFrame, clicks: pd.DataFrame) -> pd.DataFrame:
    """Return months, as `by_month` gives them or with fewer columns, with the clicks of each.

    `clicks` is what `analysis.page_figures.clicks_by_month` returns; its months before and after those of the links are
    added. Where the links or the clicks of a month are not known, they are blank.
    """
    counted = [name for name in ("new_domains", "lost_domains", "net_domains") if name in months]
    joined = months.merge(clicks, on="month", how="outer").sort_values("month", ignore_index=True)
    figures = [*counted, *clicks.columns.drop("month")]
    return joined.astype(dict.fromkeys(figures, "Int64")).fillna({"spike": ""})


def spikes(counts: pd.Series) -> pd.Series:
    """Return which months' counts are far above the usual ones, bool; none among fewer than `FEWEST_MONTHS`.

    >>> spikes(pd.Series([4, 6, 5, 4, 90, 5, 6])).tolist()
    [False, False, False, False, True, False, False]
    """
    above = counts - counts.median()
    spread = _MAD_TO_SIGMA * above.abs().median() or _MEAN_DEVIATION_TO_SIGMA * above.abs().mean()
    if len(counts) < FEWEST_MONTHS or not spread:
        return pd.Series(False, index=counts.index)
    return (above / spread > SPIKE_SCORE) & (counts >= FEWEST_DOMAINS)


def _spikes(table: pd.DataFrame) -> np.ndarray:
    new, lost = spikes(table["new_domains"]), spikes(table["lost_domains"])
    return np.select([new & lost, new, lost], ["new and lost", "new", "lost"], "")
