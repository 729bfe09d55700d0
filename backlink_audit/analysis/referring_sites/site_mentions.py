"""Where a link's page and anchor name the target's site: joined, split and misspelt too.

A page whose own title or URL names a site is about that site; an anchor names whatever it was made to name. A name
that is a plain word of some language ("Time", "Apple") is found by its address alone, time.com: the word by itself
says nothing about a site.
"""

import gzip
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import regex
from rapidfuzz import fuzz, process

from backlink_audit.analysis.anchor_classes import brand_of, fold
from backlink_audit.text.urls.parts import is_domain

PLACES = {"title": "referring_title", "url": "referring_url", "anchor": "anchor"}
"""Where names are looked for, and in which columns."""
LONG_NAME = 8
"""A name of so many letters is found misspelt, and inside a longer word; a shorter one as it is, by itself."""
SHORTEST_NAME = 2
WRITTEN_BY = 0.05
"""Share of a site's referring domains that write another domain, from which it is the site's too."""
ALIKE = 88
"""How alike a misspelt name must be, 0-100 (rapidfuzz's ratio): one letter of nine changed, or one of five left out."""
MOST_WORDS = 6
"""A name is written as so many words at most."""

WORDS_REMEMBERED = 100_000
"""What is remembered stays when its visitor is gone, so there is little of it."""
_plain: dict[str, bool] = {}
"""What is known of words that were looked up."""


@dataclass(frozen=True)
class SiteName:
    """A name of a site: as one word without accents, and the domain that it was read from."""

    word: str
    domain: str
    is_plain_word: bool = False
    """Whether some language has this word."""


def names_of_sites(domains: Iterable[str], others: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the names of sites: site, word (without accents, as one), domain it was read from, is_plain_word.

    `domains` are the sites; `others` has more domains of theirs, old ones for instance: site, domain.
    """
    own = pd.DataFrame({"site": pd.Series(list(domains), dtype="str")})
    own = own.assign(domain=own["site"])
    named = own if others is None else pd.concat([own, others[["site", "domain"]]], ignore_index=True)
    named = named.assign(word=named["domain"].map(brand_of).astype("str"))
    named = named[named["word"].str.len() >= SHORTEST_NAME].drop_duplicates(["site", "word"], ignore_index=True)
    return named.assign(is_plain_word=named["word"].isin(plain_words(set(named["word"]))))


def other_domains(naked: pd.DataFrame) -> pd.DataFrame:
    """Return the domains besides its own that links to a site write as their anchors: site, domain.

    `naked` has target_domain, referring_domain and written, the domain of a naked URL or of a redirect's step or "",
    each once. What at least `WRITTEN_BY` of a site's referring domains write, or link to, is an old domain of it that
    redirects.
    """
    linking = naked.groupby("target_domain")["referring_domain"].nunique()
    pairs = naked[(naked["written"] != "") & (naked["written"] != naked["target_domain"])]
    counts = pairs.groupby(["target_domain", "written"])["referring_domain"].nunique().reset_index(name="count")
    least = (WRITTEN_BY * counts["target_domain"].map(linking).astype("float64")).clip(lower=2)
    often = counts[(counts["count"] >= least) & counts["written"].map(is_domain).astype(bool)]
    return often.rename(columns={"target_domain": "site", "written": "domain"})[["site", "domain"]]


def plain_words(words: Collection[str]) -> frozenset[str]:
    """Return those that are words of some language: the twelve of the package pyspellchecker's lists."""
    known = {word: _plain.get(word) for word in words}
    asked = {word for word, plain in known.items() if plain is None}
    left = set(asked)
    lists = files("spellchecker.resources").iterdir() if asked else iter(())
    for path in sorted(lists, key=lambda path: path.name):
        if path.name.endswith(".json.gz"):  # read as it is: parsing all of them takes seconds
            listed = gzip.decompress(path.read_bytes()).decode()
            left = {word for word in left if f'"{word}":' not in listed}
    known |= {word: word not in left for word in asked}
    if len(_plain) + len(asked) > WORDS_REMEMBERED:
        _plain.clear()
    if len(asked) <= WORDS_REMEMBERED:
        _plain.update((word, word not in left) for word in asked)
    return frozenset(word for word, plain in known.items() if plain)


def site_mentions(links: pd.DataFrame, names: pd.DataFrame) -> pd.DataFrame:
    """Return where each link names its target's site: bool columns title, url, anchor; the index of `links`.

    `links` has referring_title, referring_url, anchor and target_domain; `names` as `names_of_sites` gives them.
    """
    of_site = {
        str(site): [
            SiteName(*name) for name in zip(group["word"], group["domain"], group["is_plain_word"], strict=True)
        ]
        for site, group in names.groupby("site")
    }
    found = {place: np.zeros(len(links), dtype=bool) for place in PLACES}
    site_codes, sites = pd.factorize(links["target_domain"])
    for code, site in enumerate(sites):
        rows = np.flatnonzero(site_codes == code)
        for place, column in PLACES.items():
            codes, texts = pd.factorize(links[column].iloc[rows])
            found[place][rows] = named_in(texts.tolist(), of_site.get(str(site), ()))[codes]
    return pd.DataFrame(found, index=links.index)


def mentions_in_words(mentions: pd.DataFrame) -> pd.Series:
    """Return where the site is named, in words: "title", "URL, anchor", …, "" for nowhere."""
    codes = mentions["title"] * 1 + mentions["url"] * 2 + mentions["anchor"] * 4
    names = ("title", "URL", "anchor")
    words = [", ".join(name for bit, name in enumerate(names) if code >> bit & 1) for code in range(8)]
    return pd.Series(np.array(words, dtype=object)[codes], mentions.index, dtype="str")


def named_in(texts: Sequence[str], names: Sequence[SiteName]) -> np.ndarray:
    """Return which of the texts, titles, URLs or anchors, contain one of the names, bool (texts,).

    >>> shop = SiteName("gardentools", "gardentools.example")
    >>> named_in(["Garden Tools Ltd", "gardentols review", "tools for the garden"], [shop]).tolist()
    [True, True, False]
    """
    texts = [unquote(text) if "%" in text else text for text in texts]
    found = np.zeros(len(texts), dtype=bool)
    if not len(texts):
        return found
    joined = _joined(pa.array(texts, pa.large_string())).to_pylist()
    for name in names:
        if name.is_plain_word:
            candidates = np.array([name.domain in text.casefold() for text in texts], dtype=bool)
        elif len(name.word) >= LONG_NAME:
            scores = process.cdist([name.word], joined, scorer=fuzz.partial_ratio, score_cutoff=ALIKE, dtype=np.uint8)
            candidates = scores[0] > 0
        else:
            candidates = np.array([name.word in text for text in joined], dtype=bool)
        for place in np.flatnonzero(candidates & ~found):
            found[place] = _names(texts[place], name)
    return found


def _names(text: str, name: SiteName) -> bool:
    """Return whether a text names a site, word by word."""
    if name.is_plain_word:
        address = rf"(?<![\w.-])(?:https?://)?(?:[\w-]+\.)*{regex.escape(name.domain)}(?![\w-])"
        return bool(regex.search(address, text, regex.IGNORECASE))
    words = fold(text.replace("_", " "))
    is_long = len(name.word) >= LONG_NAME
    for start in range(len(words)):
        run = ""
        for word in words[start : start + MOST_WORDS]:
            run += word
            if (
                run == name.word
                or is_long
                and (name.word in word or run.startswith(name.word) or _alike(run, name.word))
            ):
                return True
            if len(run) > len(name.word):
                break
    return False


def _alike(run: str, name: str) -> bool:
    return bool(fuzz.ratio(run, name, score_cutoff=ALIKE))


def _joined(texts: pa.Array) -> pa.Array:
    """Return the texts as one word each, without accents."""
    plain = pc.utf8_normalize(pc.utf8_lower(texts), form="NFKD")
    return pc.replace_substring_regex(plain, r"[^\p{L}\p{N}]+", "")
