"""What an anchor is made of: the brand, the target page's own words, a generic phrase, a bare address, or nothing.

Each anchor has one class, the first that fits:

    image or empty   no words at all
    naked URL        an address
    branded          contains a name of the target site
    generic          one of the phrases of generic_anchors.csv, whole, accents aside
    exact match      all its content words are next to each other, in this order, in the target page's title, H1 or
                     URL path; a single word only if it is all of them
    partial          shares a content word with them
    other            anything else

Content words have three letters or more and are none of `FUNCTION_WORDS`; classes are found once per distinct
anchor and target page.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.text import read_list
from backlink_audit.text.urls import map_distinct, registrable_domain

NO_PAGES: Mapping[str, Collection[str]] = {}
BRAND_SHARE = 0.05
"""A site that the naked URLs of this share of the referring domains name is taken as another name of the target."""
SHORTEST_BRAND = 4  # A brand of fewer letters must be a word of its own to be found: “HP” is not in “shop”
SHORTEST_CONTENT_WORD = 3
FUNCTION_WORDS = frozenset(
    "about and are but can for from has have how into its more not our out that the their them they this was were "
    "what when where which who why will with you your "
    "aus bei das dem den der des die ein eine für fur ist mit und vom von wie zum zur "
    "avec aux ces dans des est les par pas pour que qui sur une vos votre nos notre "
    "como con cual del las los para por que sin una uno sus com dos das uma nas nos "
    "che con dal del della delle dei gli nel per una het een van met voor".split()
)
"""Words that join others in the larger languages of the web: a URL leaves them out, an anchor does not."""

ARTICLES = frozenset(
    "the this that a an my our your their his her its der die das dem den le la el il o a het de".split()
)
"""Words that may come before a generic phrase."""

_WORD = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(r"(?:https?:/|www\.)\S+|(?:[\w-]+\.)+[a-z]{2,24}(?:[/?#:]\S*)?", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"[^/]+\.(?:js|pdf|html?|php|jpe?g|png|gif|webp|svg|zip|docx?|xlsx?|csv|txt|py|md)", re.IGNORECASE
)


class _WithoutAccents(dict[int, int | None]):
    """What `str.translate` asks: nothing for an accent alone, else the character; each is looked up once."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_without_accents = _WithoutAccents()


@dataclass(frozen=True)
class _Target:
    """A target page as anchors see it: its phrases, each a text of content words between spaces, and all its words."""

    phrases: tuple[str, ...]
    words: frozenset[str]


def classify_anchors(
    links: pd.DataFrame, brands: Collection[str] = (), page_names: Mapping[str, Collection[str]] = NO_PAGES
) -> pd.Series:
    """Return the class of each link's anchor: a word of `labels.ANCHOR_CLASSES`; same index as `links`.

    `links` has anchor, target_key and target_domain. `brands` are names of the target site besides its domain.
    `page_names` gives titles and H1s of target pages by their normalised URL; without it only the URL's path is used.
    """
    keys = links["anchor"].str.strip() + "\0" + links["target_key"] + "\0" + links["target_domain"]
    codes, distinct = pd.factorize(keys)
    names = frozenset(name for brand in brands if (name := "".join(fold(brand))))
    classes = _classes((key.split("\0") for key in distinct), names, page_names)
    return pd.Series(pd.array(classes, dtype="str")[codes], index=links.index, name="anchor_class")


def poor_anchors(links: pd.DataFrame, brands: Collection[str] = ()) -> pd.Series:
    """Return whether each link's anchor says nothing about its page, bool: generic, a bare address, or no words.

    The classes that `classify_anchors` would give, found without reading the target pages. `links` has anchor and
    target_domain; same index.
    """
    codes, distinct = pd.factorize(links["anchor"].str.strip() + "\0" + links["target_domain"])
    names = frozenset(name for brand in brands if (name := "".join(fold(brand))))
    poor = [
        _is_poor(anchor, names | {brand_of(domain)} - {""}) for anchor, domain in (key.split("\0") for key in distinct)
    ]
    return pd.Series(np.asarray(poor, dtype=bool)[codes], index=links.index, name="poor_anchor")


def brand_names(links: pd.DataFrame) -> tuple[str, ...]:
    """Return the names of the target site as they are in anchors: of its domains, then of those it redirects from."""
    naked = links[["referring_domain"]].assign(written=written_domains(links["anchor"]))
    return site_names(links["target_domain"].unique(), naked, links["referring_domain"].nunique())


def written_domains(anchors: pd.Series) -> pd.Series:
    return map_distinct(anchors, _domain_of_naked_url)


def site_names(own: Iterable[str], naked: pd.DataFrame, domains: int) -> tuple[str, ...]:
    """Return the names of the domains `own`, and of those that at least `BRAND_SHARE` of so many domains write.

    `naked` has written, the domain of a naked URL or "", and the referring_domain that writes it; often written
    domains count as the site's own: old ones that redirect are found so.
    """
    pairs = naked[naked["written"] != ""].drop_duplicates(["written", "referring_domain"])
    often = pairs["written"].value_counts()
    often = often[often >= max(2, BRAND_SHARE * domains)].sort_index()
    return tuple(dict.fromkeys(name for domain in [*own, *often.index] if (name := brand_of(domain))))


@cache
def brand_of(domain: str) -> str:
    """Return the name in a registrable domain: its first label, in its own script, as one word.

    >>> brand_of("garden-tools.co.uk"), brand_of("xn--mbel-5qa.example")
    ('gardentools', 'mobel')
    """
    label = domain.partition(".")[0]
    try:
        label = label.encode().decode("idna")
    except UnicodeError:
        pass
    return "".join(fold(label))


def fold(text: str) -> list[str]:
    """Return the words of a text, casefolded and without accents, in order.

    >>> fold("Café-Möbel: O’Brien's")
    ['cafe', 'mobel', 'obriens']
    """
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = text.translate(_without_accents)
    return _WORD.findall(text.replace("'", "").replace("’", ""))


def is_naked_url(anchor: str) -> bool:
    """Return whether an anchor is an address and nothing else.

    >>> is_naked_url("www.example.com/p..."), is_naked_url("Example.com"), is_naked_url("node.js"), is_naked_url("a.b")
    (True, True, False, False)
    """
    anchor = anchor.strip()
    return bool(_ADDRESS.fullmatch(anchor)) and not _FILE_NAME.fullmatch(anchor)


def is_branded(words: list[str], brands: Collection[str]) -> bool:
    """Return whether an anchor's words contain one of the brands, or begin one with at least half of its letters.

    So do the words that a brand abbreviates: all but the first by their initials.

    >>> is_branded(["garden", "tools", "ltd"], {"gardentools"}), is_branded(["garden"], {"gardentools"})
    (True, True)
    >>> is_branded(["shop"], {"hp"}), is_branded(["gar"], {"gardentools"})
    (False, False)
    >>> is_branded(["garden", "tools", "hire"], {"gardenth"}), is_branded(["garden", "tools"], {"gardenth"})
    (True, False)
    """
    joined, abbreviated = "".join(words), words[0] + "".join(word[0] for word in words[1:]) if words else ""
    for brand in brands:
        if (len(brand) >= SHORTEST_BRAND and brand in joined) or brand in words:
            return True
        if len(words) > 1 and len(words[0]) >= SHORTEST_BRAND and abbreviated == brand:
            return True
        if len(joined) >= SHORTEST_BRAND and brand.startswith(joined) and 2 * len(joined) >= len(brand):
            return True
    return False


def match_target(words: list[str], target: _Target) -> labels.Label:
    """Return how an anchor's words match the target page: exact match, partial or other."""
    content = content_words(words)
    phrase = f" {' '.join(content)} "
    if content and (any(phrase == own or (len(content) > 1 and phrase in own) for own in target.phrases)):
        return labels.EXACT_MATCH
    return labels.OTHER_ANCHOR if target.words.isdisjoint(content) else labels.PARTIAL_MATCH


def _classes(
    distinct: Iterable[list[str]], brands: frozenset[str], page_names: Mapping[str, Collection[str]]
) -> list[str]:
    """Return the class of each (anchor, target key, target domain); words are taken once per anchor and per target."""
    anchors: dict[str, list[str]] = {}
    targets: dict[str, _Target] = {}
    sites: dict[str, frozenset[str]] = {}
    classes = []
    for anchor, key, domain in distinct:
        if anchor not in anchors:
            anchors[anchor] = fold(anchor)
        if key not in targets:
            targets[key] = _target(key, page_names.get(key, ()))
        if domain not in sites:
            sites[domain] = brands | {brand_of(domain)} - {""}
        classes.append(_class_of(anchor, anchors[anchor], targets[key], sites[domain]).word)
    return classes


def _is_poor(anchor: str, brands: Collection[str]) -> bool:
    words = fold(anchor)
    return not words or is_naked_url(anchor) or (_says_nothing(words) and not is_branded(words, brands))


def _class_of(anchor: str, words: list[str], target: _Target, brands: Collection[str]) -> labels.Label:
    if not words:
        return labels.NO_ANCHOR
    if is_naked_url(anchor):
        return labels.NAKED_URL
    if is_branded(words, brands):
        return labels.BRANDED
    if _says_nothing(words):
        return labels.GENERIC
    return match_target(words, target)


def _says_nothing(words: list[str]) -> bool:
    return not _generic_phrases().isdisjoint((" ".join(words), " ".join(_without_article(words))))


def _target(key: str, names: Iterable[str]) -> _Target:
    path = unquote(key.partition("/")[2].partition("?")[0])
    phrases = [content_words(fold(text)) for text in (*path.split("/"), *names)]
    return _Target(
        tuple(f" {' '.join(words)} " for words in phrases if words),
        frozenset(word for words in phrases for word in words),
    )


def content_words(words: list[str]) -> list[str]:
    """Return the words of a text that say something, in order: no short ones, no numbers, none of `FUNCTION_WORDS`."""
    return [
        word
        for word in words
        if len(word) >= SHORTEST_CONTENT_WORD and word not in FUNCTION_WORDS and not word.isdigit()
    ]


@cache
def _generic_phrases() -> frozenset[str]:
    return frozenset(
        " ".join(fold(phrase)) for row in read_list("generic_anchors") for phrase in row["phrases"].split("|")
    )


def _without_article(words: list[str]) -> list[str]:
    return words[1:] if words[0] in ARTICLES else words


def _domain_of_naked_url(anchor: str) -> str:
    return registrable_domain(anchor.strip().rstrip("….:")) if is_naked_url(anchor) else ""
