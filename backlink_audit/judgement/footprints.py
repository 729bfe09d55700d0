"""What referring sites have in common: an anchor, a page title, a URL pattern, the same link on every page.

A footprint is a hash: 64 bits for each link, whatever the length of the text, so that those of millions of links can
be counted at once (two in a million links are taken for one about once in forty million exports). What is said of
them is plain words where a footprint is shared, and "" elsewhere.
"""

import re
from collections.abc import Collection

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.anchor_classes import classify_anchors
from backlink_audit.judgement.evidence import counted, matched, replaced, words_where
from backlink_audit.text.urls import map_distinct

CHOSEN_ANCHORS = (labels.EXACT_MATCH.word, labels.PARTIAL_MATCH.word, labels.OTHER_ANCHOR.word)
"""Classes whose repetition means something: many sites use a brand, an address or “click here” of their own accord."""
TITLE_WORDS = 2
PATH_WORDS = 3  # A title or a URL path of fewer different words repeats by chance (“Home”, /forum/member.php)
NAME_WORDS = 3
PATH_NAME_WORDS = 5
"""The same without a masked domain or number: a person, a place or a brand has a page of its name on many sites
("Andorra la Vella", /wiki/Michael_Kremer)."""
WORD = r"[^\W\d_]{3,}"  # A word that counts for these limits: no article, no language code
EMPTY_TITLES = (
    "404 not found|page not found|not found|403 forbidden|access denied|just a moment|attention required cloudflare|"
    "log in|sign in|home page|my blog|untitled document|under construction|coming soon|verifying your browser|"
    "security check|error 404|internal server error|bad gateway|service unavailable|are you a robot|robot check|"
    "site not found|account suspended|index of|welcome to nginx|domain for sale"
).split("|")
"""Titles of error pages and doors: the same on many sites, though the sites have nothing in common."""

OF_SITE = ("anchor", "title", "path")  # footprints that are counted among the links to one target site

_DOMAIN = r"(^|[^\p{L}\p{N}_.-])\.*[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[a-z]{2,24}\b"
_WORD = re.compile(WORD)
_NUMBERS = r"[#\p{Nd}][#\p{Nd}.,:/-]*"


def footprints(links: pd.DataFrame) -> pd.DataFrame:
    """Return the footprints of each link, uint64, 0 where it has none; same index as `links`.

    Columns: anchor, title, path, same_link; and whom they may be shared by: referring_domain, referring_name (the
    domain without its ending: shop.it and shop.es are one publisher's), referring_page and target_page; page_link,
    alike for one link under several addresses of its page; and address, in whose order one of these stands for all.
    """
    same_link = links["referring_domain"] + "\0" + links["target_key"] + "\0" + links["anchor"]
    names = replaced(links["referring_domain"], r"(?s)\..*", "")
    texts = {
        "anchor": links["anchor"].str.strip().str.casefold(),
        "title": title_templates(links["referring_title"]),
        "path": path_templates(links["referring_key"]),
        "same_link": same_link,
        "referring_domain": links["referring_domain"],
        "referring_name": names,
        "referring_page": links["referring_key"],
        "target_page": links["target_key"],
    }
    sites = links["target_domain"]
    of_site = {name: texts[name].where(texts[name] == "", texts[name] + "\0" + sites) for name in OF_SITE}
    prints = {name: _hashes(text) for name, text in (texts | of_site).items()}
    prints["page_link"] = _hashes(links["referring_key"] + "\0" + same_link)
    insecure = ~links["referring_url"].str.startswith("https://").to_numpy(dtype=bool)
    prints["address"] = (_hashes(links["referring_url"]) >> np.uint64(1)) | (
        insecure.astype(np.uint64) << np.uint64(63)
    )
    return pd.DataFrame(prints, index=links.index)


def shared(prints: pd.DataFrame) -> pd.DataFrame:
    """Return how widely each footprint is shared, int; 0 where a link has none.

    `prints`: those of all links of the export. Columns anchor, title and path count the sites that link to one target
    site, those of one name under several endings once; same_link counts the pages of its domain. Column page_anchor
    counts the sites that lead to one page with one anchor, each article that several show once.
    """
    names, pages, targets = (prints[name].to_numpy() for name in ("referring_name", "referring_page", "target_page"))
    counted = {"anchor": names, "title": names, "path": names, "same_link": pages}
    counts = {name: sharing(prints[name].to_numpy(), holders) for name, holders in counted.items()}
    anchor, path = prints["anchor"].to_numpy(), prints["path"].to_numpy()
    page_anchor = np.where(anchor == 0, 0, pd.util.hash_array(anchor) ^ targets)
    articles = np.where(path == 0, names, path)
    counts["page_anchor"] = np.minimum(sharing(page_anchor, names), sharing(page_anchor, articles))
    return pd.DataFrame(counts, index=prints.index)


def sharing(keys: np.ndarray, holders: np.ndarray) -> np.ndarray:
    """Return for each row how many distinct holders its key has, int32; 0 where the key is 0.

    >>> sharing(np.array([7, 7, 7, 0]), np.array([1, 1, 2, 1])).tolist()
    [2, 2, 2, 0]
    """
    key_codes, distinct_keys = pd.factorize(keys)
    holder_codes, distinct_holders = pd.factorize(holders)
    width = len(distinct_holders) + 1
    pairs = np.unique(key_codes.astype(np.int64) * width + holder_codes)
    counts = np.bincount(pairs // width, minlength=len(distinct_keys)).astype(np.int32)
    return np.where(keys == 0, 0, counts[key_codes])


def repeated_anchors(links: pd.DataFrame, domains: pd.Series, at_least: int, brands: Collection[str]) -> pd.Series:
    """Report anchors that at least so many sites use, without brands, URLs and generic phrases.

    `domains`: how many sites use each link's anchor. `brands`: names of the target site.
    """
    candidates = links[domains >= at_least]
    chosen = classify_anchors(candidates, brands).isin(CHOSEN_ANCHORS)
    found = chosen.reindex(links.index, fill_value=False)
    return words_where(
        found, lambda rows: _quoted("the anchor “", links["anchor"][rows], "” is used by ", domains[rows])
    )


def shared_templates(
    links: pd.DataFrame, by_title: pd.Series, by_path: pd.Series, at_least: int, brands: Collection[str] = ()
) -> pd.Series:
    """Report titles, else URL patterns, that at least so many sites share, ignoring names and numbers.

    `by_title` and `by_path`: how many sites have each link's title and URL pattern. A title that is only a name, one
    of `brands` or a short one, is no template.
    """
    candidates = title_templates(links["referring_title"].where(by_title >= at_least, ""))
    titles = words_where(
        map_distinct(candidates, lambda template: "1" if _says_more(template, brands) else "") != "",
        lambda rows: _quoted("the title “", links["referring_title"][rows], "” or one like it is on ", by_title[rows]),
    )
    paths = words_where(
        by_path >= at_least,
        lambda rows: _quoted("the URL pattern of “", _paths(links["referring_key"][rows]), "” is on ", by_path[rows]),
    )
    return titles.mask(titles == "", paths)


def sitewide(links: pd.DataFrame, pages: pd.Series, at_least: int) -> pd.Series:
    """Report links marked sitewide by the export, or found on at least so many pages of one domain.

    `pages`: on how many pages of its domain each link is.
    """
    marked = words_where(links["sitewide"].fillna(False).astype(bool), "marked sitewide in the export")
    counted = words_where(
        pages >= at_least,
        lambda rows: pd.Series(
            [
                f"the same link is on {count:,} pages of {domain}"
                for count, domain in zip(pages[rows], links["referring_domain"][rows], strict=True)
            ],
            dtype="str",
        ),
    )
    return marked.mask(marked == "", counted)


def _says_more(template: str, brands: Collection[str]) -> bool:
    named = "".join(re.findall(r"\w+", template)) in brands
    masked = "@" in template or "#" in template
    return not named and (masked and bool(template) or len(set(re.findall(WORD, template))) >= NAME_WORDS)


def title_templates(titles: pd.Series) -> pd.Series:
    """Return titles with domain names and numbers masked; "" for too short ones and those of error pages.

    >>> title_templates(pd.Series(["Buy links from a.com | 17", "buy links from b.shop | 4-02", "Home"])).tolist()
    ['buy links from @ #', 'buy links from @ #', '']
    """
    codes, distinct = pd.factorize(titles)
    masked = pd.Series([title.casefold() for title in distinct], dtype="str")
    masked = replaced(replaced(masked, _DOMAIN, r"\1@"), _NUMBERS, "#")
    masked = replaced(masked, r"[^\p{L}\p{N}_@#]+", " ")
    words = replaced(replaced(masked, r"[^\p{L}\p{N}]+", " "), "^ | $", "")
    specific = (counted(words, " ") + 1 >= TITLE_WORDS) & ~words.isin(EMPTY_TITLES)
    return masked.where(specific, "").take(codes).set_axis(titles.index)


def path_templates(keys: pd.Series) -> pd.Series:
    """Return the paths of normalised URLs with numbers masked; "" where they have too few different words.

    >>> path_templates(pd.Series(["a.com/top-website-list-17/", "b.com/top-website-list-204", "c.com/"])).tolist()
    ['top-website-list-#', 'top-website-list-#', '']
    """
    codes, distinct = pd.factorize(_paths(keys))
    masked = replaced(replaced(pd.Series(distinct, dtype="str"), r"\p{Nd}+", "#"), "/+$", "")
    names = replaced(masked, r"\.[\p{L}\p{N}_]{2,5}$", "")
    several = matched(names, rf"(?s)(?:[\p{{L}}]{{3}}.*?[^\p{{L}}]){{{PATH_WORDS - 1}}}.*\p{{L}}{{3}}")
    specific = several.to_numpy(copy=True)
    for place in np.flatnonzero(specific):
        name = names[place]
        specific[place] = len(set(_WORD.findall(name))) >= (PATH_WORDS if "#" in name else PATH_NAME_WORDS)
    return masked.where(specific, "").take(codes).set_axis(keys.index)


def _paths(keys: pd.Series) -> pd.Series:
    return replaced(replaced(keys, "^[^/]*/?", ""), r"(?s)\?.*", "")


def _quoted(before: str, texts: pd.Series, between: str, counts: pd.Series, limit: int = 60) -> pd.Series:
    short = texts.str.strip().where(texts.str.len() <= limit, texts.str.slice(0, limit - 1) + "…")
    return before + short + between + counts.astype("str") + " sites"


def _hashes(texts: pd.Series) -> np.ndarray:
    codes, distinct = pd.factorize(texts)
    values = pd.util.hash_array(np.asarray(distinct, dtype=object), categorize=False)
    return np.where(np.asarray(distinct, dtype=object) == "", np.uint64(0), values)[codes]
