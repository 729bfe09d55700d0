"""The figures of an audit in words: what each is called, how it is written, and how it moved since another."""

from collections.abc import Mapping
from typing import Any

from backlink_audit.labels import RECLAIM
from backlink_audit.schema import PERFORMANCE
from backlink_audit.wording import Figure, by_number, percent

FIGURES = {
    "links": ("Backlinks", "The links shown. Change it in the line above.", ""),
    "domains": ("Referring domains", "Registrable domains with at least one of these links.", ""),
    "authority": (
        "Median authority",
        "Half of the referring domains have more.",
        "The export has no authority of the sites.",
    ),
    "followed": (
        "Followed",
        "Links that are not nofollow, UGC or sponsored.",
        "The export does not say which links are nofollow.",
    ),
    "lost": (
        "Lost",
        "Links of the file that are marked as lost, whatever links are shown.",
        "This export does not mark lost links.",
    ),
    "to_reclaim": (
        "To reclaim",
        "Lost links, and links to dead pages, that are worth getting back. Lost ones are always counted.",
        "",
    ),
    "share_relevant": ("Relevant", "", ""),
    "mean_cas": ("Mean CAS", "", ""),
    "risk_share": ("With several risk signals", "", ""),
    "top_anchor": ("Most frequent anchor", "", ""),
    "dominant_anchor": ("Most frequent exact match", "", ""),
}  # What each figure is called, what it is, and why it may not be known; the verdicts' counts go by their names
ON_TOP = ("links", "domains", "authority", "followed", "lost", "to_reclaim")  # What is asked of a profile first
LABELS = {
    name: FIGURES[name][0]
    for name in ("links", "domains", "authority", "share_relevant", "mean_cas", *list(FIGURES)[-3:])
}  # Those that a snapshot keeps
EARNED_KEY = "earned"  # What it is called among the figures of a snapshot
EARNED = {
    name: PERFORMANCE.column(name).label for name in ("clicks", "impressions", "views", "sessions", "organic_traffic")
}  # What the site's pages earned together, where a file of clicks or visits was kept with the snapshot
VERDICT_LABELS = {RECLAIM.word: f"{RECLAIM.word} (lost links included)"}
"""What the number of a verdict is called, where it is not of the live links alone."""
RATED = ("authority", "mean_cas")  # Figures in the ratings of a tool, which say nothing beside those of another tool
SHARES = ("share_relevant", "followed", "risk_share", "top_anchor", "dominant_anchor")  # Which of them are shares, 0-1


def label_of(name: str, figures: Mapping[str, Any]) -> str:
    """Return what a figure is called; the authority by its tool's word, the risk signals by how many are asked for."""
    if name == "risk_share" and "review_signals" in figures:
        return f"With {figures['review_signals']} or more risk signals"
    return f"Median {figures['authority_name']}" if name == "authority" else FIGURES[name][0]


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


def figure(name: str, figures: Mapping[str, Any]) -> Figure:
    """Return one of the figures with its name and what it is, or why it is not known."""
    value, (_, what, why_not) = figures[name], FIGURES[name]
    return label_of(name, figures), None if value is None else in_words(name, value), why_not if value is None else what


def difference_in_words(name: str, value: float | None, former: float | None) -> str:
    """Write how a figure moved; "" where it cannot be computed, "same" where it did not move as far as is shown.

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


def not_compared(now: Mapping[str, Any], former: Mapping[str, Any]) -> str:
    """Say that the ratings of two snapshots are of different tools and not compared; "" where they are of one.

    >>> not_compared({"authority": 62, "authority_name": "DR"}, {"authority": 34, "authority_name": "Page ascore"})
    'Median DR and mean CAS cannot be compared: the previous snapshot has ratings by Page ascore.'
    """
    mine, theirs = now["authority_name"], former.get("authority_name")
    both_rated = any(now.get(name) is not None and former.get(name) is not None for name in RATED)
    if mine == theirs or not both_rated:
        return ""
    return f"Median {mine} and mean CAS cannot be compared: the previous snapshot has ratings by {theirs}."


def figure_rows(now: Mapping[str, Any], former: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return each figure's label, its value, the one before and how it moved, in words; `former` may be empty.

    Ratings of another tool are no value before (`not_compared`).
    """
    others = RATED if not_compared(now, former) else ()
    rows = [
        (label_of(name, now), in_words(name, value), in_words(name, old), difference_in_words(name, value, old))
        for name in LABELS
        for value, old in [(now.get(name), None if name in others else former.get(name))]
    ]
    earned, earned_before = now.get(EARNED_KEY, {}), former.get(EARNED_KEY, {})
    rows += [
        (
            label,
            in_words(name, earned[name]),
            in_words(name, earned_before.get(name)),
            difference_in_words(name, earned[name], earned_before.get(name)),
        )
        for name, label in EARNED.items()
        if name in earned
    ]
    before = former.get("verdicts", {})
    return rows + [
        (
            VERDICT_LABELS.get(verdict, verdict),
            f"{number:,}",
            in_words("links", before.get(verdict)),
            difference_in_words("links", number, old),
        )
        for verdict, number in now["verdicts"].items()
        for old in [before.get(verdict)]
        if number or old
    ]
