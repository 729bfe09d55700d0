"""What to do about each backlink, with the reason in words and numbers (docs/definitions.md, verdicts)."""

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.settings import VerdictLimits

DEAD_FROM = 400
"""HTTP status from which a target page is dead: 4xx and 5xx."""


def verdicts(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return columns verdict and why for each link; the first verdict that fits wins.

    `links` has band, relevance, cas, cas_percentile, domain_rating, url_rating, scale, is_lost, followed,
    target_status (NaN where no crawl knows it), risk_signals (how many) and risk_names (which, in words).
    """
    fits = _fits(links, limits)
    names = list(fits)
    choice = np.select(list(fits.values()), list(range(len(fits))), len(fits) - 1)
    why = np.full(len(links), "", dtype=object)
    for place, name in enumerate(names):
        rows = choice == place
        if rows.any():
            why[rows] = _why(name, links[rows], limits)
    return pd.DataFrame({"verdict": np.array(names, dtype=object)[choice], "why": why}, index=links.index).astype("str")


def _fits(links: pd.DataFrame, limits: VerdictLimits) -> dict[str, np.ndarray]:
    """Return which links each verdict fits, in the order in which they are tried."""
    band, percentile = links["band"], links["cas_percentile"]
    relevant = band == labels.BAND_RELEVANT.word
    off_topic = band == labels.BAND_OFF_TOPIC.word
    gone = links["is_lost"] | (links["target_status"] >= DEAD_FROM)
    authority, ratings = site_authority(links), site_rating_names(links)
    low = authority < limits_of(ratings, "undervalued_below", limits.undervalued_below)
    high = authority >= limits_of(ratings, "strong_from", limits.strong_from)
    fits = {
        labels.RECLAIM: gone & (relevant | (percentile >= limits.reclaim_percentile)),
        labels.REVIEW: links["risk_signals"] >= limits.review_signals,
        labels.PROTECT: ~gone & links["followed"] & relevant & (percentile >= limits.protect_percentile),
        labels.UNDERVALUED: relevant & low,
        labels.OFF_TOPIC_AUTHORITY: high & off_topic,
        labels.RELEVANT: relevant,
        labels.WEAK: band == labels.BAND_WEAK.word,
        labels.OFF_TOPIC: off_topic,
        labels.NOT_ENOUGH_DATA: band == "",
    }
    return {label.word: rows.to_numpy(dtype=bool) for label, rows in fits.items()}


def _why(name: str, links: pd.DataFrame, limits: VerdictLimits) -> pd.Series:
    """Return one sentence per link, all of which have that verdict."""
    beats = "closer to its target page than " + _whole(links["relevance"]) + "% of unrelated topics"
    stands = _cas_sentence(links)
    authority = site_rating_names(links) + " " + _whole(site_authority(links))
    if name == labels.RECLAIM.word:
        return _how_gone(links) + ", though " + _worth(links, limits, beats, stands) + "."
    if name == labels.REVIEW.word:
        noun = links["risk_signals"].eq(1).map({True: " risk signal (", False: " risk signals ("})
        return _whole(links["risk_signals"]) + noun + links["risk_names"] + "); " + _relevance_words(links, beats) + "."
    if name == labels.PROTECT.word:
        return "Live and followed; " + beats + "; " + stands + "."
    if name == labels.UNDERVALUED.word:
        return _capitalised(beats) + ", on a site of only " + authority + "."
    if name == labels.OFF_TOPIC_AUTHORITY.word:
        return "A site of " + authority + ", but " + beats.str.replace("than", "than only", n=1) + "."
    if name == labels.NOT_ENOUGH_DATA.word:
        return pd.Series("No text on one of the two sides, so nothing to compare.", links.index)
    if name == labels.RELEVANT.word:
        return _capitalised(beats) + "; " + stands + "."
    return _capitalised(beats.str.replace("than", "than only", n=1)) + "."


def _how_gone(links: pd.DataFrame) -> pd.Series:
    dead = "The target page answers " + _whole(links["target_status"])
    return dead.mask(links["is_lost"], "The link is lost")


def _worth(links: pd.DataFrame, limits: VerdictLimits, beats: pd.Series, stands: pd.Series) -> pd.Series:
    relevant = links["band"] == labels.BAND_RELEVANT.word
    strong = links["cas_percentile"] >= limits.reclaim_percentile
    both = beats + " and " + stands
    return both.mask(relevant & ~strong, beats).mask(~relevant, stands)


def _relevance_words(links: pd.DataFrame, beats: pd.Series) -> pd.Series:
    return beats.mask(links["relevance"].isna(), "no text to compare on one of the two sides")


def _cas_sentence(links: pd.DataFrame) -> pd.Series:
    known = links["cas"].notna()
    score = links["cas"].map("{:.3f}".format).astype("str")
    sentence: pd.Series = "CAS " + score + " (percentile " + _whole(links["cas_percentile"]) + ")"
    return sentence.where(known, "no CAS")


def _whole(numbers: pd.Series) -> pd.Series:
    """Return numbers as text without decimals, rounded down so that 99.8% never reads 100%."""
    return numbers.astype("float64").floordiv(1).astype("Int64").astype("str")


def _capitalised(sentences: pd.Series) -> pd.Series:
    return sentences.str.slice(0, 1).str.upper() + sentences.str.slice(1)
