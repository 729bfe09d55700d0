"""What a page is called, as other pages' contents are searched for it; and how the words of two pages meet.

Words meet in sparse products, so that the signals of a block of pages are one multiplication:

    bodies @ bodies.T          cosine of the pages' words and two-word phrases (TF-IDF), 0 to 1
    mentioned @ titles.T       how much of a title is in a body, rare  phrases counting most
"""

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import regex
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from backlink_audit.text.languages import form, is_unspaced, stop_words_of, word_spans, words
from backlink_audit.text.page_texts import PageTexts
from backlink_audit.text.sentences import read_text

Phrase = tuple[str, ...]
_BRACKETS = regex.compile(r"([^()]*[^()\s])\s*\(([^()]+)\)")
_ABBREVIATION = regex.compile(r"\p{Lu}[\p{Lu}\p{N}]+")
_ENDS_A_PHRASE = regex.compile(r"[\"“”«»„()\[\]{}<>!?;|/:,…。、，！？]|\.(?=\s|\Z)|\s[-–—]++\s|[–—]")
LEAST_PART_OF_ONE_WORD = 0.5  # A word of a title can be used alone if it has this share of the title's rarity, …
LEAST_PART_OF_A_NAME = 0.2  # … (in capitals there, this share) …
MOST_PAGES_OF_ONE_WORD = 0.05
"""… and is in the content of at most this share of the pages (or in fewer than five), or nowhere as often."""
FEW_PAGES = 5
LEAST_PART = 0.38  # A phrase says what the target is about if it has at least this share of its title's rarity
LEAST_PART_IF_CLOSE = 0.25  # the same where source and target are among the closest pairs of the site
TOPIC_WORDS = 40  # the words of a target that weigh most; the sentence with many of them is the better place
_CODE = regex.compile(r"[^\s\p{L}\p{N}]*[\p{L}\p{N}][^\s]*")
_JOINED_BEFORE, _JOINED_AFTER = regex.compile(r"[\p{L}\p{N}][-.@_/+]\Z"), regex.compile(r"[-.@_/+][\p{L}\p{N}]")
_SYMBOLS = regex.compile(r"\(\)|[<>$_@]|(?<=\w)[-.](?=\w)")
AS_NEAR = 0.1  # pages whose names are within this of the nearest one are as near
WHOLE = 0.9  # from here on words are the whole name of a page
MOST_TIED = 2  # words that are as near to more pages than so many mean none of them, unless they are a whole name
PART_WORTH, SECTION_WORTH = 0.95, 0.6
"""A part of a title between separators, and the heading of a section, count so much beside the title of a page."""
LEAST_NEAR = 0.5  # below this words are too far from a name to mean its page, …
LEAST_NEAR_IF_CLOSE = 0.3
"""… or below this where the page is one of the closest to the source, and no other name is nearer."""
BODY_PHRASE = 2  # longest phrase compared between bodies, in words
TITLE_PHRASE = 3  # longest phrase of a title looked for in bodies, in words
HASHED_TERMS = 2**22
"""Phrases are hashed into this many columns: memory stays bounded on any site, and collisions are rare."""
COMMON_SHARE, COMMON_PAGES = 0.3, 50
"""A phrase on more than this share of the pages, and on more than so many, says nothing and costs most of the time."""
LANGUAGE_SHARE = 0.05  # stop words of every language that at least this share of the pages is in are left out


@dataclass(frozen=True)
class ExactNames:
    """What a page is called: phrases that name it as they are, and more of them that do where they have capitals."""

    whole: Set[Phrase] = frozenset()
    in_capitals: Set[Phrase] = frozenset()

    def without(self, phrases: Set[Phrase]) -> "ExactNames":
        return ExactNames(self.whole - phrases, self.in_capitals - phrases)


def own_names(title: str) -> list[str]:
    """Return what a title calls its page: the title, what it says before brackets, and an abbreviation in them.

    >>> own_names("Customer Engineering (CE)"), own_names("Oak (solid)"), own_names("Oak")
    (['Customer Engineering (CE)', 'Customer Engineering', 'CE'], ['Oak (solid)', 'Oak'], ['Oak'])
    """
    match = _BRACKETS.fullmatch(title)
    if not match:
        return [title]
    return [title, match[1], *([match[2]] if _ABBREVIATION.fullmatch(match[2]) else [])]


def forms(text: str) -> Phrase:
    return tuple(form(word) for word in words(text))


def whole_name(title: str, stop: Set[str]) -> Phrase:
    """Return the forms of a title's words without the stop words at its ends.

    >>> whole_name("How to oil the tables", {"how", "to", "the"}), whole_name("The new oak.gov", {"the", "new", "gov"})
    (('oil', 'the', 'table'), ('oak', 'gov'))
    """
    pieces = list(_pieces(title))
    telling = [number for number, piece in enumerate(pieces) if not _is_small(piece, stop)]
    return tuple(form(word) for piece in pieces[telling[0] : telling[-1] + 1] for word in piece) if telling else ()


def phrases(title: str, stop: Set[str]) -> set[Phrase]:
    """Return the phrases of a title: what stands between its signs, and between its stop words.

    >>> sorted(phrases("Why tests matter for built-in tables", {"why", "for", "in"}))
    [('built', 'in', 'table'), ('test', 'matter'), ('test', 'matter', 'for', 'built', 'in', 'table')]
    """
    parts = _ENDS_A_PHRASE.split(title)
    return {phrase for part in parts for phrase in (whole_name(part, stop), *_runs(part, stop))} - {()}


def _runs(part: str, stop: Set[str]) -> Iterator[Phrase]:
    run: list[str] = []
    for piece in _pieces(part):
        if _is_small(piece, stop):
            yield tuple(run)
            run = []
        else:
            run += map(form, piece)
    yield tuple(run)


def _pieces(text: str) -> Iterator[list[str]]:
    """Yield the words of a text, those that a sign joins together."""
    piece: list[str] = []
    end = 0
    for word, start, stop in word_spans(text):
        if piece and (start == end or text[end:start].strip() == "" or " " in text[end:start]):
            yield piece
            piece = []
        piece.append(word)
        end = stop
    if piece:
        yield piece


def _is_small(piece: list[str], stop: Set[str]) -> bool:
    return len(piece) == 1 and piece[0] in stop


@dataclass(frozen=True)
class Rarity:
    """How much each word says on this site: its weight, the stop words, and how many pages have it."""

    weights: Mapping[str, float]
    stop: Set[str]
    pages_with: Mapping[str, int]
    pages: int

    def of(self, word: str) -> float:
        return 0.0 if word in self.stop else self.weights.get(word, math.log(1 + self.pages))

    def is_rare(self, word: str) -> bool:
        return self.pages_with.get(word, 0) < max(FEW_PAGES, MOST_PAGES_OF_ONE_WORD * self.pages)


@dataclass(frozen=True)
class Name:
    """One name of a target as it is looked for.

    `weights` has each word's form and how much it says; `alone` are those that can be used alone, `common` those of
    them that many pages say, this one most often. `whole`: all words must be there. `literal`: a name such as
    "computed()" is looked for letter for letter.
    """

    weights: Mapping[str, float]
    alone: Set[str]
    whole: bool = False
    literal: str = ""
    common: Set[str] = frozenset()

    @property
    def total(self) -> float:
        return sum(self.weights.values())

    def may_be_told_by(self, words: Set[str]) -> bool:
        """Whether some words of the name, whatever their order, can be enough of it."""
        if self.whole:
            return all(word in words for word, weight in self.weights.items() if weight)
        return sum(self.weights[word] for word in words) >= LEAST_PART_OF_A_NAME * self.total

    def turns_round(self, phrase: Sequence[str]) -> bool:
        """Whether words side by side stand in the name the other way round, and others of it are missing.

        They mean another thing then, or one is a verb: "writing guides" of “A guide to the writing lab”.
        """
        order = {word: number for number, (word, weight) in enumerate(self.weights.items()) if weight}
        return not order.keys() <= set(phrase) and any(
            one in order and other in order and order[other] < order[one]
            for one, other in zip(phrase, phrase[1:], strict=False)
        )


@dataclass(frozen=True)
class Target:
    """What is looked for: the names of a page, and the words that its content is full of, with their share.

    `said`: all that the page says, its names among it, as `ReadText.line` has it. `close`: its subject is so near to
    the source's that less of a name is enough. `exact`: what the page and no other is called by, whole.
    """

    names: tuple[Name, ...]
    topic: Mapping[str, float] = field(default_factory=dict)
    said: str = ""
    close: bool = False
    exact: ExactNames = ExactNames()

    @property
    def least_part(self) -> float:
        """Return the share of a title's rarity that a phrase must have, 0 to 1."""
        return LEAST_PART_IF_CLOSE if self.close else LEAST_PART

    def says(self, phrase: Sequence[str]) -> bool:
        return f" {' '.join(phrase)} " in self.said


def read_name(text: str, rarity: Rarity, *, whole: bool = False, leading: Set[str] = frozenset()) -> Name:
    """Return a name ready to be looked for in many contents; `whole`: not a word of it may be missing.

    `leading`: forms of the words that no page says as often as the one with this name.
    """
    spans = list(word_spans(text))
    weights: dict[str, float] = {}
    for word, _, _ in spans:
        weights[form(word)] = 0.0 if word.isnumeric() else rarity.of(word)
    total, shortest = sum(weights.values()), 2 if is_unspaced(text) else 3
    alone = {
        form(word)
        for word, start, end in spans
        if len(word) >= shortest
        and not (_JOINED_BEFORE.search(text, 0, start) is not None or _JOINED_AFTER.match(text, end) is not None)
        and (rarity.is_rare(word) or form(word) in leading)
        and weights[form(word)] >= (LEAST_PART_OF_A_NAME if text[start].isupper() else LEAST_PART_OF_ONE_WORD) * total
    }
    literal = text if _CODE.fullmatch(text) and _SYMBOLS.search(text) else ""
    common = alone & {form(word) for word, _, _ in spans if not rarity.is_rare(word)}
    return Name(weights, alone, whole, literal, common=common)


def read_target(
    titles: Iterable[str],
    others: Iterable[str],
    topic: Mapping[str, float],
    rarity: Rarity,
    text: str = "",
    leading: Set[str] = frozenset(),
) -> Target:
    """Return a page as a target: its titles, other names, the words of its content with their weights, its content."""
    titles = list(titles)
    names = [read_name(title, rarity, leading=leading) for title in titles if title]
    names += [read_name(other, rarity, whole=True, leading=leading) for other in others]
    weighing = (word for word in topic if topic[word])
    heaviest = sorted(weighing, key=lambda word: (-topic[word], word))[:TOPIC_WORDS]
    total = sum(topic[word] for word in heaviest) or 1.0
    shares = {form(word): topic[word] / total for word in heaviest}
    said = "|".join([*(f" {' '.join(forms(title))} " for title in titles), read_text(text).line])
    return Target(tuple(name for name in names if name.total), shares, said)


class PagesByName:
    """The names of all pages, to find which of them some words mean.

    Nearness is the rarity of the words that phrase and name share, as a share of that of all words of both, 0 to 1.
    """

    def __init__(
        self,
        titles: Sequence[Sequence[str]],
        parts: Sequence[Sequence[str]],
        sections: Sequence[Sequence[str]],
        standing: Sequence[tuple[int, int]],
        rarity: Rarity,
    ) -> None:
        """Read the names: `titles` of pages and what links call them, `parts` of titles, and headings of `sections`.

        Of pages of one whole name that with no small words around it is meant, then that of the highest `standing`.
        """
        self._standing = standing
        self._called = [set(map(forms, names)) for names in titles]
        self._rarity = rarity
        self._names: list[tuple[int, float, Mapping[str, float]]] = []
        self._with: dict[str, list[int]] = {}
        for worth, kind in ((1.0, titles), (PART_WORTH, parts), (SECTION_WORTH, sections)):
            for page, names in enumerate(kind):
                for weights in map(self.weights, map(words, dict.fromkeys(names))):
                    for word in weights:
                        self._with.setdefault(word, []).append(len(self._names))
                    self._names.append((page, worth, weights))
        self._meant = cache(self._nearest)

    def means(self, phrase: tuple[str, ...], page: int, *, close: bool = False) -> bool:
        """Whether the words (their forms) mean this page rather than any other; `close` to the page that has them."""
        meant, nearest = self._meant(phrase)
        return page in meant or (close and page in nearest)

    def weights(self, name: Sequence[str]) -> dict[str, float]:
        """Return the forms of some words and how much each says, the same in singular and plural."""
        rarity = self._rarity
        forms = {form(word) for word in name if not word.isnumeric()}
        weights = {word: min(rarity.of(word), rarity.of(f"{word}s")) for word in forms}
        return {word: weight for word, weight in weights.items() if weight}

    def _nearest(self, phrase: tuple[str, ...]) -> tuple[frozenset[int], frozenset[int]]:
        asked = self.weights(phrase)
        total = sum(asked.values())
        near: dict[int, float] = {}
        for number in {number for word in asked for number in self._with.get(word, ())}:
            page, worth, name = self._names[number]
            shared = sum(name[word] for word in asked if word in name)
            near[page] = max(near.get(page, 0.0), worth * shared / (total + sum(name.values()) - shared))
        if not near or (nearest := max(near.values())) < LEAST_NEAR_IF_CLOSE:
            return frozenset(), frozenset()
        first = frozenset(page for page, value in near.items() if value == nearest)
        if nearest < LEAST_NEAR:
            return frozenset(), first if len(first) <= MOST_TIED else frozenset()
        tied = [page for page, value in near.items() if value > nearest - AS_NEAR]
        if nearest >= WHOLE:
            tied = [max(tied, key=lambda page: (near[page], phrase in self._called[page], self._standing[page]))]
        meant = frozenset(tied if len(tied) <= MOST_TIED else ())
        return meant, meant


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
