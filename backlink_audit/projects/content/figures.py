"""The figures of a snapshot, as its audit and profile state them: what history, digest and report show."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from backlink_audit.labels import RECLAIM, VERDICTS
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.profile.result import Profile
from backlink_audit.pipelines.profile.run import profile_backlinks
from backlink_audit.projects.store.packed import plain
from backlink_audit.settings import LinkChoice


def figures_of(audit: Audit, profile: Profile | None = None) -> dict[str, Any]:
    """Return the figures of an audit's live links as plain data; None for one that cannot be computed.

    links, domains, authority (median of the domains) with authority_name, share_relevant, mean_cas, risk_share (links
    with as many risk signals as a review needs: review_signals), top_anchor (the largest share of the followed domains
    that one anchor has) and dominant_anchor (that one exact-match anchor has) with their words, verdicts (Reclaim of
    lost links too, as everywhere), states, headline, months (the rows of `Profile.months`, a list for each of its
    columns; of every link that was not set aside).
    """
    chosen = audit.chosen(LinkChoice())
    profile = profile or profile_backlinks(audit, LinkChoice())
    links = chosen.links
    at_risk = links["risk_signals"] >= audit.settings.verdicts.review_signals
    words, share = profile.most_frequent_anchor
    exact_words, exact_share = profile.most_frequent_exact_match
    found: dict[str, Any] = {
        "links": chosen.backlinks,
        "domains": chosen.domains,
        "authority": profile.median_authority,
        "authority_name": profile.authority_word,
        "share_relevant": chosen.share_relevant,
        "mean_cas": chosen.mean_cas,
        "risk_share": float(at_risk.mean()) if len(links) else None,
        "review_signals": audit.settings.verdicts.review_signals,
        "top_anchor": share,
        "top_anchor_words": words,
        "dominant_anchor": exact_share,
        "dominant_anchor_words": exact_words,
        "headline": chosen.headline if len(links) else "No live links.",
    }
    counts = chosen.verdict_counts
    verdicts = {label.word: int(counts.get(label.word, 0)) for label in VERDICTS}
    verdicts[RECLAIM.word] = chosen.to_reclaim
    return {name: plain(value) for name, value in found.items()} | {
        "verdicts": verdicts,
        "states": chosen.state_counts,
        "months": _as_lists(profile.months),
    }


def months_of(figures: Mapping[str, Any]) -> pd.DataFrame:
    """Return the months of a snapshot's figures as `Profile.months` has them; empty for one kept without them."""
    found = pd.DataFrame(figures.get("months", {}))
    return found.assign(month=pd.to_datetime(found["month"])) if len(found) else found


def _as_lists(months: pd.DataFrame) -> dict[str, list[Any]]:
    if months.empty:
        return {}
    written = months.assign(month=months["month"].dt.strftime("%Y-%m-%d"))
    return {str(name): column.tolist() for name, column in written.items()}
