"""Where a source page could link to a target: a phrase of the target's title or H1 that stands in the source's content.

Found letter for letter: the anchor stands in the sentence, the sentence in the content. Left alone are, as far as the
text tells, headings, existing links, and addresses.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

import regex

from backlink_audit.text.languages import is_unspaced, word_spans

LONGEST_SENTENCE = 300
"""Characters of the sentence shown; a longer one is cut between words on both sides of the anchor."""
LEAST_PART = 0.3
"""A phrase says what the target is about if it holds at least this share of its title's rarity, …"""
LEAST_PART_OF_ONE_WORD = 0.5
"""… and a single word if it holds this share …"""
MOST_PAGES_OF_ONE_WORD = 0.05
"""… and stands in the content of at most this share of the pages (or in fewer than five)."""
FEW_PAGES = 5
HEADING_CHARACTERS = 90
"""A line of its own without a sentence's end, shorter than this, is a heading, a button or an entry of a list."""

_SENTENCE_END = regex.compile(r"(?<=[.!?…][\"”’)\]]*)(?<!\b\p{L}\.)\s+(?=[^\p{Ll}])|(?<=[。！？])|\s*[\r\n]+\s*")
_LINE = regex.compile(r"[^\r\n]+")
_ENDS_A_SENTENCE = regex.compile(r"[.!?…。！？:;,][\"”’)\]]*\s*$")
_LINKED = regex.compile(
    r"!?\[[^\]\n]*\]\([^)\n]*\)|<a\b.*?</a>|<h\d\b.*?</h\d>|(?:https?://|www\.)\S+|\S+@\S+\.\S+", regex.I
)
_SENTENCE_START = regex.compile(r"(?:^|[.!?…:\r\n])[^\p{L}\p{N}]*\Z")
_BROKEN = regex.compile(r"[\"“”«»„()\[\]{}<>!?;]|[:,]\s")
"""What no phrase that reads well runs across."""
_PART_OF_MORE = regex.compile(r"[.@_-]\w")
GLUE = (".", "-", "_", "@")
_BULLET = regex.compile(r"^[^\p{L}\p{N}\"“„«'‘(\[¿¡]+")

Span = tuple[int, int]


@dataclass(frozen=True)
class Anchor:
    """The words to link, and the sentence of the source's content they stand in, both letter for letter."""

    phrase: str
    sentence: str


NO_ANCHOR = Anchor("", "")


@dataclass(frozen=True)
class Rarity:
    """How much each word tells on this site: its weight, the stop words, and how many pages hold it."""

    weights: Mapping[str, float]
    stop: Set[str]
    pages_with: Mapping[str, int]
    pages: int

    def of(self, word: str) -> float:
        """Return a word's weight: 0 for a stop word, most for a word that no content holds."""
        return 0.0 if word in self.stop else self.weights.get(word, math.log(1 + self.pages))

    def is_rare(self, word: str) -> bool:
        """Whether a word alone is enough to tell what is meant."""
        return self.pages_with.get(word, 0) < max(FEW_PAGES, MOST_PAGES_OF_ONE_WORD * self.pages)


@dataclass(frozen=True)
class Title:
    """A target's title or H1 as it is looked for: its words, their weights, and which of them can stand alone."""

    words: tuple[str, ...]
    weights: tuple[float, ...]
    alone: tuple[bool, ...]

    @property
    def total(self) -> float:
        """The weight of all words together."""
        return sum(self.weights)


def read_title(text: str, rarity: Rarity) -> Title:
    """Return a title ready to be looked for in many contents."""
    words = tuple(word for word, _, _ in word_spans(text))
    weights = tuple(0.0 if word.isnumeric() else rarity.of(word) for word in words)
    shortest = 2 if is_unspaced(text) else 3
    least = LEAST_PART_OF_ONE_WORD * sum(weights)
    return Title(
        words,
        weights,
        tuple(
            weight >= least and len(word) >= shortest and rarity.is_rare(word)
            for word, weight in zip(words, weights, strict=True)
        ),
    )


class Content:
    """One page's content, read once and searched for the titles of many targets."""

    def __init__(self, text: str, taken: Iterable[str] = ()) -> None:
        """Read the text. `taken` are texts of it that are links or headings already."""
        self.text = text
        self._spans = list(word_spans(text))
        self._at: dict[str, list[int]] = {}
        for number, (word, _, _) in enumerate(self._spans):
            self._at.setdefault(word, []).append(number)
        self._closed = _closed_spans(text, taken)
        self._ends = [match.span() for match in _SENTENCE_END.finditer(text)]

    def find(self, titles: Iterable[Title]) -> Anchor:
        """Return the weightiest phrase of the titles found, and its first free sentence; NO_ANCHOR without one."""
        found = [phrase for title in titles for phrase in self._phrases(title)]
        for _, first, length in sorted(found, key=lambda phrase: (-phrase[0], phrase[1])):
            span = self._spans[first][1], self._spans[first + length - 1][2]
            if self._is_free(span):
                return self._anchor(span)
        return NO_ANCHOR

    def _phrases(self, title: Title) -> Iterator[tuple[float, int, int]]:
        """Yield the longest runs of the title's words that tell enough: weight, number of the first word, length."""
        least = LEAST_PART * title.total
        for start, word in enumerate(title.words):
            if title.weights[start] == 0:
                continue
            for first in self._at.get(word, ()):
                length = self._run(title, start, first)
                weights = title.weights[start : start + length]
                telling = len(weights) - weights.count(0.0)
                weight = sum(weights)
                if weight >= least and (telling > 1 or title.alone[start] and self._is_name(title, first)):
                    yield weight, first, length

    def _run(self, title: Title, start: int, first: int) -> int:
        """Return how many of the title's words from `start` stand at `first`, the last of them one that tells."""
        length = telling = 1
        for word, weight in zip(title.words[start + 1 :], title.weights[start + 1 :], strict=True):
            if first + length >= len(self._spans) or self._spans[first + length][0] != word:
                break
            length += 1
            telling = length if weight or self._is_glued(first + length - 1) else telling
        return telling

    def _is_glued(self, number: int) -> bool:
        """Whether a word hangs on the one before it, as in "example.gov" or "e-mail"."""
        before, start = self._spans[number - 1][2], self._spans[number][1]
        return self.text[before:start] in GLUE

    def _is_name(self, title: Title, number: int) -> bool:
        """Whether a word can be an anchor alone: the whole title, a name by its capitals, or of a script without."""
        _, start, end = self._spans[number]
        word = self.text[start:end]
        if len(title.words) == 1 or word.lower() == word.upper() or any(map(str.isupper, word[1:])):
            return True
        return word[0].isupper() and not _SENTENCE_START.search(self.text, 0, start)

    def _is_free(self, span: Span) -> bool:
        if _BROKEN.search(self.text, *span) or _PART_OF_MORE.match(self.text, span[1]):
            return False
        within_one = not any(span[0] < end[1] and end[0] < span[1] for end in self._ends)
        return within_one and not any(span[0] < closed[1] and closed[0] < span[1] for closed in self._closed)

    def _anchor(self, span: Span) -> Anchor:
        start = max((end[1] for end in self._ends if end[1] <= span[0]), default=0)
        stop = min((end[0] for end in self._ends if end[0] >= span[1]), default=len(self.text))
        spare = max(0, LONGEST_SENTENCE - (span[1] - span[0])) // 2
        if stop - start > LONGEST_SENTENCE:
            start = max(start, _between_words(self.text, span[0] - spare, span[0], 1))
            stop = min(stop, _between_words(self.text, span[1] + spare, span[1], -1))
        sentence = _BULLET.sub("", self.text[start:stop]).strip()
        return Anchor(self.text[span[0] : span[1]], sentence)


def _closed_spans(text: str, taken: Iterable[str]) -> list[Span]:
    """Return where no link can be put: links, addresses, headings, and the given texts."""
    spans = [match.span() for match in _LINKED.finditer(text)]
    for words in {tuple(piece.split()) for piece in taken if len(piece.strip()) > 2}:
        joined = r"\s+".join(map(regex.escape, words))
        whole_words = rf"(?<![\p{{L}}\p{{N}}]){joined}(?![\p{{L}}\p{{N}}])"
        spans.extend(match.span() for match in regex.finditer(whole_words, text, regex.I))
    lines = list(_LINE.finditer(text))
    if len(lines) > 1:
        spans.extend(
            line.span()
            for line in lines
            if len(line[0].strip()) < HEADING_CHARACTERS and not _ENDS_A_SENTENCE.search(line[0])
        )
    return spans


def _between_words(text: str, at: int, limit: int, step: int) -> int:
    """Return the first place from `at` towards `limit` that is not inside a word."""
    at = min(max(at, 0), len(text))
    if at in (0, len(text)):
        return at
    while at != limit and not (text[at - 1].isspace() or text[at].isspace()):
        at += step
    return at
