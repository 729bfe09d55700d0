"""What of a new snapshot is worth a message: the limits of `watch`, and which of them are crossed."""

from dataclasses import dataclass

import pandas as pd

from backlink_audit.analysis.profile.velocity import FEWEST_DOMAINS, by_month, lifetimes
from backlink_audit.projects.content.comparison import Comparison
from backlink_audit.projects.content.snapshots import Snapshot
from backlink_audit.settings import WatchLimits
from backlink_audit.wording import count, percent

DAYS_OF_MONTH = 365.25 / 12
MONTHS_LOOKED_AT = 12
"""So many months before the older snapshot show what is usual."""


@dataclass(frozen=True)
class Crossed:
    """A limit that is crossed: the setting's name, the figure, the limit, and the sentence."""

    limit: str
    value: float
    threshold: float
    sentence: str


def crossed(snapshot: Snapshot, comparison: Comparison | None, limits: WatchLimits) -> tuple[Crossed, ...]:
    """Return the limits that a snapshot crosses; without one before it, only those that need none."""
    found = [_risk(snapshot, limits), _anchor(snapshot, limits)]
    if comparison is not None:
        found = [_protect(comparison, limits), *found, _spike(comparison, limits)]
    return tuple(one for one in found if one is not None)


def usual_new_domains(links: pd.DataFrame, since: pd.Timestamp, until: pd.Timestamp) -> float | None:
    """Return how many new referring domains are usual between two days; None where the links have no dates.

    The median of the months before, by when each domain was first seen, for so many days. `links` has
    referring_domain, first_seen, last_seen, lost_date, is_lost.
    """
    months = by_month(lifetimes(links), until)
    past = months[months["month"] < since.to_period("M").to_timestamp()].tail(MONTHS_LOOKED_AT)
    if past.empty:
        return None
    return float(past["new_domains"].median()) * max(1, (until - since).days) / DAYS_OF_MONTH


def _protect(comparison: Comparison, limits: WatchLimits) -> Crossed | None:
    lost = len(comparison.lost_to_protect)
    if lost < limits.protect_lost:
        return None
    sentence = f"{count(lost, 'link')} with the verdict Protect lost since {comparison.older.day}; the limit is "
    return Crossed("protect_lost", lost, limits.protect_lost, f"{sentence}{limits.protect_lost:,}.")


def _risk(snapshot: Snapshot, limits: WatchLimits) -> Crossed | None:
    share = snapshot.figures["risk_share"]
    if share is None or share <= limits.risk_share:
        return None
    signals = snapshot.settings.verdicts.review_signals
    sentence = f"{_exact(share)} of the live links have {signals} or more risk signals; the limit is "
    return Crossed("risk_share", share, limits.risk_share, f"{sentence}{_exact(limits.risk_share)}.")


def _anchor(snapshot: Snapshot, limits: WatchLimits) -> Crossed | None:
    share = snapshot.figures["dominant_anchor"]
    if share is None or share <= limits.dominant_anchor:
        return None
    words = snapshot.figures["dominant_anchor_words"]
    sentence = f"{_exact(share)} of the referring domains with followed links use “{words}”; the limit is "
    return Crossed("dominant_anchor", share, limits.dominant_anchor, f"{sentence}{_exact(limits.dominant_anchor)}.")


def _spike(comparison: Comparison, limits: WatchLimits) -> Crossed | None:
    new = comparison.new_domains
    since, until = pd.Timestamp(comparison.older.day), pd.Timestamp(comparison.newer.day)
    usual = usual_new_domains(comparison.links, since, until)
    if usual is None or new < FEWEST_DOMAINS or new <= limits.spike * usual:
        return None
    sentence = f"{count(new, 'new referring domain')} since {comparison.older.day} (usual: {usual:.1f}); "
    limit = limits.spike * usual
    return Crossed("spike", new, round(limit, 1), f"{sentence}the limit is {limits.spike:g} times the usual number.")


def _exact(share: float) -> str:
    """Write a share with one decimal where it would look like its limit in whole percent."""
    return percent(share) if abs(100 * share - round(100 * share)) < 0.05 else f"{100 * share:.1f}%"
