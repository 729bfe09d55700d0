"""Which links are worth the time of a client who is asked to act on them: a few that count, rather than many."""

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import brand_names, classify_anchors, content_words, fold
from backlink_audit.analysis.patterns import matched
from backlink_audit.analysis.risk.keyword_anchors import MOST_WORDS, is_in_small_letters
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.analysis.scoring.outreach import FOOTNOTE, entered_by_visitors, in_prose
from backlink_audit.text.pages.brands import split_title

LEAST_CAS = 0.005
"""CAS that is written as 0.00: the page passes next to nothing on."""
LEAST_WORTH = 70
"""Probability in percent that a link is worth keeping from which a client is asked to keep it: more than the 52
that is enough for the verdict Protect where the page is relevant."""
MOST_EXTERNAL_LINKS = 100
"""External links of a page up to which one of them is somebody's choice."""
PICTURE = r"(?i)\.(jpe?g|png|gif|webp|svg)([?#]|$)"
"""Ends of addresses that are pictures (RE2): other sites show them, and nobody reads the link."""
RESULTS = r"(?i)/search[/?]"
"""In addresses of search results (RE2), which no one wrote."""
WORDS_OF_A_TITLE = 3
"""Fewer words are the title of many pages: Home, Contact us."""


def worth_an_action(links: pd.DataFrame, every: pd.DataFrame) -> pd.Series:
    """Return which links are worth an action of their own in a client's report, bool; same index as `links`.

    Their site is `known_enough`, their page has at most `MOST_EXTERNAL_LINKS` and is no list of search results, and
    they lead to no picture. Lost links are left out where visitors enter links themselves; the others where their worth
    is below `LEAST_WORTH` or their CAS nearly 0, and where nobody of the site chose them: footnotes, keywords that lead
    to the home page, and, outside of a sentence, bare addresses, single words, links without words and profiles of the
    target.

    `links` are some of `every`, the scored links of an audit.
    """
    crowded = links["external_links"] > MOST_EXTERNAL_LINKS
    unread = matched(links["target_url"], PICTURE) | matched(links["referring_url"], RESULTS)
    lost = links["verdict"] == labels.RECLAIM.word
    weak = (links["cas"] < LEAST_CAS) | (links["worth"] < LEAST_WORTH)
    left_out = np.where(lost, entered_by_visitors(links), weak | _not_chosen(links, every))
    return known_enough(links) & ~(crowded | unread | left_out)


def known_enough(links: pd.DataFrame) -> pd.Series:
    """Return which links are of a site that is worth an email, or that is not rated, bool.

    `links` has scale, url_rating and domain_rating.
    """
    return ~(site_authority(links) < limits_of(site_rating_names(links), "prospect_from"))


def titles_of_their_own(links: pd.DataFrame) -> pd.Series:
    """Return what each page is called, without the names of its site; its address where that is too short.

    Pages of two sites with one title are copies of each other.
    """
    titles = [max(split_title(title), key=len, default="").casefold() for title in links["referring_title"]]
    named = pd.Series(titles, links.index, dtype="str")
    return named.where(named.str.count(" ") >= WORDS_OF_A_TITLE - 1, links["referring_url"])


def _not_chosen(links: pd.DataFrame, every: pd.DataFrame) -> pd.Series:
    """Return which links nobody chose for a reader, bool."""
    classes = classify_anchors(links, brand_names(every))
    words = links["anchor"].map(fold)
    plain = classes.isin([labels.EXACT_MATCH.word, labels.PARTIAL_MATCH.word, labels.OTHER_ANCHOR.word])
    bare = classes.isin([labels.NAKED_URL.word, labels.NO_ANCHOR.word]) | plain & (words.str.len() == 1)
    about_us = links["names_site"].str.contains("title", regex=False)
    aside = ~in_prose(links) if every["words_around"].any() else pd.Series(False, links.index)
    footnote = (links["anchor"] != "") & matched(links["anchor"], FOOTNOTE)
    return footnote | (bare | about_us) & aside | plain & _keyword_to_home(links, words)


def _keyword_to_home(links: pd.DataFrame, words: pd.Series) -> pd.Series:
    """Return which anchors are keywords, bool: a home page is linked by its name, or by what an article was made for.

    `words`: those of each anchor. A keyword is in small letters, and in the title of its page.
    """
    home = ~links["target_key"].str.contains("/", regex=False)
    pairs = zip(links["anchor"], words, links["referring_title"], strict=True)
    keyword = [
        0 < len(content := _stems(content_words(own))) <= MOST_WORDS
        and is_in_small_letters(anchor)
        and content <= _stems(fold(title))
        for anchor, own, title in pairs
    ]
    return home & pd.Series(keyword, links.index, dtype=bool)


def _stems(words: list[str]) -> set[str]:
    """Return words without the s of a plural."""
    return {word.rstrip("s") for word in words}
