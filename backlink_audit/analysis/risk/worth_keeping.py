"""Which referring domains look worth keeping, and why: nobody disavows such a one without having seen it."""

import re
from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import brand_of
from backlink_audit.analysis.patterns import matched
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.settings import VerdictLimits
from backlink_audit.text.urls.institutions import institution_of
from backlink_audit.text.urls.parts import map_distinct, owners_share
from backlink_audit.text.word_lists import read_list
from backlink_audit.wording import count

SHORTEST_NAME = 4
"""Letters of a site's name from which an address that holds it names that site."""
RELATION = "named as customer or partner"
NOT_JUDGED = "relevance not known yet"
COLUMNS = ("referring_domain", "authority", "rating", "why")


def worth_keeping(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return the referring domains that look worth keeping, the strongest first: COLUMNS.

    `rating` is the authority in words ("DR 71", "" where it is not known), `why` the reasons. A domain looks worth
    keeping by any of: a link of `labels.PRAISE`; a relevant link that is not to review; the host of a public
    authority, a university or the like; a site that is strong on its own scale (`analysis.scales`); a page or one
    of our pages that names it as customer or partner. No risk signal is asked: they may be wrong.

    `links`: referring_url, referring_domain, target_url, scale and the ratings; verdict and band where an audit has
    judged them.
    """
    sites = site_strengths(links)
    strong = sites["authority"] >= limits_of(sites["rating_name"], "strong_from", limits.strong_from)
    strong &= ~_shared(sites["referring_domain"])  # the rating of a host of many owners is nobody's own
    unknown = "" if "verdict" in links else f", {NOT_JUDGED}"
    judged, named = _judged(links), set(links.loc[_names_a_relation(links), "referring_domain"])
    reasons = (
        (judged.get(site, ""), institution_of(site), RELATION * (site in named), (rating + unknown) * is_strong)
        for site, rating, is_strong in zip(sites["referring_domain"], sites["rating"], strong, strict=True)
    )
    found = sites.assign(why=pd.Series(["; ".join(filter(None, each)) for each in reasons], sites.index, dtype="str"))
    return found.loc[found["why"] != "", list(COLUMNS)].reset_index(drop=True)


def site_strengths(links: pd.DataFrame) -> pd.DataFrame:
    """Return each referring domain with the best authority of its links, the strongest first.

    Columns: referring_domain, authority, rating_name, rating (both in words, "DR 71"; "" where it is not known).
    """
    authority, names = site_authority(links), site_rating_names(links)
    words = names + " " + authority.fillna(0).round(1).map("{:g}".format).astype("str")
    rows = pd.DataFrame(
        {
            "referring_domain": links["referring_domain"],
            "authority": authority,
            "rating_name": names,
            "rating": words.where(authority.notna(), ""),
        }
    )
    best = rows.sort_values("authority", ascending=False, kind="stable").drop_duplicates("referring_domain")
    return best.reset_index(drop=True)


def _shared(sites: pd.Series) -> np.ndarray:
    return np.fromiter(map(owners_share, sites), bool, len(sites))


def _judged(links: pd.DataFrame) -> Mapping[str, str]:
    """Return what the audit's judgement shows of each domain: how many links have a good verdict, else are relevant."""
    if "verdict" not in links:
        return {}
    good = links["verdict"].isin([label.word for label in labels.PRAISE])
    relevant = (links["band"] == labels.BAND_RELEVANT.word) & ~good & (links["verdict"] != labels.REVIEW.word)
    found: dict[str, str] = {}
    for site, rows in links[good | relevant].groupby("referring_domain", sort=False):
        verdicts = rows["verdict"].value_counts()
        first = next((label.word for label in labels.PRAISE if label.word in verdicts), "")
        found[str(site)] = (
            f"{count(int(verdicts[first]), 'link')} with the verdict {first}"
            if first
            else count(len(rows), "relevant link")
        )
    return found


def _names_a_relation(links: pd.DataFrame) -> pd.Series:
    """Return which links show a customer or partner, bool.

    The referring page's address has a part such as "partners", or our own page has one and names the site behind it.
    """
    own_words = matched(links["target_url"], _relation())
    names = map_distinct(links["referring_domain"], brand_of)
    paths = map_distinct(links["target_url"], _path_in_one_word)
    by_us = [
        said and len(name) >= SHORTEST_NAME and name in path
        for said, name, path in zip(own_words, names, paths, strict=True)
    ]
    return matched(links["referring_url"], _relation()) | pd.Series(by_us, links.index, dtype="bool")


def _path_in_one_word(url: str) -> str:
    return re.sub(r"[\W_]+", "", url.partition("://")[2].partition("/")[2]).casefold()


@cache
def _relation() -> str:
    """Return a pattern (RE2) of a part of an address that says customer, partner or the like in some language."""
    words = "|".join(sorted({word for row in read_list("relation_words") for word in row["words"].split("|")}))
    return rf"(?i)^https?://[^/]+/(?:[^?#]*/)?(?:our-)?(?:{words})(?:[/?#.]|$)"
