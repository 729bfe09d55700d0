"""The figures of a snapshot, as its audit and profile state them: what history, digest and report speak of."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from backlink_audit.labels import EXACT_MATCH, VERDICTS
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.profile.result import Profile
from backlink_audit.pipelines.profile.run import profile_backlinks
from backlink_audit.projects.packed import plain
from backlink_audit.settings import LinkChoice
from backlink_audit.wording import by_number, percent

LABELS = {
    "links": "Backlinks",
    "domains": "Referring domains",
    "authority": "Median authority",
    "share_relevant": "Relevant",
    "mean_cas": "Mean CAS",
    "risk_share": "With risk signals",
    "dominant_anchor": "Dominant anchor",
}
"""What each figure is called; the verdicts' counts go by the verdicts' names."""
SHARES = ("share_relevant", "risk_share", "dominant_anchor", "follow_share")
"""Which of them are shares, 0-1."""


def figures_of(audit: Audit, profile: Profile | None = None) -> dict[str, Any]:
    """Return the figures of an audit's live links as plain data; None for one that cannot be computed.

    links, domains, authority (median of the domains) with authority_name, share_relevant, mean_cas, mean_similarity,
    risk_share (links with as many risk signals as a review needs), risk_links, dominant_anchor (the largest share of
    the followed domains that one exact-match anchor has) with its words, follow_share, verdicts, states, headline.
    """
    chosen = audit.chosen(LinkChoice())
    profile = profile or profile_backlinks(audit, LinkChoice())
    links = chosen.links
    at_risk = links["risk_signals"] >= audit.settings.verdicts.review_signals
    words, share = dominant_anchor(profile.anchors)
    found: dict[str, Any] = {
        "links": chosen.backlinks,
        "domains": chosen.domains,
        "authority": profile.median_authority,
        "authority_name": profile.authority_word,
        "share_relevant": chosen.share_relevant,
        "relevant": chosen.relevant,
        "mean_cas": chosen.mean_cas,
        "mean_similarity": chosen.mean_similarity,
        "risk_links": int(at_risk.sum()),
        "risk_share": float(at_risk.mean()) if len(links) else None,
        "dominant_anchor": share,
        "dominant_anchor_words": words,
        "follow_share": profile.follow_share,
        "headline": chosen.headline if len(links) else "No live links.",
    }
    counts = chosen.verdict_counts
    verdicts = {label.word: int(counts.get(label.word, 0)) for label in VERDICTS}
    return {name: plain(value) for name, value in found.items()} | {
        "verdicts": verdicts,
        "states": chosen.state_counts,
    }


def label_of(name: str, figures: Mapping[str, Any]) -> str:
    """Return what a figure is called; the authority by its tool's word."""
    return f"Median {figures['authority_name']}" if name == "authority" else LABELS[name]


def in_words(name: str, value: float | None) -> str:
    """Write a figure as screen and workbook do.

    >>> in_words("links", 2269), in_words("share_relevant", 0.3138), in_words("mean_cas", None)
    ('2,269', '31%', '–')
    """
    if value is None:
        return "–"
    if name in SHARES:
        return percent(value)
    if name == "authority":
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def difference_in_words(name: str, value: float | None, former: float | None) -> str:
    """Write how a figure moved; "" where it cannot be told, "same" where it did not move as far as is shown.

    >>> difference_in_words("links", 12, 10), difference_in_words("share_relevant", 0.30, 0.34)
    ('+2', '-4 points')
    """
    if value is None or former is None:
        return ""
    moved = value - former
    if name in SHARES:
        points = round(100 * value) - round(100 * former)
        return f"{points:+d} {by_number(abs(points), 'point', 'points')}" if points else "same"
    if in_words(name, value) == in_words(name, former):
        return "same"
    if name == "authority":
        return f"{moved:+g}"
    return f"{moved:+,}" if isinstance(moved, int) else f"{moved:+,.3f}"


def figure_rows(now: Mapping[str, Any], former: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return each figure's label, its value, the one before and how it moved, in words; `former` may be empty."""
    rows = [
        (
            label_of(name, now),
            in_words(name, now[name]),
            in_words(name, former.get(name)),
            difference_in_words(name, now[name], former.get(name)),
        )
        for name in LABELS
    ]
    before = former.get("verdicts", {})
    return rows + [
        (verdict, f"{number:,}", in_words("links", before.get(verdict)), difference_in_words("links", number, old))
        for verdict, number in now["verdicts"].items()
        for old in [before.get(verdict)]
        if number or old
    ]


def dominant_anchor(anchors: pd.DataFrame) -> tuple[str, float | None]:
    """Return the exact-match anchor on most followed domains and its share of them, 0-1; "" and 0.0 without one."""
    exact = anchors[anchors["anchor_class"] == EXACT_MATCH.word]
    if exact.empty:
        return "", 0.0
    first = exact.sort_values("domain_share", ascending=False, kind="stable").iloc[0]
    return str(first["anchor"]), float(first["domain_share"])
