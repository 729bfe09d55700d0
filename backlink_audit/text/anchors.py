"""Where a source page could link to a target: a phrase of the target's title or H1 that stands in the source's content.

Found letter for letter: the anchor stands in the sentence, the sentence in the content. Left alone are, as far as the
text tells, headings, existing links, and addresses.
"""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
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

    def of(self, phrase: Sequence[str]) -> float:
        """Return the summed weight of the words that are no stop words; a word seen nowhere weighs most."""
        most = math.log(1 + self.pages)
        return sum(self.weights.get(word, most) for word in phrase if word not in self.stop)

    def is_rare(self, word: str) -> bool:
        """Whether a word alone is enough to tell what is meant."""
        return self.pages_with.get(word, 0) < max(FEW_PAGES, MOST_PAGES_OF_ONE_WORD * self.pages)


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

    def find(self, titles: Iterable[str], rarity: Rarity) -> Anchor:
        """Return the weightiest phrase of the titles found, and its first free sentence; NO_ANCHOR without one."""
        best: tuple[float, Span] | None = None
        for title in titles:
            wanted = [word for word, _, _ in word_spans(title)]
            total = rarity.of(wanted)
            for phrase, first in self._phrases(wanted):
                weight = rarity.of(phrase)
                if best and weight <= best[0] or not _tells(phrase, weight, total, rarity, is_unspaced(title)):
                    continue
                span = self._spans[first][1], self._spans[first + len(phrase) - 1][2]
                if self._is_free(span):
                    best = weight, span
        return self._anchor(best[1]) if best else NO_ANCHOR

    def _phrases(self, wanted: Sequence[str]) -> Iterable[tuple[Sequence[str], int]]:
        """Yield the longest runs of the wanted words in the text, and the number of the word each begins with."""
        for start, word in enumerate(wanted):
            for first in self._at.get(word, ()):
                if start and first and self._spans[first - 1][0] == wanted[start - 1]:
                    continue
                length = 1
                while (
                    start + length < len(wanted)
                    and first + length < len(self._spans)
                    and self._spans[first + length][0] == wanted[start + length]
                ):
                    length += 1
                yield wanted[start : start + length], first

    def _is_free(self, span: Span) -> bool:
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


def _tells(phrase: Sequence[str], weight: float, total: float, rarity: Rarity, unspaced: bool) -> bool:
    """Whether a phrase alone says what the target is about."""
    telling = [word for word in phrase if word not in rarity.stop and not word.isnumeric()]
    if not telling or phrase[0] in rarity.stop or phrase[-1] in rarity.stop or total <= 0:
        return False
    if len(telling) > 1:
        return weight >= LEAST_PART * total
    return (
        len(telling[0]) > (1 if unspaced else 2)
        and weight >= LEAST_PART_OF_ONE_WORD * total
        and rarity.is_rare(telling[0])
    )


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
