"""The Contextual Authority Score: authority that a page passes on, weighed by how close the link's two ends are.

    CAS = url_rating / external_links x similarity

Source: the README and code of the original app. Variants: DR in place of UR; a logarithm that softens the dilution,
UR / (1 + ln(external links)) x similarity; and 0 for links that search engines are asked not to follow.
"""

import numpy as np
import pandas as pd

from backlink_audit.judgement.scales import Column, rating_labels
from backlink_audit.labels import LINK_LIVE, OUTSIDE_CONTENT
from backlink_audit.settings import AuditSettings, LinkChoice

NO_SIMILARITY = "no text on one of the two pages"
NO_EXTERNAL_LINKS = "external links not known"
ZERO_EXTERNAL_LINKS = "0 external links"

LEAST_MOVEMENT = 1e-6  # CAS that the same link may differ by between two runs of a model: rounding, not a movement


def contextual_authority(links: pd.DataFrame, settings: AuditSettings) -> pd.Series:
    """Return the CAS of each link, float64, NaN where one of its parts is missing or external_links is 0.

    `links` has url_rating, domain_rating, external_links, similarity and followed.
    """
    external = links["external_links"].where(links["external_links"] > 0)
    diluted = 1 + np.log(external) if settings.log_dilution else external
    score = _authority(links, settings) / diluted * links["similarity"]
    if settings.followed_only:
        score = score.where(links["followed"] | score.isna(), 0.0)
    return (score.rename("cas") + 0.0).astype("float64")  # never -0


def cas_of_new_link(url_rating: pd.Series, external_links: pd.Series, similarity: pd.Series) -> pd.Series:
    """Return the CAS that one more link on a page would have, float64: it is one more that the page's authority feeds.

    NaN where a part is missing.

    >>> cas_of_new_link(pd.Series([30.0]), pd.Series([9.0]), pd.Series([0.5])).tolist()
    [1.5]
    """
    return (url_rating / (external_links + 1) * similarity).astype("float64")


def blank_reasons(links: pd.DataFrame, settings: AuditSettings) -> dict[str, int]:
    """Return how many links have no CAS, by the first reason that applies; reasons that apply to none are left out."""
    external = links["external_links"]
    reasons = {
        NO_SIMILARITY: links["similarity"].isna(),
        f"{rating_labels(links['scale'])[_column(settings)]} not known": _authority(links, settings).isna(),
        NO_EXTERNAL_LINKS: external.isna(),
        ZERO_EXTERNAL_LINKS: external <= 0,
    }
    named = pd.Series(np.select(list(reasons.values()), list(reasons), ""), links.index)
    counts = named[named != ""].value_counts()
    return {reason: int(counts[reason]) for reason in reasons if reason in counts}


def percentiles(scores: pd.Series, among: pd.Series | None = None) -> pd.Series:
    """Return the place of each score among those that are not blank, 0 (lowest) to 100 (highest).

    Equal scores share the middle of their places, so that a file full of zeros puts them in the middle of the
    bottom, never at the top; a lone score has 50. `among`: whose scores the places are among, bool; all by default,
    and where those have fewer than two.
    """
    known = scores.notna() if among is None else among & scores.notna()
    if among is not None and known.sum() < 2:
        return percentiles(scores)
    others = np.sort(scores[known].to_numpy(dtype=float))
    below, up_to = (np.searchsorted(others, scores.to_numpy(dtype=float), side) for side in ("left", "right"))
    of_others = len(others) - known.to_numpy()
    middle = (below + up_to - known.to_numpy()) / 2  # a score is not above itself
    places = np.where(of_others > 0, 100 * middle / np.maximum(of_others, 1), 50.0)
    return pd.Series(places, scores.index).where(scores.notna())


def rank_links(
    cas: pd.Series, prints: pd.DataFrame, own: pd.Series | None = None, trusted: pd.Series | None = None
) -> pd.DataFrame:
    """Return the place of the CAS of each link (`percentiles`), and whether it is the best copy of its link.

    `prints` has same_link, a number for each link, alike for the same link on several pages of a domain, 0 for none;
    page_link, alike for one link under several addresses of its page (scheme, www, tracking); and address, a number for
    each page's URL, by which one of equals is chosen. Columns cas_percentile, is_best_copy, addresses (how many the
    page has) and is_other_address (another one stands for it); all are about the whole export. `own`: links from the
    target's own sites, bool, which have no place among the others'. `trusted`: among whom the others have theirs.
    """
    same_link = prints["same_link"].to_numpy()
    address = prints["address"].to_numpy()
    order = np.lexsort((address, -cas.fillna(-np.inf).to_numpy(dtype=float)))
    others = pd.Series(same_link[order], cas.index[order])
    best = ~(others.duplicated() & (others != 0)).reindex(cas.index)
    others_cas = cas if own is None else cas.mask(own)
    by_address = pd.Series(prints["page_link"].to_numpy()[np.argsort(address)], cas.index[np.argsort(address)])
    return pd.DataFrame(
        {
            "cas_percentile": percentiles(others_cas, trusted),
            "is_best_copy": best,
            "addresses": by_address.groupby(by_address).transform("size").reindex(cas.index),
            "is_other_address": by_address.duplicated().reindex(cas.index),
        }
    )


def original_columns(links: pd.DataFrame) -> pd.DataFrame:
    """Return the original app's two columns as it rounded them, whole numbers (Int64), blank where undefined.

    Cosine Similarity = round(round(cos, 3) x 100); Contextual Authority Score =
    round(round(UR / external links x round(cos, 3), 3) x 100); halves go to the even neighbour. The app had its
    cosines in single precision, which decides some of the halves, so this does too.
    """
    cosine = links["similarity"].astype("float32").round(3)
    external = links["external_links"].where(links["external_links"] > 0)
    score = (links["url_rating"] / external * cosine.astype("float64")).round(3)
    whole = {"Cosine Similarity": cosine, "Contextual Authority Score": score}
    return pd.DataFrame({name: (value * 100).round().astype("Int64") for name, value in whole.items()})


def _authority(links: pd.DataFrame, settings: AuditSettings) -> pd.Series:
    return links[_column(settings)]


def _column(settings: AuditSettings) -> Column:
    return "url_rating" if settings.authority == "UR" else "domain_rating"


def chosen_links(links: pd.DataFrame, choice: LinkChoice) -> pd.Series:
    """Return which links are chosen, bool, with their index.

    `links` has link_state, placement, referring_domain, referring_url and url_rating; judged ones also attack and
    is_other_address. Of one page's addresses one is chosen, unless everything is. Live in content: a link whose
    placement the export does not know may be in the content, so it stays.
    """
    chosen = pd.Series(True, index=links.index)
    if choice.links != "everything":
        chosen &= links["link_state"] == LINK_LIVE.word
    if choice.links != "everything" and "is_other_address" in links:
        chosen &= ~links["is_other_address"]
    if choice.links == "live in content":
        chosen &= links["placement"] != OUTSIDE_CONTENT.word
    if choice.without_attacks and "attack" in links:
        chosen &= links["attack"] == ""
    if choice.one_per_domain:
        chosen &= chosen.index.isin(_best_of_domain(links[chosen]))
    return chosen


def _best_of_domain(links: pd.DataFrame) -> pd.Index:
    ordered = links.sort_values(["url_rating", "referring_url"], ascending=[False, True], kind="stable")
    return ordered["referring_domain"].drop_duplicates().index
