"""Which links to win back: lost ones, and those whose target page is dead."""

import numpy as np
import pandas as pd

from backlink_audit.labels import KIND_PAGE, RECLAIM

DEAD_FROM = 400
"""HTTP status from which a target page is dead: 4xx and 5xx."""
MOST_ANCHORS = 3
"""How many of a dead page's anchors the table shows, the most frequent first."""
REFUSED = (403, 429)
"""HTTP statuses of a page that turned the tool's crawler away, and so says nothing about its links; so does 5xx."""
FAILED_FROM = 500
REASONS = {
    "removedfromhtml": "the link was removed from the page",
    "notfound": "the referring page was not found",
    "pageerror": "the referring page returns an error",
    "pageredirected": "the referring page redirects",
    "lostredirect": "the redirect to this page was removed",
    "noindex": "the referring page is set to noindex",
    "notcanonical": "the referring page has another canonical URL",
    "tooold": "the tool has not checked the referring page for a long time",
}
"""What the codes mean that Ahrefs writes as lost status and drop reason."""
NOT_READ = "; the page could not be read (HTTP {status}): check if the link still exists"


def gone(links: pd.DataFrame) -> pd.Series:
    """Return which links are lost or point to a dead page, bool: is_lost, target_status (NaN where not known)."""
    return links["is_lost"] | (links["target_status"] >= DEAD_FROM)


def links_to_reclaim(links: pd.DataFrame) -> pd.DataFrame:
    """Return the gone links with the verdict Reclaim, and in words how they were lost (how_lost).

    Real pages first, each by CAS; lost links whose page could not be read (`not_read`) come last: they may be live.
    `links` is scored: is_lost, lost_date, lost_status, drop_reason, http_status, target_status (NaN where no crawl
    has it), page_kind, cas, verdict.
    """
    found = links[gone(links) & (links["verdict"] == RECLAIM.word)]
    found = found.assign(not_read=not_read(found), other=found["page_kind"] != KIND_PAGE.word)
    ranked = found.sort_values(["not_read", "other", "cas"], ascending=[True, True, False], kind="stable")
    return ranked.drop(columns="other").assign(how_lost=_how_lost(ranked))


def not_read(links: pd.DataFrame) -> pd.Series:
    """Return which links are called lost though their page only turned the crawler away or failed, bool."""
    status = links["http_status"]
    return links["is_lost"] & (status.isin(REFUSED) | (status >= FAILED_FROM))


def _how_lost(links: pd.DataFrame) -> pd.Series:
    """In words: lost, with the date and the reason where the export has them; or what the target page answers."""
    on = " on " + links["lost_date"].dt.strftime("%Y-%m-%d")
    code = links["drop_reason"].where(links["drop_reason"] != "", links["lost_status"]).fillna("")
    reason = code.map({code: REASONS.get(code.strip().casefold(), code) for code in code.unique()}).astype("str")
    lost = "Lost" + on.fillna("") + (": " + reason).where(reason != "", "")
    status = links["target_status"].astype("Int64").astype("str")
    answers = "Target page returns " + status
    dead = links["target_status"] >= DEAD_FROM
    both = lost + "; target page returns " + status
    words = np.select([links["is_lost"] & dead, links["is_lost"]], [both, lost], default=answers)
    sentence = pd.Series(words, index=links.index, dtype="str")
    refused = links["http_status"].astype("Int64").map(lambda status: NOT_READ.format(status=status)).astype("str")
    return sentence + refused.where(links["not_read"], "")


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
