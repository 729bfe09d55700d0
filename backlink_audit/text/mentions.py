"""How the words of pages meet: bodies that talk about the same things, and bodies that mention another page's title.

Both are sparse products, so that the signals of a block of pages are one multiplication:

    bodies @ bodies.T          cosine of the pages' words and two-word phrases (TF-IDF), 0 to 1
    mentioned @ titles.T       how much of a title is in a body, rare  phrases counting most
"""

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from backlink_audit.text.languages import stop_words_of, words
from backlink_audit.text.page_names import Phrase, Rarity, own_names, whole_name
from backlink_audit.text.page_texts import PageTexts
from backlink_audit.text.sentences import read_text

BODY_PHRASE = 2  # longest phrase compared between bodies, in words
TITLE_PHRASE = 3  # longest phrase of a title looked for in bodies, in words
HASHED_TERMS = 2**22
"""Phrases are hashed into this many columns: memory stays bounded on any site, and collisions are rare."""
COMMON_SHARE, COMMON_PAGES = 0.3, 50
"""A phrase on more than this share of the pages, and on more than so many, says nothing and costs most of the time."""
LANGUAGE_SHARE = 0.05  # stop words of every language that at least this share of the pages is in are left out


@dataclass(frozen=True, eq=False)
class PageWords:
    """Sparse float32 matrices with one row per page; see the module's docstring for their products."""

    bodies: sp.csr_matrix
    mentioned: sp.csr_matrix
    titles: sp.csr_matrix
    named: tuple[sp.csr_matrix, sp.csr_matrix]
    """Which whole names each content says, and which name each page has; the product is how much it is named."""


def weigh_words(pages: PageTexts) -> PageWords:
    """Return what each page's words say. Of a page without content only its name is used."""
    stop = site_stop_words(pages)
    names = [_interned(words(name)) for name in pages.names]
    bodies = [_interned(words(body)) for body in pages.bodies]
    headings = [_interned(words(heading)) for heading in pages.headings]
    named_bodies = [body or name for body, name in zip(bodies, names, strict=True)]
    mentioned, titles = _mentions(named_bodies, [_distinct(*both) for both in zip(names, headings, strict=True)], stop)
    whole_pages = [name + body for name, body in zip(names, bodies, strict=True)]
    return PageWords(weigh_documents(whole_pages, stop), mentioned, titles, whole_names(pages, stop))


def whole_names(pages: PageTexts, stop: Set[str]) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return how much each content says of each whole name, and which page has the name, float32 (pages, names).

    What is said counts log(1 + times) x log((1 + n) / (1 + contents with it)); a name of several pages is divided among
    them.
    """
    names: dict[Phrase, list[int]] = {}
    for page, titles in enumerate(zip(pages.names, pages.headings, strict=True)):
        for phrase in {whole_name(own, stop) for title in titles for own in own_names(title)} - {()}:
            names.setdefault(phrase, []).append(page)
    numbers = {phrase: number for number, phrase in enumerate(names)}
    beginning: dict[str, list[Phrase]] = {}
    for phrase in names:
        beginning.setdefault(phrase[0], []).append(phrase)
    rows, columns = [], []
    for page, body in enumerate(pages.bodies):
        said = read_text(body).forms if body else []
        for at, word in enumerate(said):
            for phrase in beginning.get(word, ()):
                if len(phrase) == 1 or tuple(said[at : at + len(phrase)]) == phrase:
                    rows.append(page)
                    columns.append(numbers[phrase])
    shape = (len(pages.names), max(1, len(names)))
    counts = sp.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)
    pages_with = np.bincount(counts.indices, minlength=shape[1])
    counts.data = np.log1p(counts.data) * np.log((1 + shape[0]) / (1 + pages_with[counts.indices])).astype(np.float32)
    having = [(page, numbers[phrase], 1 / len(pages_of)) for phrase, pages_of in names.items() for page in pages_of]
    of_page, of_name, share = zip(*having, strict=True) if having else ((), (), ())
    return counts, sp.csr_matrix((np.array(share, dtype=np.float32), (of_page, of_name)), shape=shape)


def word_rarity(pages: PageTexts) -> Rarity:
    """Return how much each word of the contents says on this site."""
    pages_with = Counter(word for body in pages.bodies if body for word in set(read_text(body).words))
    count = sum(map(bool, pages.bodies))
    weights = {word: math.log((1 + count) / (1 + found)) for word, found in pages_with.items()}
    return Rarity(weights, site_stop_words(pages), pages_with, count)


def site_stop_words(pages: PageTexts) -> frozenset[str]:
    """Return the stop words of the languages that the site is written in."""
    counts = Counter(pages.languages)
    frequent = [language for language, count in counts.items() if count >= LANGUAGE_SHARE * len(pages.languages)]
    return stop_words_of([pages.language, *frequent])


def weigh_documents(documents: Sequence[Sequence[str]], stop: Set[str]) -> sp.csr_matrix:
    """Return TF-IDF rows of length 1 (or 0) of documents given as words.

    A phrase weighs 1 + ln(count), times ln((1 + n) / (1 + pages with it)) + 1.
    """
    hashing = HashingVectorizer(
        analyzer=lambda document: _phrases([word for word in document if word not in stop], BODY_PHRASE),
        n_features=HASHED_TERMS,
        alternate_sign=False,
        norm=None,
        dtype=np.float32,
    )
    counts = hashing.transform(documents)
    pages_with = np.bincount(counts.indices, minlength=counts.shape[1])
    common = pages_with > max(COMMON_PAGES, COMMON_SHARE * len(documents))
    kept = (pages_with > 0) & ~common
    weights = counts.tocsc()[:, kept].tocsr()
    rarity = np.log((1 + len(documents)) / (1 + pages_with[kept])) + 1
    weights.data = (1 + np.log(weights.data)) * rarity[weights.indices]
    lengths = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel())
    return _scaled(weights, lengths)


def _mentions(
    bodies: Sequence[Sequence[str]], titles: Sequence[Sequence[Sequence[str]]], stop: Set[str]
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return which title phrases are in each body (0 or 1), and each title's weights of its phrases.

    A phrase weighs the square of its rarity, ln((1 + n) / (1 + bodies with it)); a title's weights are divided by
    the root of their sum, half way between "how much" and "what share" of the title is mentioned.
    """
    phrases = CountVectorizer(analyzer=lambda document: _title_phrases(document, stop), binary=True, dtype=np.float32)
    try:
        weights = phrases.fit_transform([[word for title in page for word in (*title, "")] for page in titles])
    except ValueError:  # no title has any word that says something
        return sp.csr_matrix((len(bodies), 1), dtype=np.float32), sp.csr_matrix((len(bodies), 1), dtype=np.float32)
    mentioned = phrases.transform(bodies)
    bodies_with = np.bincount(mentioned.indices, minlength=mentioned.shape[1])
    rarity = np.log((1 + len(bodies)) / (1 + bodies_with)).clip(0) ** 2
    weights = (weights @ sp.diags(rarity)).tocsr()
    totals = np.asarray(weights.sum(axis=1)).ravel()
    return mentioned.tocsr(), _scaled(weights, np.sqrt(totals))


def _scaled(rows: sp.csr_matrix, divisors: np.ndarray) -> sp.csr_matrix:
    scale = np.divide(1, divisors, out=np.zeros(len(divisors)), where=divisors > 0)
    return (sp.diags(scale) @ rows).astype(np.float32).tocsr()


def _phrases(document: Sequence[str], longest: int) -> Iterator[str]:
    for length in range(1, longest + 1):
        yield from map(" ".join, zip(*(document[start:] for start in range(length)), strict=False))


def _title_phrases(document: Sequence[str], stop: Set[str]) -> Iterator[str]:
    for length in range(1, TITLE_PHRASE + 1):
        for phrase in zip(*(document[start:] for start in range(length)), strict=False):
            if phrase[0] not in stop and phrase[-1] not in stop and "" not in phrase:
                yield " ".join(phrase)


def _interned(found: Sequence[str]) -> list[str]:
    return [sys.intern(word) for word in found]


def _distinct(name: Sequence[str], heading: Sequence[str]) -> list[Sequence[str]]:
    return [name] if not heading or name == heading else [name, heading]
