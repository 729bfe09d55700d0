"""What referring sites have in common: an anchor, a page title, a URL pattern, the same link on every page.

Each function answers for all links at once, with plain words where a footprint is found and "" elsewhere.
"""

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import brand_names, classify_anchors
from backlink_audit.analysis.evidence import tell

CHOSEN_ANCHORS = (labels.EXACT_MATCH.word, labels.PARTIAL_MATCH.word, labels.OTHER_ANCHOR.word)
"""Classes whose repetition means something: many sites use a brand, an address or “click here” of their own accord."""
TITLE_WORDS = 2
PATH_WORDS = 3
"""A title or a URL path of fewer different words repeats by chance (“Home”, /forum/member.php)."""
EMPTY_TITLES = (
    "404 not found|page not found|not found|403 forbidden|access denied|just a moment|attention required cloudflare|"
    "log in|sign in|home page|my blog|untitled document|under construction|coming soon|verifying your browser|"
    "security check|error 404|internal server error|bad gateway|service unavailable|are you a robot|robot check|"
    "site not found|account suspended|index of|welcome to nginx|domain for sale"
).split("|")
"""Titles of error pages and doors: the same on many sites, though the sites have nothing in common."""

_DOMAIN = r"\b(?:[\w-]+\.)+[a-z]{2,24}\b"
_NUMBERS = r"[#\d][#\d.,:/-]*"
_NO_WORDS = r"[\W_]+"


def domains_sharing(keys: pd.Series, domains: pd.Series) -> np.ndarray:
    """Return for each row on how many distinct domains its key is found, int; 0 where the key is "".

    >>> domains_sharing(pd.Series(["a", "a", "a", ""]), pd.Series(["x", "x", "y", "x"])).tolist()
    [2, 2, 2, 0]
    """
    key_codes, distinct_keys = pd.factorize(keys)
    domain_codes, distinct_domains = pd.factorize(domains)
    width = len(distinct_domains) + 1
    pairs = np.unique(key_codes.astype(np.int64) * width + domain_codes)
    counts = np.bincount(pairs // width, minlength=len(distinct_keys))
    return np.where(keys.to_numpy() == "", 0, counts[key_codes])


def repeated_anchors(links: pd.DataFrame, at_least: int) -> pd.Series:
    """Tell of anchors that at least so many referring domains use, brands, URLs and generic phrases aside."""
    anchors = links["anchor"].str.strip().str.casefold()
    counts = domains_sharing(anchors, links["referring_domain"])
    candidates = links[counts >= at_least]
    chosen = classify_anchors(candidates, brand_names(links)).isin(CHOSEN_ANCHORS)
    found = chosen.reindex(links.index, fill_value=False)
    return tell(found, lambda rows: _quoted("the anchor “", links["anchor"][rows], "” is used by ", counts[rows]))


def shared_templates(links: pd.DataFrame, at_least: int) -> pd.Series:
    """Tell of titles, else URL patterns, that at least so many referring domains share, names and numbers aside."""
    by_title = domains_sharing(title_templates(links["referring_title"]), links["referring_domain"])
    by_path = domains_sharing(path_templates(links["referring_key"]), links["referring_domain"])
    titles = tell(
        pd.Series(by_title >= at_least, index=links.index),
        lambda rows: _quoted("the title “", links["referring_title"][rows], "” or one like it is on ", by_title[rows]),
    )
    paths = tell(
        pd.Series(by_path >= at_least, index=links.index),
        lambda rows: _quoted("the URL pattern of “", _paths(links["referring_key"][rows]), "” is on ", by_path[rows]),
    )
    return titles.mask(titles == "", paths)


def sitewide(links: pd.DataFrame, at_least: int) -> pd.Series:
    """Tell of links marked sitewide by the export, or standing on at least so many pages of one domain."""
    marked = tell(links["sitewide"].fillna(False).astype(bool), "marked sitewide in the export")
    same_link = links["referring_domain"] + "\0" + links["target_key"] + "\0" + links["anchor"]
    pages = domains_sharing(same_link, links["referring_key"])
    counted = tell(
        pd.Series(pages >= at_least, index=links.index),
        lambda rows: pd.Series(
            [
                f"the same link stands on {count:,} pages of {domain}"
                for count, domain in zip(pages[rows], links["referring_domain"][rows], strict=True)
            ],
            dtype="str",
        ),
    )
    return marked.mask(marked == "", counted)


def title_templates(titles: pd.Series) -> pd.Series:
    """Return titles with domain names and numbers masked; "" for too short ones and those of error pages.

    >>> title_templates(pd.Series(["Buy links from a.com | 17", "buy links from b.shop | 4-02", "Home"])).tolist()
    ['buy links from @ #', 'buy links from @ #', '']
    """
    codes, distinct = pd.factorize(titles)
    masked = pd.Series(distinct, dtype="str").str.casefold()
    masked = masked.str.replace(_DOMAIN, "@", regex=True).str.replace(_NUMBERS, "#", regex=True)
    masked = masked.str.replace(r"[^\w@#]+", " ", regex=True)
    words = masked.str.replace(r"[@#]", " ", regex=True).str.replace(_NO_WORDS, " ", regex=True).str.strip()
    telling = (words.str.count(" ") + 1 >= TITLE_WORDS) & ~words.isin(EMPTY_TITLES)
    return masked.where(telling, "").take(codes).set_axis(titles.index)


def path_templates(keys: pd.Series) -> pd.Series:
    """Return the paths of normalised URLs with numbers masked; "" where they have too few different words.

    >>> path_templates(pd.Series(["a.com/top-website-list-17/", "b.com/top-website-list-204", "c.com/"])).tolist()
    ['top-website-list-#', 'top-website-list-#', '']
    """
    codes, distinct = pd.factorize(_paths(keys))
    masked = pd.Series(distinct, dtype="str").str.replace(r"\d+", "#", regex=True).str.rstrip("/")
    names = masked.str.replace(r"\.\w{2,5}$", "", regex=True)
    telling = [len(set(words)) >= PATH_WORDS for words in names.str.findall(r"[^\W\d_]{2,}")]
    return masked.where(pd.Series(telling, dtype=bool), "").take(codes).set_axis(keys.index)


def _paths(keys: pd.Series) -> pd.Series:
    return keys.str.partition("/")[2].str.partition("?")[0] if len(keys) else keys


def _quoted(before: str, texts: pd.Series, between: str, counts: np.ndarray, limit: int = 60) -> pd.Series:
    short = texts.str.strip().where(texts.str.len() <= limit, texts.str.slice(0, limit - 1) + "…")
    return before + short + between + pd.Series(counts, index=texts.index).astype("str") + " referring domains"
