"""What happened to the links of a site between an older and a newer export.

A link is found again by its referring page, its target page and its anchor; failing that, by its two pages alone, so
that a link whose anchor changed is a changed link and not a lost and a new one. Nothing is assumed about the order of
the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.judgement.scales import LEAST_MOVEMENT, rating_names
from backlink_audit.judgement.scales import Column as RatingColumn
from backlink_audit.judgement.verdicts import verdict_facts
from backlink_audit.labels import CHANGED, KEPT, LOST, NEW
from backlink_audit.schema import BACKLINKS
from backlink_audit.settings import VerdictLimits
from backlink_audit.text.urls import main_domain

MATCH_KEYS: tuple[tuple[str, ...], ...] = (
    ("referring_url", "target_url", "anchor"),
    ("referring_key", "target_key", "anchor"),
    ("referring_key", "target_key", "first_seen"),
    ("referring_key", "target_key"),
)
"""By which columns a link is found again, strictest first. What is left after all of them is new or lost."""

RATINGS: tuple[RatingColumn, ...] = ("url_rating", "domain_rating")
"""Figures on a tool's own scale: compared within one scale only."""

COMPARED = (
    "anchor",
    "referring_title",
    "nofollow",
    "ugc",
    "sponsored",
    "http_status",
    *RATINGS,
    "external_links",
    "link_type",
    "in_content",
    "sitewide",
    "spam",
    "toxic_score",
    "language",
    "platform",
)
"""The columns in which a kept link can differ. Left out is what every new crawl changes: dates seen and traffic."""

GONE = "No longer listed"
MARKED_LOST = "Marked as lost"
GONE_BEFORE = "No longer listed; was marked as lost before"
KNOWN_ONLY_AS_LOST = "Only in the newer file, marked as lost"
FOUND_AGAIN = "Was marked as lost before"
LOST_BEFORE = "Only in the newer file, lost before the older one"
LOST_IN_BOTH = "Marked as lost in both files"

LINK_COLUMNS = (
    *("referring_url", "target_url", "anchor", "referring_title", "referring_domain", "target_domain"),
    *("target_key", "followed", "url_rating", "domain_rating", "scale", "first_seen", "last_seen", "lost_date"),
    *("lost_status", "drop_reason"),
)
"""What the table of changes shows of each link."""

RESULT_TYPES = {
    "change": "str",
    "what_changed": "str",
    "changed_columns": "str",
    "was_lost": "bool",
    "is_lost": "bool",
    "older_row": "Int64",
    "newer_row": "Int64",
}
"""What the comparison adds to LINK_COLUMNS, and the types."""

_BLANK = "(blank)"
DAYS = ("first_seen", "last_seen", "lost_date")
_SWAPPED_SHARE = 0.5  # share of the links with another last-seen date that must have the later one in the older file
FIGURES = {"backlinks": "Backlinks", "followed_backlinks": "Followed backlinks"}
"""What is compared of a domain that still links, besides its rating, and what it is called."""
COMPARED_VERDICTS = ("band", "link_state", "followed", "page_kind", "risk_signals")
"""What a verdict asks of a link besides `verdict_facts`."""


@dataclass(frozen=True)
class Pairs:
    """Which rows of the two tables are the same link: positions, equally long; and the positions left alone."""

    older: np.ndarray
    newer: np.ndarray
    only_older: np.ndarray
    only_newer: np.ndarray


def match_links(older: pd.DataFrame, newer: pd.DataFrame, keys: Sequence[tuple[str, ...]] = MATCH_KEYS) -> Pairs:
    """Pair the rows of two cleaned backlinks tables that are the same link; each row is in at most one pair."""
    left, right = np.arange(len(older)), np.arange(len(newer))
    found_left: list[np.ndarray] = []
    found_right: list[np.ndarray] = []
    for key in keys:
        a, b = _pair_by(older.iloc[left], newer.iloc[right], list(key))
        found_left.append(left[a])
        found_right.append(right[b])
        left, right = np.delete(left, a), np.delete(right, b)
    return Pairs(np.concatenate(found_left), np.concatenate(found_right), left, right)


def _pair_by(older: pd.DataFrame, newer: pd.DataFrame, key: list[str]) -> tuple[np.ndarray, np.ndarray]:
    a, b = (_numbered(table, key) for table in (older, newer))
    both = a.merge(b, on=[*key, "nth"], suffixes=("_older", "_newer"))
    return both["position_older"].to_numpy(), both["position_newer"].to_numpy()


def _numbered(table: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    numbered = table[key].reset_index(drop=True)
    nth = numbered.groupby(key, dropna=False, sort=False).cumcount()
    return numbered.assign(nth=nth, position=np.arange(len(table)))


def compare_links(older: pd.DataFrame, newer: pd.DataFrame, compared: Sequence[str] = COMPARED) -> pd.DataFrame:
    """Return one row per link: what happened to it between two cleaned backlinks tables.

    Columns: change (new, lost, kept, changed), what_changed (words), changed_columns (labels, comma-separated),
    was_lost and is_lost (marked as lost, or gone, in the older and the newer file), those of the link itself (the
    newer file's where it is there), and older_row and newer_row, the index labels in the two tables (<NA> if none).
    The newer table's rows come first, in their order, then the links that only the older one has.

    A link that the newer file marks as lost is lost, unless it was lost in the older file too, or by its newest day.
    """
    pairs = match_links(older, newer)
    parts = [
        _in_both(older.iloc[pairs.older], newer.iloc[pairs.newer], compared).assign(order=pairs.newer),
        _only_newer(newer.iloc[pairs.only_newer], older[list(DAYS)].max().max()).assign(order=pairs.only_newer),
        _only_older(older.iloc[pairs.only_older]).assign(order=len(newer) + pairs.only_older),
    ]
    links = pd.concat(parts, ignore_index=True).sort_values("order", kind="stable", ignore_index=True)
    return links.drop(columns="order").astype(RESULT_TYPES)


def _in_both(older: pd.DataFrame, newer: pd.DataFrame, compared: Sequence[str]) -> pd.DataFrame:
    was_lost, is_lost = older["is_lost"].to_numpy(bool), newer["is_lost"].to_numpy(bool)
    differences = describe_differences(older, newer, compared)
    differs = differences["changed_columns"].to_numpy() != ""
    cases = [is_lost & ~was_lost, was_lost & ~is_lost, differs]
    states = np.select([*cases[:2], is_lost & was_lost], [MARKED_LOST, FOUND_AGAIN, LOST_IN_BOTH], default="")
    words = [" · ".join(filter(None, pair)) for pair in zip(states, differences["what_changed"], strict=True)]
    return _link_columns(newer).assign(
        change=np.select(cases, [LOST.word, NEW.word, CHANGED.word], default=KEPT.word),
        what_changed=words,
        changed_columns=differences["changed_columns"].array,
        was_lost=was_lost,
        is_lost=is_lost,
        older_row=older.index,
        newer_row=newer.index,
    )


def _only_newer(newer: pd.DataFrame, since: pd.Timestamp) -> pd.DataFrame:
    is_lost = newer["is_lost"].to_numpy(bool)
    was_lost = is_lost & (newer["lost_date"] < since).to_numpy(bool)
    return _link_columns(newer).assign(
        change=np.select([was_lost, is_lost], [KEPT.word, LOST.word], default=NEW.word),
        what_changed=np.select([was_lost, is_lost], [LOST_BEFORE, KNOWN_ONLY_AS_LOST], default=""),
        changed_columns="",
        was_lost=was_lost,
        is_lost=is_lost,
        older_row=np.nan,
        newer_row=newer.index,
    )


def _only_older(older: pd.DataFrame) -> pd.DataFrame:
    was_lost = older["is_lost"].to_numpy(bool)
    return _link_columns(older).assign(
        change=LOST.word,
        what_changed=np.where(was_lost, GONE_BEFORE, GONE),
        changed_columns="",
        was_lost=was_lost,
        is_lost=True,
        older_row=older.index,
        newer_row=np.nan,
    )


def _link_columns(links: pd.DataFrame) -> pd.DataFrame:
    return links[list(LINK_COLUMNS)].reset_index(drop=True)


def describe_differences(older: pd.DataFrame, newer: pd.DataFrame, columns: Sequence[str] = COMPARED) -> pd.DataFrame:
    """Return where rows that are the same links, in the same order, differ: columns what_changed and changed_columns.

    Both are texts, "" where nothing differs. Two missing values are equal; one missing value is a difference. Ratings
    on two scales are not compared.
    """
    same_scale = older["scale"].to_numpy() == newer["scale"].to_numpy()
    words: list[list[str]] = [[] for _ in range(len(newer))]
    labels: list[list[str]] = [[] for _ in range(len(newer))]
    for name in columns:
        column = BACKLINKS.column(name)
        before, after = (_as_text(table[name], column.kind) for table in (older, newer))
        differs = before != after
        label = np.full(len(newer), column.label, object)
        if name in RATINGS:
            differs &= same_scale
            label = rating_names(newer["scale"], name).to_numpy(object)
        for row in np.flatnonzero(differs):
            words[row].append(
                f"{label[row]}: {_in_words(before[row], column.kind)} to {_in_words(after[row], column.kind)}"
            )
            labels[row].append(label[row])
    return pd.DataFrame(
        {"what_changed": ["; ".join(row) for row in words], "changed_columns": [", ".join(row) for row in labels]},
        dtype="str",
    )


def _as_text(values: pd.Series, kind: str) -> np.ndarray:
    """Return values as the reader sees them, "" where missing: an object array of str."""
    if kind == "number":
        numbers = values.to_numpy("float64")
        distinct, codes = np.unique(numbers, return_inverse=True)
        return np.array(["" if np.isnan(number) else f"{number:.10g}" for number in distinct], object)[codes]
    if kind == "flag":
        return values.map({True: "yes", False: "no"}).fillna("").to_numpy(object)
    return values.fillna("").str.strip().to_numpy(object)


def _in_words(value: str, kind: str) -> str:
    if not value:
        return _BLANK
    return f"“{value}”" if kind == "text" else value


def seems_swapped(older: pd.DataFrame, newer: pd.DataFrame, pairs: Pairs) -> bool:
    """Whether the older table was exported after the newer one, judged by the dates at which links were last seen.

    Links in both tables decide: each was seen later in the later export. Where no link is in both, the latest date of
    each table does. Tables without dates, or with the same ones, do not seem swapped.
    """
    before, after = _last_signs(older), _last_signs(newer)
    if len(pairs.older) == 0:
        return bool(before.max() > after.max())
    earlier, later = before.iloc[pairs.older].to_numpy(), after.iloc[pairs.newer].to_numpy()
    known = ~(np.isnat(earlier) | np.isnat(later)) & (earlier != later)
    return bool(known.any() and np.mean(earlier[known] > later[known]) > _SWAPPED_SHARE)


def _last_signs(links: pd.DataFrame) -> pd.Series:
    return links[["first_seen", "last_seen"]].max(axis=1)


def same_site(older: pd.Series, newer: pd.Series) -> bool:
    return bool((newer == main_domain(older)).any() or (older == main_domain(newer)).any())


def compare_domains(older: pd.DataFrame, newer: pd.DataFrame) -> pd.DataFrame:
    """Return one row per domain of two referring-domains tables, in the newer table's order, lost ones at the end.

    Columns: change (new, lost, kept, changed), what_changed (words), referring_domain, domain_rating, scale,
    links_before, links_after (NaN where unknown). A domain with a lost date does not link any more; a figure that
    either table lacks is no difference, nor are ratings on two scales.
    """
    before, after = _by_domain(older), _by_domain(newer)
    domains = after.index.append(before.index.difference(after.index, sort=False))
    before, after = before.reindex(domains), after.reindex(domains)
    was, now = before["links_here"].eq(True).to_numpy(), after["links_here"].eq(True).to_numpy()
    scale = after["scale"].where(after["domain_rating"].notna(), before["scale"]).fillna(after["scale"]).astype("str")
    labels = {name: np.full(len(domains), label, object) for name, label in FIGURES.items()}
    labels["domain_rating"] = rating_names(scale, "domain_rating").to_numpy(object)
    comparable = {"domain_rating": (before["scale"] == after["scale"]).to_numpy()}
    words: list[list[str]] = [[] for _ in range(len(domains))]
    for name, label in labels.items():
        old, new = before[name].to_numpy(), after[name].to_numpy()
        both = was & now & comparable.get(name, True) & ~np.isnan(old) & ~np.isnan(new)
        for row in np.flatnonzero(both & (old != new)):
            words[row].append(f"{label[row]}: {old[row]:.10g} to {new[row]:.10g}")
    differs = np.array([bool(row) for row in words], bool)
    change = np.select([now & ~was, was & ~now, differs], [NEW.word, LOST.word, CHANGED.word], default=KEPT.word)
    return pd.DataFrame(
        {
            "change": change,
            "what_changed": pd.Series(["; ".join(row) for row in words], dtype="str"),
            "referring_domain": domains.to_numpy(),
            "domain_rating": after["domain_rating"].fillna(before["domain_rating"]).to_numpy(),
            "scale": scale.to_numpy(),
            "links_before": np.where(was, before["backlinks"], 0.0),
            "links_after": np.where(now, after["backlinks"], 0.0),
        }
    )


def _by_domain(table: pd.DataFrame) -> pd.DataFrame:
    groups = table.groupby("referring_domain", sort=False)
    figures = {
        "backlinks": groups["backlinks"].sum(min_count=1),
        "followed_backlinks": groups["followed_backlinks"].sum(min_count=1),
        "domain_rating": groups["domain_rating"].max(),
        "scale": groups["scale"].first(),
        "links_here": table["lost_date"].isna().groupby(table["referring_domain"], sort=False).any(),
    }
    return pd.DataFrame(figures)


def facts_changed(older: pd.DataFrame, newer: pd.DataFrame, ranked: pd.DataFrame, limits: VerdictLimits) -> np.ndarray:
    """Return for which links a fact that verdicts ask for differs, bool (links,).

    `older` and `newer`: the same links in the same order, as two audits judged them. `ranked`: all links of the older
    audit, among which both CAS are ranked: cas and cas_percentile.
    """
    on_one_scale = newer.assign(cas_percentile=_ranks(older, newer, ranked))
    before, after = verdict_facts(older, limits), verdict_facts(on_one_scale, limits)
    differs = (before.to_numpy() != after.to_numpy()).any(axis=1)
    for name in COMPARED_VERDICTS:
        differs |= older[name].to_numpy() != newer[name].to_numpy()
    return np.asarray(differs, dtype=bool)


def _ranks(older: pd.DataFrame, newer: pd.DataFrame, ranked: pd.DataFrame) -> np.ndarray:
    """Return the percentile that the CAS of each newer link would have had in the older export; NaN without a CAS."""
    before, after = older["cas"].to_numpy("float64"), newer["cas"].to_numpy("float64")
    known = ranked[["cas", "cas_percentile"]].dropna().drop_duplicates("cas").sort_values("cas")
    if known.empty:
        return np.full(len(newer), np.nan)
    ranks = np.interp(after, known["cas"], known["cas_percentile"])
    ranks = np.where(np.isnan(after), np.nan, ranks)
    same = np.abs(after - before) <= LEAST_MOVEMENT
    return np.where(same, older["cas_percentile"].to_numpy("float64"), ranks)
