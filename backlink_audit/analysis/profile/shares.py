"""What a backlink profile is made of: counts and shares of the values that links have, for links and for domains."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.referring_sites.domains import roll_up
from backlink_audit.analysis.scales import CHECK_FROM, MIDDLE_FROM, STRONG_FROM, site_authority
from backlink_audit.labels import BAND_RELEVANT
from backlink_audit.text.urls.parts import normalise_urls

JUDGED = ("similarity", "relevance", "cas", "topic", "topic_field", "verdict")
"""Columns that only an audit's links have."""
AUTHORITY_BANDS = ("50+", "20–49", "1–19 (check)", "0", "not given")
"""Bands of authority on any scale, strongest first. From 1 to 19: check, no more; every site starts there."""
NOT_CHECKED = 0
"""The HTTP status of a page that the tool did not ask."""
ATTRIBUTES = {"nofollow": "nofollow", "UGC": "ugc", "sponsored": "sponsored"}


def is_judged(links: pd.DataFrame) -> bool:
    """Return whether the links come from an audit."""
    return all(name in links for name in JUDGED)


def breakdown(values: pd.Series, domains: pd.Series) -> pd.DataFrame:
    """Return one row per value, most frequent first: value, links, domains (distinct), share (0-1); "" is left out.

    >>> breakdown(pd.Series(["en", "de", "en", ""]), pd.Series(["a", "b", "a", "c"])).to_dict("list")
    {'value': ['en', 'de'], 'links': [2, 1], 'domains': [1, 1], 'share': [0.6666666666666666, 0.3333333333333333]}
    """
    known = (values != "").to_numpy()
    codes, distinct = pd.factorize(values[known])
    domain_codes, _ = pd.factorize(domains[known])
    links = np.bincount(codes, minlength=len(distinct))
    table = pd.DataFrame(
        {
            "value": pd.Series(distinct, dtype="str"),
            "links": links,
            "domains": distinct_per_group(codes, domain_codes, len(distinct)),
            "share": links / max(1, len(codes)),
        }
    )
    return table.sort_values("links", ascending=False, kind="stable", ignore_index=True)


def distinct_per_group(groups: np.ndarray, members: np.ndarray, count: int) -> np.ndarray:
    """Return how many distinct members each of `count` groups has; both are codes from 0, row by row.

    >>> distinct_per_group(np.array([0, 0, 1, 0]), np.array([5, 5, 5, 7]), 2).tolist()
    [2, 1]
    """
    width = int(members.max(initial=0)) + 1
    pairs = np.unique(groups.astype(np.int64) * width + members)
    return np.bincount(pairs // width, minlength=count)


def referring_domains(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per referring domain, strongest first; what an audit judges only where it did.

    Columns: those of `analysis.referring_sites.domains.roll_up`.
    """
    if is_judged(links):
        domains = roll_up(links)
    else:
        blank = links.assign(similarity=np.nan, relevance=np.nan, cas=np.nan, topic="", verdict="")
        domains = roll_up(blank).drop(columns=["mean_similarity", "mean_relevance", "best_cas", "topic", "verdict"])
    by = ["authority", "links"]
    return domains.sort_values(by, ascending=False, kind="stable", na_position="last", ignore_index=True)


def authority_band(authority: pd.Series) -> pd.Series:
    """Return the band of each authority (0-100), one of `AUTHORITY_BANDS`.

    >>> authority_band(pd.Series([72, 49.9, 20, 19, 0.5, None])).tolist()
    ['50+', '20–49', '20–49', '1–19 (check)', '0', 'not given']
    """
    strong, middle, low, none, unknown = AUTHORITY_BANDS
    chosen = np.select(
        [authority >= STRONG_FROM, authority >= MIDDLE_FROM, authority >= CHECK_FROM, authority.notna()],
        [strong, middle, low, none],
        unknown,
    )
    return pd.Series(chosen, index=authority.index, dtype="str")


def authority_bands(domains: pd.DataFrame) -> pd.DataFrame:
    """Return how many referring domains and links each band has: value, links, domains, share of the domains."""
    bands = authority_band(domains["authority"])
    table = pd.DataFrame({"links": domains["links"].groupby(bands).sum(), "domains": bands.value_counts()})
    table = table.reindex(AUTHORITY_BANDS, fill_value=0).rename_axis("value").reset_index()
    return table.assign(share=table["domains"] / max(1, len(domains)))


def link_attributes(links: pd.DataFrame) -> pd.DataFrame:
    """Return how many links are followed, nofollow, UGC and sponsored; the last three may overlap."""
    rows = {"followed": links["followed"]}
    rows |= {name: links[column].fillna(False).astype(bool) for name, column in ATTRIBUTES.items()}
    return pd.DataFrame(
        [
            {
                "value": name,
                "links": int(found.sum()),
                "domains": int(links.loc[found, "referring_domain"].nunique()),
                "share": float(found.mean()),
            }
            for name, found in rows.items()
        ]
    )


def http_statuses(status: pd.Series) -> pd.Series:
    """Return HTTP statuses as words: "200", "not checked", "" where missing.

    >>> http_statuses(pd.Series([200.0, 0, None])).tolist()
    ['200', 'not checked', '']
    """
    words = status.astype("Int64").astype("str").fillna("")
    return words.mask(status == NOT_CHECKED, "not checked")


def toxic_bands(scores: pd.Series, toxic: float, maybe: float) -> pd.Series:
    """Return the band of each toxic score in words, "" where there is none.

    >>> toxic_bands(pd.Series([70, 50, 3, None]), 60, 45).tolist()
    ['toxic (60 or more)', 'potentially toxic (45 to 59)', 'below 45', '']
    """
    words = [f"toxic ({toxic:g} or more)", f"potentially toxic ({maybe:g} to {toxic - 1:g})", f"below {maybe:g}"]
    chosen = np.select([scores >= toxic, scores >= maybe, scores.notna()], words, "")
    return pd.Series(chosen, index=scores.index, dtype="str")


def may_bring_visitors(links: pd.DataFrame, visits: float) -> pd.DataFrame:
    """Return the relevant links that are not followed on pages with so many monthly visits, the busiest first."""
    found = links[
        (links["band"] == BAND_RELEVANT.word) & ~links["followed"].astype(bool) & (links["page_traffic"] >= visits)
    ]
    return found.sort_values("page_traffic", ascending=False, kind="stable")


def target_pages(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per target page, the most linked by domains first.

    Columns: target_url (as first written), links, domains, followed_share, authority (the best referring domain's),
    and for an audit's links mean_similarity, mean_relevance, best_cas.
    """
    figures = {
        "target_url": ("target_url", "first"),
        "links": ("followed", "size"),
        "followed_share": ("followed", "mean"),
        "authority": ("authority", "max"),
    }
    if is_judged(links):
        figures |= {
            "mean_similarity": ("similarity", "mean"),
            "mean_relevance": ("relevance", "mean"),
            "best_cas": ("cas", "max"),
        }
    codes, distinct = pd.factorize(links["target_key"])
    rows = links.assign(authority=site_authority(links), followed=links["followed"].astype("float64"))
    pages = rows.groupby(codes).agg(**figures)
    domain_codes, _ = pd.factorize(links["referring_domain"])
    pages.insert(2, "domains", distinct_per_group(codes, domain_codes, len(distinct)))
    return pages.sort_values(["domains", "links"], ascending=False, kind="stable", ignore_index=True)


def best_pages(figures: pd.DataFrame, by: str, targets: pd.DataFrame) -> pd.DataFrame:
    """Return one row per page with figures, the highest `by` first, with its links: 0 where none is known.

    `figures` is by page key (`analysis.page_figures`), `targets` as `target_pages` gives it. Columns: page, the figures
    that any page has, links, domains, followed_share (NaN without links).
    """
    linked = targets.set_axis(normalise_urls(targets["target_url"]))[["links", "domains", "followed_share"]]
    found = figures.dropna(axis=1, how="all").join(linked)
    found = found.assign(**{name: found[name].fillna(0).astype("int64") for name in ("links", "domains")})
    return found.sort_values(by, ascending=False, kind="stable", na_position="last", ignore_index=True) if by else found


def topic_mix(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per topic of an audit's links: topic_field, topic, links, domains, share."""
    both = (links["topic_field"] + "\0" + links["topic"]).where(links["topic_field"] != "", "")
    topics = breakdown(both, links["referring_domain"]).rename(columns={"value": "topic"})
    names = topics["topic"].str.split("\0", n=1)
    topics["topic"] = names.str[1].astype("str")
    topics.insert(0, "topic_field", names.str[0].astype("str"))
    return topics
