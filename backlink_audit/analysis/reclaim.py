"""Which links to win back: lost ones, and those whose target page is dead."""

import numpy as np
import pandas as pd

DEAD_FROM = 400
"""HTTP status from which a target page is dead: 4xx and 5xx."""
ANCHORS_TOLD = 3
"""How many of a dead page's anchors speak for it."""

REASONS = {
    "removedfromhtml": "the link was removed from the page",
    "notfound": "the linking page is not found",
    "pageerror": "the linking page answers with an error",
    "pageredirected": "the linking page redirects",
    "lostredirect": "the redirect that led here is gone",
    "noindex": "the linking page is set to noindex",
    "notcanonical": "the linking page names another page as canonical",
    "tooold": "the tool has not checked the linking page for a long time",
}
"""What the codes mean that Ahrefs writes as lost status and drop reason."""


def links_to_reclaim(links: pd.DataFrame) -> pd.DataFrame:
    """Return the links that are lost or point to a dead page, the highest CAS first, with the column how_lost.

    `links` is scored: is_lost, lost_date, lost_status, drop_reason, target_status (NaN where no crawl tells), cas.
    """
    dead = links["target_status"] >= DEAD_FROM
    found = links[links["is_lost"] | dead]
    ranked = found.sort_values("cas", ascending=False, kind="stable", na_position="last")
    return ranked.assign(how_lost=_how_lost(ranked))


def _how_lost(links: pd.DataFrame) -> pd.Series:
    """In words: lost, with the date and the reason where the export tells them; or what the target page answers."""
    on = " on " + links["lost_date"].dt.strftime("%Y-%m-%d")
    code = links["drop_reason"].where(links["drop_reason"] != "", links["lost_status"]).fillna("")
    reason = code.map({code: REASONS.get(code.strip().casefold(), code) for code in code.unique()}).astype("str")
    lost = "Lost" + on.fillna("") + (": " + reason).where(reason != "", "")
    status = links["target_status"].astype("Int64").astype("str")
    answers = "Target page answers " + status
    dead = links["target_status"] >= DEAD_FROM
    both = lost + "; target page answers " + status
    words = np.select([links["is_lost"] & dead, links["is_lost"]], [both, lost], default=answers)
    return pd.Series(words, index=links.index, dtype="str")


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
    return " ".join(anchors[anchors.str.strip() != ""].value_counts().index[:ANCHORS_TOLD])


def redirect_map(dead: pd.DataFrame, living: pd.Series, place: np.ndarray, similarity: np.ndarray) -> pd.DataFrame:
    """Return `dead_targets`' rows with redirect_to and similarity: "" and NaN where no living page was found.

    `living` are the URLs of the living pages; `place` and `similarity` tell the closest to each dead one,
    -1 for none.
    """
    urls = np.array([*living, ""], dtype=object)[place]
    return dead.assign(
        redirect_to=pd.Series(urls, index=dead.index, dtype="str"), similarity=similarity.astype("float64")
    )
