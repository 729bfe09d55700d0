"""Which links to win back: lost ones, and those whose target page is dead."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.scoring.losses import LOSSES, NOT_READ, NOT_SAID, advice, losses
from backlink_audit.labels import KIND_PAGE, RECLAIM
from backlink_audit.schema import DEAD_FROM

__all__ = ["dead_targets", "gone", "links_to_reclaim", "not_read", "redirect_map"]

NAMES = {loss.name: loss for loss in LOSSES}
MOST_ANCHORS = 3
"""How many of a dead page's anchors the table shows, the most frequent first."""


def gone(links: pd.DataFrame) -> pd.Series:
    """Return which links are lost or point to a dead page, bool: is_lost, target_status (NaN where not known)."""
    return links["is_lost"] | (links["target_status"] >= DEAD_FROM)


def links_to_reclaim(links: pd.DataFrame) -> pd.DataFrame:
    """Return the gone links with the verdict Reclaim: what happened (loss, how_lost) and what to do (advice).

    Real pages come first, each by CAS; lost links whose page could not be read
    (`not_read`) come after the others: they may be live. `links` is scored: is_lost, lost_date, lost_status,
    drop_reason, http_status, target_status (NaN where no crawl has it), page_kind, cas, verdict.
    """
    found = links[gone(links) & (links["verdict"] == RECLAIM.word)]
    loss = losses(found)
    found = found.assign(loss=loss, how_lost=_how_lost(found, loss), advice=advice(loss), not_read=not_read(found))
    ranked = found.assign(other=found["page_kind"] != KIND_PAGE.word)
    return ranked.sort_values(["not_read", "other", "cas"], ascending=[True, True, False], kind="stable").drop(
        columns="other"
    )


def not_read(links: pd.DataFrame) -> pd.Series:
    """Return which links are called lost though their page only turned the crawler away or failed, bool."""
    return losses(links) == NOT_READ.name


def _how_lost(links: pd.DataFrame, loss: pd.Series) -> pd.Series:
    """In words: lost, with the date and what happened; or what the target page answers."""
    on = " on " + links["lost_date"].dt.strftime("%Y-%m-%d")
    http = " (HTTP " + links["http_status"].astype("Int64").astype("str") + ")"
    http = http.where(links["http_status"] > 0, "").fillna("")
    said = links["lost_status"].where(links["lost_status"] != "", links["drop_reason"]).fillna("")
    target = links["target_status"].astype("Int64").astype("str").fillna("")
    words = [
        NAMES[name].words.format(target=returned, http=code) if name != NOT_SAID.name or not reason else reason
        for name, returned, code, reason in zip(loss, target, http, said, strict=True)
    ]
    happened = pd.Series(words, links.index, dtype="str")
    lost = "Lost" + on.fillna("").astype("str") + ": " + happened
    return lost.where(links["is_lost"], happened.str.slice(0, 1).str.upper() + happened.str.slice(1)).astype("str")


def dead_targets(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per dead target page, the highest CAS first.

    `links` is as for `links_to_reclaim`, with target_key, target_url, anchor, referring_domain. Columns: target_key,
    target_url, target_status, links, domains (referring), cas (the sum), anchors (the most frequent, space-separated).
    """
    dead = links[links["target_status"] >= DEAD_FROM]
    groups = dead.groupby("target_key", sort=False)
    pages = groups.agg(
        target_url=("target_url", "first"),
        target_status=("target_status", "first"),
        links=("referring_url", "size"),
        domains=("referring_domain", "nunique"),
        cas=("cas", "sum"),
    )
    pages["anchors"] = groups["anchor"].agg(_frequent).astype("str")
    return pages.sort_values("cas", ascending=False, kind="stable").reset_index()


def _frequent(anchors: pd.Series) -> str:
    return " ".join(anchors[anchors.str.strip() != ""].value_counts().index[:MOST_ANCHORS])


def redirect_map(dead: pd.DataFrame, living: pd.Series, place: np.ndarray, similarity: np.ndarray) -> pd.DataFrame:
    """Return `dead_targets`' rows with redirect_to and similarity: "" and NaN where no living page was found.

    `living` are the URLs of the living pages; `place` and `similarity` give the closest to each dead one,
    -1 for none.
    """
    urls = np.array([*living, ""], dtype=object)[place]
    return dead.assign(
        redirect_to=pd.Series(urls, index=dead.index, dtype="str"), similarity=similarity.astype("float64")
    )
