"""The anchors of a profile: which are used most, what they are made of, and which exact match dominates."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.profile.shares import distinct_per_group
from backlink_audit.labels import ANCHOR_CLASSES, EXACT_MATCH

DOMINANT_SHARE = 0.15
"""An exact-match anchor on more than this share of the followed domains looks bought (definitions: profile)."""


def top_anchors(links: pd.DataFrame, classes: pd.Series) -> pd.DataFrame:
    """Return one row per anchor, upper and lower case together, the one on most domains first.

    `classes` is the class of each link's anchor; an anchor that links to pages of several kinds has its most frequent
    one. Columns: anchor (as first written), anchor_class, links, domains, followed_domains, domain_share (followed
    domains among all followed domains, 0-1), and for an audit's links mean_similarity and mean_relevance.
    """
    codes, distinct = pd.factorize(links["anchor"].str.strip().str.casefold())
    domain_codes, _ = pd.factorize(links["referring_domain"])
    followed = links["followed"].to_numpy(dtype=bool)
    groups = links.assign(anchor=links["anchor"].str.strip()).groupby(codes)
    anchors = pd.DataFrame(
        {
            "anchor": groups["anchor"].first(),
            "anchor_class": _most_frequent(codes, classes, len(distinct)),
            "links": np.bincount(codes, minlength=len(distinct)),
            "domains": distinct_per_group(codes, domain_codes, len(distinct)),
            "followed_domains": distinct_per_group(codes[followed], domain_codes[followed], len(distinct)),
        }
    )
    anchors["domain_share"] = anchors["followed_domains"] / max(1, len(np.unique(domain_codes[followed])))
    if "similarity" in links:
        anchors["mean_similarity"] = groups["similarity"].mean()
        anchors["mean_relevance"] = groups["relevance"].mean()
    return anchors.sort_values(["domains", "links"], ascending=False, kind="stable", ignore_index=True)


def class_mix(links: pd.DataFrame, classes: pd.Series) -> pd.DataFrame:
    """Return one row per anchor class, in the order of `ANCHOR_CLASSES`: anchor_class, links, domains, share, means."""
    groups = links.groupby(classes.to_numpy())
    mix = pd.DataFrame({"links": groups.size(), "domains": groups["referring_domain"].nunique()})
    mix = mix.reindex([label.word for label in ANCHOR_CLASSES], fill_value=0)
    mix["share"] = mix["links"] / max(1, len(links))
    if "similarity" in links:
        mix["mean_similarity"] = groups["similarity"].mean()
        mix["mean_relevance"] = groups["relevance"].mean()
    return mix.rename_axis("anchor_class").reset_index()


def dominant_anchors(anchors: pd.DataFrame) -> pd.DataFrame:
    """Return the exact-match anchors on more than `DOMINANT_SHARE` of the followed domains; rows of `top_anchors`."""
    return anchors[(anchors["anchor_class"] == EXACT_MATCH.word) & (anchors["domain_share"] > DOMINANT_SHARE)]


def most_frequent(anchors: pd.DataFrame, anchor_class: str = "") -> tuple[str, float]:
    """Return the anchor with words on most followed domains, and its share of them, 0-1; "" and 0.0 without one.

    `anchor_class`: of this class alone. `anchors` is as `top_anchors` gives it.
    """
    of_class = anchors["anchor_class"] == anchor_class if anchor_class else anchors["anchor"] != ""
    found = anchors[of_class]
    if found.empty:
        return "", 0.0
    first = found.sort_values("domain_share", ascending=False, kind="stable").iloc[0]
    return str(first["anchor"]), float(first["domain_share"])


def _most_frequent(codes: np.ndarray, classes: pd.Series, count: int) -> pd.Series:
    class_codes, names = pd.factorize(classes)
    counts = np.zeros((count, max(1, len(names))), dtype=np.int64)
    np.add.at(counts, (codes, class_codes), 1)
    return pd.Series(np.asarray(names, dtype=object)[counts.argmax(axis=1)], dtype="str")
