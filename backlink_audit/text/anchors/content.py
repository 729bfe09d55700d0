"""One page's content, read once: its words, its sentences, and which of them have room for a link."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

import regex

from backlink_audit.text.anchors.phrase_boundaries import PhraseBoundaries, glued_headings
from backlink_audit.text.anchors.sentences import begins_sentence, has_room, quotations, sentence_gaps, shortened
from backlink_audit.text.anchors.word_use import WordUse
from backlink_audit.text.languages.word_forms import forms_of
from backlink_audit.text.pages.exact_names import forms
from backlink_audit.text.pages.no_link_spans import Span, no_link_spans
from backlink_audit.text.pages.page_names import Target
from backlink_audit.text.pages.read_text import read_text
from backlink_audit.text.urls.parts import is_domain

EXACT, PARTIAL, NEAR = "exact", "partial", "near in meaning"
"""Whether the words of an anchor are what the target is called, whole; a part of its name; or near it in meaning."""
GLUE = (".", "-", "_", "@")

_GLUED_BEFORE = regex.compile(r"(?:[\p{L}\p{N}][-.@_/+’'‑]|[$#@])\Z")
_GLUED_AFTER = regex.compile(r"[-.@_/+‑=][\p{L}\p{N}]|[`´]?\s--?\p{L}")
"""The name goes on, or the options of a command follow."""
_OWNS = regex.compile(r"['’]s\Z")
"""A phrase that ends so leads on to what it owns."""
_BULLET = regex.compile(r"^[^\p{L}\p{N}\"“„«'‘(\[¿¡]+")


@dataclass(frozen=True)
class Anchor:
    """The words to link, and the sentence of the source's content they stand in, both letter for letter.

    `match`: EXACT, PARTIAL or NEAR, "" without words; `at`: where in the sentence the words begin; `start`: where in
    the content.
    """

    phrase: str
    sentence: str
    match: str = ""
    at: int = 0
    start: int = field(default=0, compare=False)


NO_ANCHOR = Anchor("", "")


class Content:
    """One page's content, read once and searched for many targets.

    `words` are the forms of its words, `spans` where they are, `at` the places of each; `stops` says which of them are
    small words. `own` are the words of the page's own names.
    """

    def __init__(
        self,
        text: str,
        taken: Iterable[str] = (),
        own: Iterable[str] = (),
        closed: Iterable[Span] = (),
        stop: Set[str] = frozenset(),
        use: WordUse | None = None,
    ) -> None:
        """Read the text.

        `taken` are texts of it that are links or headings already, `own` the names of the page itself, `closed` other
        places without room for a link, `stop` words that say nothing, `use` how the site uses its words: without it, an
        anchor can be a part of a longer phrase.
        """
        self.text = text
        read = read_text(text)
        spans = list(zip(read.starts, read.ends, strict=True))
        self.words = read.forms
        self.stops = [word in stop for word in read.words]
        self.spans = spans
        self.at: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            self.at.setdefault(word, []).append(number)
        self.starts = read.starts
        self.quotations = list(quotations(text))
        self.boundaries = PhraseBoundaries(text, self.words, self.spans, self.stops, use) if use else None
        gaps = list(sentence_gaps(text))
        glued: list[Span] = []
        if use:
            starts = sorted({bisect_left(self.starts, end) for end in (0, *(end for _, end in gaps))})
            inside = [start for start in starts if start < len(spans)]
            headings = glued_headings(text, self.spans, self.words, self.stops, inside, use)
            glued = [(self.starts[first], self.spans[last][1]) for first, last in headings]
            gaps = sorted([*gaps, *((end, end + 1) for _, end in glued)])
        self._bounds = [0, *(end for _, end in gaps)]
        self._stops_at = [*(start for start, _ in gaps), len(text)]
        self._free = self._free_words([*no_link_spans(text, taken), *closed, *glued])
        self.own = [set(forms(name)) - forms_of(frozenset(stop)) for name in own if name]

    def are_free(self, first: int, last: int) -> bool:
        """Whether no link, heading or menu holds any of the words from the first to the last."""
        return all(self._free[first : last + 1])

    def has_room(self, first: int, last: int) -> bool:
        """Whether the sentence says something of the words, and they are no address."""
        start, end = self.spans[first][0], self.spans[last][1]
        words = self.text[start:end]
        if "." in words and is_domain(words):  # who clicks the name of a site wants that site
            return False
        return has_room(self.text, self.sentence(first), (start, end))

    def is_part_of_more(self, first: int, last: int) -> bool:
        """Whether a longer name holds the words: a hyphen joins them to it, or capitals run on beside them."""
        start, end = self.spans[first][0], self.spans[last][1]
        if self.is_glued_to_more(start, end):
            return True
        if _OWNS.search(self.text[start:end]) or (self.boundaries and self.boundaries.abbreviates(first, last)):
            return True
        before = first > 0 and self.side_by_side(first - 1) and self.is_large(first - 1)
        after = last + 1 < len(self.spans) and self.side_by_side(last) and self.is_large(last + 1)
        starts = before and begins_sentence(self.text, self.spans[first - 1][0])
        small = before and self.stops[first - 1] and not self._names_things(first - 1)
        return (before and not starts and not small and self.is_large(first)) or (after and self.is_large(last))

    def is_glued_to_more(self, start: int, end: int) -> bool:
        """Whether a sign joins this part of the text to a longer name."""
        before = _GLUED_BEFORE.search(self.text, max(0, start - 2), start)
        return before is not None or _GLUED_AFTER.match(self.text, end) is not None

    def between(self, number: int) -> str:
        """Return what is between a word and the next one."""
        return self.text[self.spans[number][1] : self.spans[number + 1][0]]

    def side_by_side(self, number: int) -> bool:
        """Whether nothing but a space is between a word and the next one."""
        return self.between(number) == " "

    def in_one_sentence(self, first: int, last: int) -> bool:
        """Whether two words stand in the same sentence."""
        return self.sentence(first) == self.sentence(last)

    def is_large(self, number: int) -> bool:
        """Whether a word has a capital."""
        return self.text[self.spans[number][0]].isupper()

    def is_name(self, number: int) -> bool:
        """Whether a word can be an anchor alone: a name by its capitals, or of a script without."""
        start, end = self.spans[number]
        word = self.text[start:end]
        if word.lower() == word.upper() or any(map(str.isupper, word[1:])):
            return True
        return word[0].isupper() and not begins_sentence(self.text, start)

    def sentence(self, number: int) -> Span:
        """Return where the sentence of a word begins and ends."""
        at = bisect_right(self._bounds, self.starts[number]) - 1
        return self._bounds[at], self._stops_at[at]

    def around(self, first: int, last: int, target: Target) -> float:
        """Return the share of what the target is full of that stands in the sentence around some words, 0 to 1."""
        start, stop = self.sentence(first)
        words = {
            self.words[number] for number in range(bisect_left(self.starts, start), bisect_left(self.starts, stop))
        }
        return sum(target.topic.get(word, 0.0) for word in words - set(self.words[first : last + 1]))

    def is_glued(self, number: int) -> bool:
        """Whether a sign joins a word to the next one."""
        return self.between(number) in GLUE

    def anchor(self, first: int, last: int, match: str) -> Anchor:
        """Return the words from the first to the last as an anchor, with its sentence."""
        span = self.spans[first][0], self.spans[last][1]
        if self.text.startswith("()", span[1]):
            span = span[0], span[1] + 2
        elif self.boundaries:
            span = span[0], span[1] + len(self.boundaries.abbreviated(first, last))
        if self.text[span[0] - 1 : span[0]] == "$":
            span = span[0] - 1, span[1]
        start, stop = self.sentence(first)
        start, stop = shortened(self.text, (start, max(stop, span[1])), span)
        sentence = self.text[start:stop].rstrip()
        bullet = _BULLET.match(sentence)
        start += bullet.end() if bullet else 0
        phrase, sentence = self.text[slice(*span)], self.text[start:stop].strip()
        return Anchor(phrase, sentence, match, span[0] - start, span[0])

    def _names_things(self, number: int) -> bool:
        return self.boundaries is not None and self.boundaries.use.is_noun_like(self.words[number])

    def _free_words(self, closed: Iterable[Span]) -> list[bool]:
        free = [True] * len(self.spans)
        for start, end in closed:
            for number in range(max(0, bisect_right(self.starts, start) - 1), bisect_left(self.starts, end)):
                free[number] &= self.spans[number][1] <= start
        return free
