"""Which sites that already link are worth approaching, for what, the most worth first."""

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import brand_names, poor_anchors
from backlink_audit.analysis.patterns import matched
from backlink_audit.analysis.prospect_kinds import prospect_kinds
from backlink_audit.analysis.reclaim import DEAD_FROM, not_read
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.settings import RatingLimits
from backlink_audit.text.urls import normalise_urls

UNKNOWN_RANK = 0.25
"""Stands for the place of a site without a rating among the others, 0-1: below the middle, not last."""
ANCHOR_SHOWN = 60
"""Characters of an anchor that a sentence quotes."""
PROSE_WORDS = 6
"""Words on one side of a link from which it stands in a text: a label in a list has fewer ("More on this:")."""
ENTERED = ("coupon", "profile", "forum", "directory")
"""Sorts of pages (`prospect_kinds`) where whoever comes enters links by rules of the site: nobody there is asked."""
ENTERED_AT = (
    r"(?i)/@|/(members?|compan(y|ies)(-profile)?|business|manufacturers?|ads?|classifieds|bookmarks?|"
    r"search|tags?|jobs?|episodes?|podcasts?|server|reels|brand)(/|\?|$)"
)
"""Parts of the addresses of such pages (RE2)."""
FOOTNOTE = r"^[\W_]*\d*[\W_]*$"
"""Anchors without words: the numbers that answers of machines and lists of sources have."""

DEAD = "The link points to a page that returns {status}: ask to link to a live page."
LOST = "The link was removed: ask to add it again."
PERHAPS_LOST = (
    "The export marks the link as lost, but its page could not be read: check the page first, then ask to add the "
    "link again."
)
NOFOLLOW = "The link is nofollow: ask for a followed link."
REDIRECTED = "The link points to an old URL that redirects: ask to link directly to {target}."
OUTSIDE = "The link is outside the main content: ask for a link in the text of a relevant article."
POOR_ANCHOR = "The anchor “{anchor}” does not describe your page: ask for an anchor that does."
NO_WORDS = "The link has no anchor text: ask for an anchor that describes your page."
ONE_LINK = "A strong site with only one link: suggest another page or an article."

COLUMNS = (
    *("referring_domain", "asks", "authority", "relevance", "links"),
    *("example_url", "example_title", "example_anchor", "target_url"),
)


def outreach(links: pd.DataFrame, strong_from: RatingLimits = ()) -> pd.DataFrame:
    """Return one row per site worth approaching: `COLUMNS`, the most worth first.

    `links` are those of an audit: band, page_kind, verdict, relevance, link_state, placement, followed, nofollow, ugc,
    sponsored, link_type, target_status, over_redirect, linked_url, referring_domain, target_domain, target_key, anchor,
    names_site, words_around, own_site, http_status, is_lost and the ratings. Only relevant real pages of other
    sites count, without the verdicts Review and Ignore. A site is left out where one of its links is good (live,
    followed, in a text, straight to a working page, with words that say what), but for links to dead pages, and for
    strong sites whose only link that is.

    First what is lost, then links to dead pages, then by worth: relevance, times the place of the site's authority
    among the sites of the same rating (0-1).
    """
    fitting = (
        (links["band"] == labels.BAND_RELEVANT.word)
        & (links["page_kind"] == labels.KIND_PAGE.word)
        & ~links["verdict"].isin([labels.REVIEW.word, labels.IGNORE.word])
        & (links["link_state"] != labels.LINK_DEAD_PAGE.word)
        & (links["own_site"] == "")
    )
    brands = brand_names(links)
    rows = links[fitting.to_numpy(dtype=bool)]
    rows = rows.assign(not_read=not_read(rows))
    faults = _faults(rows, brands)
    if not links["anchor"].str.strip().ne("").any():  # an export without anchors says nothing about words
        faults["poor_anchor"] = False
    authority, ratings = site_authority(rows), site_rating_names(rows)
    strong = authority >= limits_of(ratings, "strong_from", strong_from)
    asked = _worth_asking(
        rows, faults, strong.to_numpy(dtype=bool, na_value=False), knows_texts=bool(links["words_around"].any())
    )
    place = authority.groupby(ratings).rank(pct=True).fillna(UNKNOWN_RANK)
    urgent = 2 * (asked["lost"] & ~rows["not_read"]) + asked["dead"]
    worth = pd.DataFrame({"urgent": urgent, "worth": rows["relevance"] * place})
    live = links[links["link_state"] == labels.LINK_LIVE.word]
    number = live.groupby("referring_domain").size()
    sites = rows["referring_domain"]
    good = ~faults.any(axis=1)
    alone = good & (sites.map(number) == 1) & strong & _edited(rows)
    has_good = good.groupby(sites).transform("any")
    wanted = worth[asked.any(axis=1) & ~has_good | asked["dead"] | alone]
    first = wanted.sort_values(["urgent", "worth"], ascending=False, kind="stable").index
    best = rows.loc[first[~sites[first].duplicated().to_numpy()]]
    found = best.assign(
        asks=_asks(best, asked.loc[best.index]).where(~alone[best.index], ONE_LINK),
        authority=authority[best.index],
        urgent=urgent[best.index],
        worth=worth.loc[best.index, "worth"],
        links=best["referring_domain"].map(links.groupby("referring_domain").size()),
        example_url=best["referring_url"],
        example_title=best["referring_title"],
        example_anchor=best["anchor"],
    )
    return found.sort_values(["urgent", "worth"], ascending=False, kind="stable", ignore_index=True)[list(COLUMNS)]


def _entered(rows: pd.DataFrame) -> pd.Series:
    """Return which links stand on pages where whoever comes enters links, bool."""
    kinds = prospect_kinds(rows["referring_title"], rows["referring_url"])
    return kinds.isin(ENTERED) | matched(rows["referring_url"], ENTERED_AT)


def _edited(rows: pd.DataFrame) -> pd.Series:
    """Return which links somebody of the site chose, bool: not entered, no footnote, not on a page about the target."""
    about_us = rows["names_site"].str.contains("title", regex=False)
    footnote = matched(rows["anchor"], FOOTNOTE) & (rows["anchor"].str.strip() != "")
    return ~(_entered(rows) | about_us | footnote)


def words_around(links: pd.DataFrame) -> pd.Series:
    """Return how many words stand before or after each link, on the side with more: left_context, right_context."""
    sides = [links[side].str.count(r"\S+") for side in ("left_context", "right_context")]
    return sides[0].clip(lower=sides[1]).astype("int64")


def _in_prose(rows: pd.DataFrame) -> pd.Series:
    """Return which links have a text on one side at least, bool."""
    return rows["words_around"] >= PROSE_WORDS


def _worth_asking(rows: pd.DataFrame, faults: pd.DataFrame, strong: np.ndarray, knows_texts: bool) -> pd.DataFrame:
    """Return the faults that a mail may mend, bool.

    What is lost or leads nowhere is worth one wherever an editor may act; the rest only where one chose the link.
    Follow is chosen only in a text, and of a link that stays nofollow nothing else is worth asking; a better anchor, or
    a place in a text, is worth a mail only to a strong site.
    """
    edited = _edited(rows)
    in_text = _in_prose(rows) if knows_texts else pd.Series(strong, rows.index)
    has_words, chosen = ~faults["poor_anchor"], edited & ~faults["nofollow"]
    entered = _entered(rows)
    return faults.assign(
        lost=faults["lost"] & ~entered,
        dead=faults["dead"] & ~entered,
        nofollow=faults["nofollow"] & edited & in_text & has_words,
        outside=faults["outside"] & chosen & strong & has_words,
        redirected=faults["redirected"] & chosen & in_text & has_words,
        poor_anchor=faults["poor_anchor"] & chosen & strong & in_text,
    )


def _faults(rows: pd.DataFrame, brands: tuple[str, ...]) -> pd.DataFrame:
    """Return what is wrong with each link, bool, in the order in which it is asked for."""
    image = rows["link_type"].str.lower() == "image"
    known = {name: rows[name].fillna(False).astype(bool) for name in ("nofollow", "ugc", "sponsored")}
    moved = rows["over_redirect"].astype(bool) & (normalise_urls(rows["linked_url"]) != rows["target_key"])
    faults = {
        "lost": rows["link_state"] == labels.LINK_LOST.word,
        "dead": rows["target_status"] >= DEAD_FROM,
        # What visitors wrote or somebody paid for has to be nofollow.
        "nofollow": known["nofollow"] & ~known["ugc"] & ~known["sponsored"],
        "outside": (rows["placement"] == labels.OUTSIDE_CONTENT.word) & ~_in_prose(rows),
        "redirected": moved,
        "poor_anchor": poor_anchors(rows, brands) & ~image,
    }
    return pd.DataFrame({name: values.to_numpy(dtype=bool) for name, values in faults.items()}, index=rows.index)


def _asks(rows: pd.DataFrame, faults: pd.DataFrame) -> pd.Series:
    """Return what to ask for of each link, "" where nothing is wrong with it; the first fault that it has."""
    status = rows["target_status"].astype("Int64").astype("str")
    anchors = rows["anchor"].str.slice(0, ANCHOR_SHOWN)
    words: dict[str, pd.Series | str] = {
        "lost": rows["not_read"].map({True: PERHAPS_LOST, False: LOST}).astype("str"),
        "dead": status.map(lambda code: DEAD.format(status=code)),
        "nofollow": NOFOLLOW,
        "outside": OUTSIDE,
        "redirected": rows["target_url"].map(lambda url: REDIRECTED.format(target=url)),
        "poor_anchor": anchors.map(lambda text: POOR_ANCHOR.format(anchor=text) if text.strip() else NO_WORDS),
    }
    chosen = pd.Series("", index=rows.index, dtype="str")
    for name in reversed(words):
        chosen = chosen.mask(faults[name], words[name])
    return chosen.astype("str")
