"""Which sites that already link are worth approaching, for what, the most worth first."""

import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import brand_names, poor_anchors
from backlink_audit.analysis.reclaim import DEAD_FROM
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.settings import RatingLimits
from backlink_audit.text.urls import normalise_urls

UNKNOWN_RANK = 0.25
"""Stands for the place of a site without a rating among the others, 0-1: below the middle, not last."""
ANCHOR_SHOWN = 60
"""Characters of an anchor that a sentence quotes."""

DEAD = "The link leads to a page that answers {status}: ask to change the link to a live page."
LOST = "The link is gone: ask to put it back."
NOFOLLOW = "The link is nofollow: ask for a followed one."
REDIRECTED = "The link goes to an old address that redirects: ask to link straight to {target}."
OUTSIDE = "The link is outside the main content: ask for one in the text of a relevant article."
POOR_ANCHOR = "The anchor “{anchor}” does not say what the page is about: ask for an anchor that does."
NO_WORDS = "The link has no anchor text: ask for one that says what the page is about."
ONE_LINK = "A strong site with one link only: offer another page or an article."

COLUMNS = (
    *("referring_domain", "asks", "authority", "relevance", "links"),
    *("example_url", "example_title", "example_anchor", "target_url"),
)


def outreach(links: pd.DataFrame, strong_from: RatingLimits = ()) -> pd.DataFrame:
    """Return one row per site worth approaching: `COLUMNS`, the most worth first.

    `links` are those of an audit: band, page_kind, verdict, relevance, link_state, placement, followed, nofollow, ugc,
    sponsored, link_type, target_status, over_redirect, linked_url, referring_domain, target_domain, target_key, anchor
    and the ratings. Only relevant real pages of other sites without the verdict Review count. A site is left out where
    one of its links is good (live, followed, in the content, straight to a working page, with words that say what),
    but for links to dead pages, and for strong sites whose only link that is.

    Worth: relevance, times the place of the site's authority among the sites of the same rating (0-1).
    """
    fitting = (
        (links["band"] == labels.BAND_RELEVANT.word)
        & (links["page_kind"] == labels.KIND_PAGE.word)
        & (links["verdict"] != labels.REVIEW.word)
        & (links["link_state"] != labels.LINK_DEAD_PAGE.word)
        & (links["referring_domain"] != links["target_domain"])
    )
    brands = brand_names(links)
    rows = links[fitting.to_numpy(dtype=bool)]
    faults = _faults(rows, brands)
    if not links["anchor"].str.strip().ne("").any():  # an export without anchors says nothing about words
        faults["poor_anchor"] = False
    authority, ratings = site_authority(rows), site_rating_names(rows)
    place = authority.groupby(ratings).rank(pct=True).fillna(UNKNOWN_RANK)
    worth = pd.DataFrame({"dead": faults["dead"], "worth": rows["relevance"] * place})
    live = links[links["link_state"] == labels.LINK_LIVE.word]
    number = live.groupby("referring_domain").size()
    sites = rows["referring_domain"]
    good = ~faults.any(axis=1)
    alone = good & (sites.map(number) == 1) & (authority >= limits_of(ratings, "strong_from", strong_from))
    has_good = good.groupby(sites).transform("any")
    wanted = worth[~has_good | faults["dead"] | alone]
    first = wanted.sort_values(["dead", "worth"], ascending=False, kind="stable").index
    best = rows.loc[first[~sites[first].duplicated().to_numpy()]]
    found = best.assign(
        asks=_asks(best, faults.loc[best.index]).where(~alone[best.index], ONE_LINK),
        authority=authority[best.index],
        worth=worth.loc[best.index, "worth"],
        links=best["referring_domain"].map(links.groupby("referring_domain").size()),
        example_url=best["referring_url"],
        example_title=best["referring_title"],
        example_anchor=best["anchor"],
    )
    return found.sort_values("worth", ascending=False, kind="stable", ignore_index=True)[list(COLUMNS)]


def _faults(rows: pd.DataFrame, brands: tuple[str, ...]) -> pd.DataFrame:
    """Return what is wrong with each link, bool, in the order in which it is asked for."""
    image = rows["link_type"].str.lower() == "image"
    known = {name: rows[name].fillna(False).astype(bool) for name in ("nofollow", "ugc", "sponsored")}
    moved = rows["over_redirect"].astype(bool) & (normalise_urls(rows["linked_url"]) != rows["target_key"])
    faults = {
        "dead": rows["target_status"] >= DEAD_FROM,
        "lost": rows["link_state"] == labels.LINK_LOST.word,
        # What visitors wrote or somebody paid for has to be nofollow.
        "nofollow": known["nofollow"] & ~known["ugc"] & ~known["sponsored"],
        "outside": rows["placement"] == labels.OUTSIDE_CONTENT.word,
        "redirected": moved,
        "poor_anchor": poor_anchors(rows, brands) & ~image,
    }
    return pd.DataFrame({name: values.to_numpy(dtype=bool) for name, values in faults.items()}, index=rows.index)


def _asks(rows: pd.DataFrame, faults: pd.DataFrame) -> pd.Series:
    """Return what to ask for of each link, "" where nothing is wrong with it; the first fault that it has."""
    status = rows["target_status"].astype("Int64").astype("str")
    anchors = rows["anchor"].str.slice(0, ANCHOR_SHOWN)
    words: dict[str, pd.Series | str] = {
        "dead": status.map(lambda code: DEAD.format(status=code)),
        "lost": LOST,
        "nofollow": NOFOLLOW,
        "outside": OUTSIDE,
        "redirected": rows["target_url"].map(lambda url: REDIRECTED.format(target=url)),
        "poor_anchor": anchors.map(lambda text: POOR_ANCHOR.format(anchor=text) if text.strip() else NO_WORDS),
    }
    chosen = pd.Series("", index=rows.index, dtype="str")
    for name in reversed(words):
        chosen = chosen.mask(faults[name], words[name])
    return chosen.astype("str")
