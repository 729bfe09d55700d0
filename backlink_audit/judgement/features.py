"""The features that a link is judged by: each a named column, and how a reason says it.

Those of addresses, words and numbers are read here; those of meaning by `judgement.meaning`. What each is
worth on sites left out: docs/judgement.md. A feature that an export does not have is NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import pandas as pd

from backlink_audit.judgement.anchor_classes import fold
from backlink_audit.judgement.evidence import counted, matched, of_distinct, replaced
from backlink_audit.text.urls import FILES, MEMBERS, VISITORS, map_distinct, shape_pattern

BETWEEN = "\n"  # between two texts that are asked together: no title or anchor has a line break
_DATED = r"/(?:19|20)[0-9]{2}/[01]?[0-9](?:/|$)"
Question = Literal["relevance", "kind", "visitors", "suspicion", "worth"]
"""What reasons are given for; "visitors": for that kind of page alone."""


@dataclass(frozen=True)
class Feature:
    """A feature by its column, and what a reason says where it is above `middle`, and where not.

    Braces stand for the number in the export. Where there are no words, it is never given as a reason.
    """

    name: str
    high: str = ""
    low: str = ""
    show: Callable[[float], float] = float  # Turns the feature back into the number that an export has
    middle: float = 0
    """The value above which a link counts as high: for a cosine, some standard deviations above chance.

    Chosen so that of the labelled links above it most are what the reason says.
    """
    named_in: tuple[Question, ...] = (
        "relevance",
        "kind",
        "suspicion",
        "worth",
    )  # The answers that it can be a reason for


FAR = "its title is far from the target page"
NO_AUTHORITY = "the page has no authority"  # no ground to accuse anybody by itself


def _number(logarithm: float) -> float:
    return float(np.rint(np.expm1(logarithm)))


LINK_FEATURES = (
    Feature("external_links", "{:,.0f} external links", show=_number, middle=np.log1p(100)),
    Feature("rating", low=NO_AUTHORITY, named_in=("suspicion", "worth")),
    Feature("nofollow"),
    Feature("capitals"),
    Feature("url_length"),
    Feature("subdomains", "it is on a subdomain", middle=0.5, named_in=("kind",)),
    Feature("hyphens", "its URL has the words of a title", middle=1.5, named_in=("kind",)),
    Feature("forum_url", "its URL is that of a page its visitors write, such as a forum", named_in=("visitors",)),
    Feature("profile_url", "its URL is that of a profile", named_in=("visitors",)),
    Feature("dated_url", "its URL has a date, as on blogs and news sites", named_in=("kind",)),
    Feature("file_url", "its URL is that of a generated or hidden page"),
    Feature("anchor_in_title", "words of the anchor are in the title", middle=0.5, named_in=("kind",)),
    Feature("anchor_in_target"),
    Feature("redirecting", "its target is an address that leads to another site", middle=0.5),
)
"""What an address, a word or a number shows."""
MEANING_FEATURES = (
    Feature("like_domain_lists", "its title is like that of a list of domains", middle=4),
    Feature("like_link_sellers", "its title is like that of a link seller", middle=4),
    Feature("about_link_selling", "it is about selling links", middle=0.3),
    Feature("risky_title", "its title is about what spam is often about", middle=0.5),
    Feature("unclear_title", "its title names no subject", middle=0.5, named_in=("kind", "suspicion", "worth")),
    Feature("risky_target", "its target reads like spam", middle=0.5),
)
"""What the words of a link's two ends mean by themselves."""
ROW_FEATURES = (*LINK_FEATURES, *MEANING_FEATURES)
"""What a link is by itself, whatever stands beside it: by these it is decided who teaches what the site is about."""
BESIDE_FEATURES = (
    Feature("title_sites", "{:,.0f} sites have a page with this title", show=_number, middle=np.log1p(2)),
    Feature("path_sites", "{:,.0f} sites have a page with this URL pattern", show=_number, middle=np.log1p(2)),
    Feature(
        "to_linking_pages",
        "its title is close to the other pages that link here",
        "its title is far from the other pages that link here",
        middle=2,
        named_in=("relevance", "worth"),
    ),
    Feature(
        "to_target",
        "its title is close to the target page",
        FAR,
        middle=2,
        named_in=("relevance", "worth"),
    ),
    Feature("to_site_name", "its title is close in meaning to the site's name", middle=4, named_in=("relevance",)),
)
"""What a link is beside the others, and beside what is known of its site."""
FEATURES = (*ROW_FEATURES, *BESIDE_FEATURES)  # every feature of the fitted trees, in their order
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)
SITE_FEATURES = ("linked_variety", "linking_rating")
"""What is the same for every link of a site: how many different pages ten trusted links go to, and the mean logarithm
of the ratings of trusted pages. Each makes an answer likelier by as much as it is above the mean, at most
MOST_OF_SITE, and is no reason."""
MOST_OF_SITE = (3.0, 0.5)
SHARED_FEATURES = ("title_sites", "path_sites")
COMPARED_FEATURES = tuple(name for name in (*FEATURE_NAMES, *SITE_FEATURES) if name not in SHARED_FEATURES)
"""What comparing links adds to them."""
_ELSEWHERE = r"(?i)[?&][^#]*(?:https?(?::|%3a)|=(?:%2f%2f|//|www\.))|[^/:]/+https?(?::|%3a)/?"
"""A target whose query, or path, holds another address."""
UNRATED = 2.0  # stands for a page's rating where no tool gives one: with 0, or none, few such links are worth keeping
COUNTED_ANEW = ("external_links", "nofollow")
"""Features with the name of a column of the export, which keeps its own values (`features_of`)."""


def features_of(compared: pd.DataFrame) -> pd.DataFrame:
    """Return COMPARED_FEATURES of compared links, whose export's own columns are not the features."""
    others = [name for name in COMPARED_FEATURES if name not in COUNTED_ANEW]
    return compared[others].join(_counted_anew(compared))[list(COMPARED_FEATURES)]


def _counted_anew(links: pd.DataFrame) -> pd.DataFrame:
    nofollow = links["nofollow"].astype("Float32").to_numpy(dtype="float32", na_value=np.nan)
    found = {"external_links": np.log1p(links["external_links"]), "nofollow": nofollow}
    return pd.DataFrame(found, index=links.index).astype("float32")


def link_features(links: pd.DataFrame) -> pd.DataFrame:
    """Return LINK_FEATURES of cleaned links, float32, with their index."""
    titles, urls, anchors = links["referring_title"].str.strip(), links["referring_url"], links["anchor"].str.strip()
    paths = replaced(replaced(urls, r"^[^/]*//[^/]*", ""), r"[?#].*", "")
    last = replaced(replaced(paths, "/+$", ""), "^.*/", "")
    found = {
        **_counted_anew(links),
        "rating": links["url_rating"].fillna(UNRATED),
        "capitals": of_distinct(titles, _capitals),
        "url_length": urls.str.len(),
        "subdomains": _subdomains(urls, links["referring_domain"]),
        "hyphens": counted(last, "-"),
        "forum_url": matched(urls, f"(?i){shape_pattern(VISITORS)}"),
        "profile_url": matched(urls, f"(?i){shape_pattern(MEMBERS)}"),
        "dated_url": matched(urls, _DATED),
        "file_url": matched(urls, f"(?i){shape_pattern(FILES)}"),
        "anchor_in_title": _words_in(anchors, titles),
        "anchor_in_target": _words_in(anchors, links["target_url"]),
        "redirecting": of_distinct(links["target_url"], lambda distinct: matched(distinct, _ELSEWHERE)),
    }
    order = [feature.name for feature in LINK_FEATURES]
    return pd.DataFrame(found, index=links.index)[order].astype("float32")


def shared_features(shared: pd.DataFrame) -> pd.DataFrame:
    """Return SHARED_FEATURES, float32: on how many sites a link's title and path are (`footprints.shared`)."""
    counts = np.log1p(shared[["title", "path"]].to_numpy("float32"))
    return pd.DataFrame(counts, shared.index, list(SHARED_FEATURES))


def _subdomains(urls: pd.Series, domains: pd.Series) -> np.ndarray:
    hosts = replaced(replaced(urls, r"^[^/]*//(?:www\d?\.)?", ""), r"[/:?#].*", "")
    return np.maximum(counted(hosts, r"\.") - counted(domains, r"\."), 0)


def _capitals(titles: pd.Series) -> np.ndarray:
    cased = counted(titles, r"[\p{Lu}\p{Ll}][\p{L}\p{N}'’]*")
    capitals = counted(titles, r"(?:^|[^\p{L}\p{N}'’])\p{Lu}[\p{L}\p{N}'’]*")
    return np.where(cased > 0, capitals / np.maximum(cased, 1), np.nan)


def _words_in(texts: pd.Series, others: pd.Series) -> np.ndarray:
    """Return which share of each text's words the other text has as letters in a row, NaN where it has no words."""
    words_of = cache(lambda text: [word for word in fold(text) if len(word) > 2])
    letters_of = cache(lambda text: "".join(fold(text)))

    def share(pair: str) -> str:
        text, _, other = pair.partition(BETWEEN)
        words = words_of(text)
        return str(sum(map(letters_of(other).__contains__, words)) / len(words)) if words else "nan"

    return map_distinct(texts + BETWEEN + others, share).astype("float32").to_numpy()
