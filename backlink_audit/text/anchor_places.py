"""Where a source page could link to its targets: words of a target's names that stand in the source's content.

A target's names are its title and H1, the words that other pages link to it with, and the headings of its own content.
Of a title some words are enough, in any order; of the others all are needed. Found letter for letter: the anchor stands
in the sentence, the sentence in the content. Left alone are links, headings, menus, parts of longer names, and words
that name the source page itself. One place of the source holds one link.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial

import regex

from backlink_audit.text import sentences
from backlink_audit.text.languages import forms_of
from backlink_audit.text.page_names import LEAST_PART_OF_A_NAME, Name, Target, forms
from backlink_audit.text.phrases import PhraseBoundaries, WordUse, glued_headings
from backlink_audit.text.urls import is_domain

EXACT, PARTIAL, NEAR = "exact", "partial", "near in meaning"
"""Whether the words of an anchor are what the target is called, whole; a part of its name; or near it in meaning."""
GLUE = (".", "-", "_", "@")

_GLUED_BEFORE = regex.compile(r"(?:[\p{L}\p{N}][-.@_/+’'‑]|[$#@])\Z")
_GLUED_AFTER = regex.compile(r"[-.@_/+‑=][\p{L}\p{N}]|[`´]?\s--?\p{L}")
"""The name goes on, or the options of a command follow."""
_OWNS = regex.compile(r"['’]s\Z")  # A phrase that ends so leads on to what it owns
_BULLET = regex.compile(r"^[^\p{L}\p{N}\"“„«'‘(\[¿¡]+")
LONGEST_ANCHOR = 10  # words of an anchor, at most: more reads like a sentence
SENTENCE_WORTH = 0.6  # what a sentence full of the target's words adds, as a share of the anchor's own weight
LEAST_AROUND = 0.02
"""A common word alone and in small letters needs a sentence with this share of what the target is full of."""

_BREAK = regex.compile(r"[\"“”«»„()\[\]{}<>!?;|/\r\n]|[:,…](?=\s)|\s[-–—]++\s|[–—]")
"""What no phrase that reads well runs across."""


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
        closed: Iterable[sentences.Span] = (),
        stop: Set[str] = frozenset(),
        use: WordUse | None = None,
    ) -> None:
        """Read the text.

        `taken` are texts of it that are links or headings already, `own` the names of the page itself, `closed` other
        places without room for a link, `stop` words that say nothing, `use` how the site uses its words: without it, an
        anchor can be a part of a longer phrase.
        """
        self.text = text
        read = sentences.read_text(text)
        spans = list(zip(read.starts, read.ends, strict=True))
        self.words = read.forms
        self.stops = [word in stop for word in read.words]
        self.spans = spans
        self.at: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            self.at.setdefault(word, []).append(number)
        self.starts = read.starts
        self.quotations = list(sentences.quotations(text))
        self.boundaries = PhraseBoundaries(text, self.words, self.spans, self.stops, use) if use else None
        gaps = list(sentences.sentence_gaps(text))
        glued: list[sentences.Span] = []
        if use:
            starts = sorted({bisect_left(self.starts, end) for end in (0, *(end for _, end in gaps))})
            inside = [start for start in starts if start < len(spans)]
            headings = glued_headings(text, self.spans, self.words, self.stops, inside, use)
            glued = [(self.starts[first], self.spans[last][1]) for first, last in headings]
            gaps = sorted([*gaps, *((end, end + 1) for _, end in glued)])
        self._bounds = [0, *(end for _, end in gaps)]
        self._stops_at = [*(start for start, _ in gaps), len(text)]
        self._free = self._free_words([*sentences.no_link_spans(text, taken), *closed, *glued])
        self.own = [set(forms(name)) - forms_of(frozenset(stop)) for name in own if name]

    def are_free(self, first: int, last: int) -> bool:
        return all(self._free[first : last + 1])

    def has_room(self, first: int, last: int) -> bool:
        """Whether the sentence says something of the words, and they are no address."""
        start, end = self.spans[first][0], self.spans[last][1]
        words = self.text[start:end]
        if "." in words and is_domain(words):  # who clicks the name of a site wants that site
            return False
        return sentences.has_room(self.text, self.sentence(first), (start, end))

    def is_part_of_more(self, first: int, last: int) -> bool:
        """Whether a longer name holds the words: a hyphen joins them to it, or capitals run on beside them."""
        start, end = self.spans[first][0], self.spans[last][1]
        if self.is_glued_to_more(start, end):
            return True
        if _OWNS.search(self.text[start:end]) or (self.boundaries and self.boundaries.abbreviates(first, last)):
            return True
        before = first > 0 and self.side_by_side(first - 1) and self.is_large(first - 1)
        after = last + 1 < len(self.spans) and self.side_by_side(last) and self.is_large(last + 1)
        starts = before and sentences.begins_sentence(self.text, self.spans[first - 1][0])
        small = before and self.stops[first - 1] and not self.is_noun_like(first - 1)
        return (before and not starts and not small and self.is_large(first)) or (after and self.is_large(last))

    def is_in_a_title(self, first: int, last: int) -> bool:
        """Whether words with capitals are a part of a longer name: "Meals" of “Rules for Meals”, or a short form of it.

        One small word may stand between, and an abbreviation in brackets behind.
        """
        at, behind = first - 2, last + 1
        if not all(self.is_large(number) or self.stops[number] for number in range(first, last + 1)):
            return False
        if behind + 1 < len(self.spans) and (self.between(last), self.between(behind)) == (" (", ") "):
            return self.is_large(behind + 1)
        joins = at >= 0 and self.stops[at + 1] and not self.is_large(at + 1) and self.is_large(at)
        beside = joins and self.side_by_side(at) and self.side_by_side(at + 1)
        return beside and not sentences.begins_sentence(self.text, self.spans[at][0])

    def is_glued_to_more(self, start: int, end: int) -> bool:
        """Whether a sign joins this part of the text to a longer name."""
        before = _GLUED_BEFORE.search(self.text, max(0, start - 2), start)
        return before is not None or _GLUED_AFTER.match(self.text, end) is not None

    def between(self, number: int) -> str:
        return self.text[self.spans[number][1] : self.spans[number + 1][0]]

    def side_by_side(self, number: int) -> bool:
        return self.between(number) == " "

    def in_one_sentence(self, first: int, last: int) -> bool:
        return self.sentence(first) == self.sentence(last)

    def is_large(self, number: int) -> bool:
        return self.text[self.spans[number][0]].isupper()

    def is_name(self, number: int) -> bool:
        """Whether a word can be an anchor alone: a name by its capitals, or of a script without."""
        start, end = self.spans[number]
        word = self.text[start:end]
        if word.lower() == word.upper() or any(map(str.isupper, word[1:])):
            return True
        return word[0].isupper() and not sentences.begins_sentence(self.text, start)

    def sentence(self, number: int) -> sentences.Span:
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
        start, stop = sentences.shortened(self.text, (start, max(stop, span[1])), span)
        sentence = self.text[start:stop].rstrip()
        bullet = _BULLET.match(sentence)
        start += bullet.end() if bullet else 0
        phrase, sentence = self.text[slice(*span)], self.text[start:stop].strip()
        return Anchor(phrase, sentence, match, span[0] - start, span[0])

    def is_verb_like(self, number: int) -> bool:
        return self.boundaries is not None and self.boundaries.use.is_verb_like(self.words[number])

    def is_noun_like(self, number: int) -> bool:
        return self.boundaries is not None and self.boundaries.use.is_noun_like(self.words[number])

    def _free_words(self, closed: Iterable[sentences.Span]) -> list[bool]:
        free = [True] * len(self.spans)
        for start, end in closed:
            for number in range(max(0, bisect_right(self.starts, start) - 1), bisect_left(self.starts, end)):
                free[number] &= self.spans[number][1] <= start
        return free


@dataclass(frozen=True)
class _Place:
    """A place for a link: how good it is, its first and last word, and whether they are a whole name of the target."""

    score: float
    first: int
    last: int
    is_exact: bool = False

    @property
    def worth(self) -> tuple[bool, float]:
        return not self.is_exact, -self.score


def find_names(
    content: Content, targets: Sequence[Target], accepts: Callable[[int, Sequence[str]], bool] = lambda _, __: True
) -> list[Anchor]:
    """Return an anchor for each target, NO_ANCHOR where there is none; the best get their places first.

    `accepts` is asked whether the words of an anchor can mean a target, by its place among the targets.
    """
    search = _Search(content)
    places = [
        (place, number)
        for number, target in enumerate(targets)
        for place in search.best(target, partial(accepts, number))
    ]
    found = [NO_ANCHOR] * len(targets)
    used: list[tuple[int, int]] = []
    for place, number in sorted(places, key=lambda both: (*both[0].worth, both[1], both[0].first)):
        overlaps = any(place.first <= last and first <= place.last for first, last in used)
        if found[number] is NO_ANCHOR and not overlaps:
            used.append((place.first, place.last))
            found[number] = content.anchor(place.first, place.last, EXACT if place.is_exact else PARTIAL)
    return found


@dataclass(frozen=True)
class _Search:
    """A content on the way to the places where targets are named."""

    content: Content

    def best(self, target: Target, accepts: Callable[[Sequence[str]], bool], most: int = 4) -> list[_Place]:
        places = {
            (place.first, place.last): place
            for name in target.names
            for place in (self._literal(name, target) if name.literal else self._runs(name, target))
            if accepts(self.content.words[place.first : place.last + 1])
        }
        judged = [replace(place, is_exact=self._is_exact(place, target, places)) for place in places.values()]
        return sorted(judged, key=lambda place: (*place.worth, place.first))[:most]

    def _literal(self, name: Name, target: Target) -> Iterator[_Place]:
        """Yield where a name with signs in it stands letter for letter."""
        at = self.content.text.find(name.literal)
        while at >= 0:
            end = at + len(name.literal)
            first, last = bisect_left(self.content.starts, at), bisect_left(self.content.starts, end) - 1
            around = self.content.text[at - 1 : at] + self.content.text[end : end + 1]
            if (
                first <= last
                and self.content.are_free(first, last)
                and self.content.has_room(first, last)
                and not regex.search(r"[\w<>$@.-]\w|\w", around)
                and not self.content.is_glued_to_more(at, end)
            ):
                worth = 1 + SENTENCE_WORTH * math.sqrt(self.content.around(first, last, target))
                yield _Place(name.total * worth, first, last)
            at = self.content.text.find(name.literal, end)

    def _runs(self, name: Name, target: Target) -> Iterator[_Place]:
        """Yield the runs of the name's words that tell enough."""
        said = {word for word, weight in name.weights.items() if weight and word in self.content.at}
        if not name.may_be_told_by(said):
            return
        hits = sorted(number for word in said for number in self.content.at[word])
        start = 0
        while start < len(hits):
            stop, seen = start + 1, {self.content.words[hits[start]]}
            while (
                stop < len(hits)
                and self.content.words[hits[stop]] not in seen
                and self._joined(name, hits[stop - 1], hits[stop])
            ):
                seen.add(self.content.words[hits[stop]])
                stop += 1
            first, last = hits[start], hits[stop - 1]
            start = stop
            if len(seen) > 1:
                first, last = self._widened(name, first, last)
            elif seen.isdisjoint(name.alone):
                continue
            place = self._judge(name, target, first, last, seen)
            if place:
                yield place

    def _widened(self, name: Name, first: int, last: int) -> tuple[int, int]:
        """Return the run with the name's small words and numbers beside it, as in "how to run a sprint"."""
        start = first
        while (
            start
            and self.content.words[start - 1] in name.weights
            and self.content.words[start - 1] not in self.content.words[start : last + 1]
            and self._joined(name, start - 1, start)
        ):
            start -= 1
        if self.content.words[start] == next(iter(name.weights)):
            first = start
        words, stop = self.content.words, last
        while (
            stop + 1 < len(words)
            and words[stop + 1] in name.weights
            and words[stop + 1] not in words[first : stop + 1]
            and self._joined(name, stop, stop + 1)
        ):
            stop += 1
            ends = words[first] == next(iter(name.weights)) or self.content.is_noun_like(stop)
            if self.content.between(stop - 1) in GLUE or (ends and words[stop] == list(name.weights)[-1]):
                last = stop
        return first, last

    def _judge(self, name: Name, target: Target, first: int, last: int, seen: Set[str]) -> _Place | None:
        weight, total = sum(name.weights[word] for word in seen), name.total
        if not self._tells_enough(name, target, first, seen) or name.turns_round(self.content.words[first : last + 1]):
            return None
        if "_" in self.content.text[self.content.spans[first][0] : self.content.spans[last][1]] and not name.whole:
            return None
        named = weight >= 0.999 * total
        whole = self._whole(first, last, target, named=named) if self.content.are_free(first, last) else None
        if whole is None or whole[1] - whole[0] >= LONGEST_ANCHOR or not self.content.has_room(*whole):
            return None
        first, last = whole
        if not named and not self.content.is_large(last) and self.content.is_verb_like(last):
            return None
        is_own = named and tuple(self.content.words[first : last + 1]) in target.exact.whole
        if self.content.is_part_of_more(first, last) or any(
            seen == own or (seen < own and not is_own) for own in self.content.own
        ):
            return None
        around = self.content.around(first, last, target)
        if seen <= name.common and around < LEAST_AROUND and not self.content.is_name(first):
            return None
        score = weight * (0.5 + 0.5 * weight / total) * (1 + SENTENCE_WORTH * math.sqrt(around))
        return _Place(score, first, last)

    def _tells_enough(self, name: Name, target: Target, first: int, seen: Set[str]) -> bool:
        """Whether the words of a name that were seen, from the `first` on, are enough of it."""
        least = target.least_part
        if len(seen) == 1:
            is_title = len(name.weights) == 1 and not name.whole
            if not seen <= name.alone or not (is_title or self.content.is_name(first)):
                return False
            least = LEAST_PART_OF_A_NAME
        return sum(name.weights[word] for word in seen) >= name.total * (0.999 if name.whole else least)

    def _whole(self, first: int, last: int, target: Target, *, named: bool) -> tuple[int, int] | None:
        """Return the first and last word of the whole phrase or quotation around some words; None if it is no place."""
        if self.content.boundaries:
            phrase = self.content.boundaries.phrase(first, last, target.says, named=named)
            if phrase is None:
                return None
            first, last = phrase
        whole = self._quoted(first, last, target)
        if (
            whole is None
            or not self.content.are_free(*whole)
            or self.content.sentence(whole[0]) != self.content.sentence(whole[1])
        ):
            return None
        return whole

    def _quoted(self, first: int, last: int, target: Target) -> tuple[int, int] | None:
        """Return the first and last word of the quotation around some words, which is whole or no anchor at all."""
        start, end = self.content.spans[first][0], self.content.spans[last][1]
        at = bisect_right(self.content.quotations, (start, len(self.content.text))) - 1
        if at < 0 or self.content.quotations[at][1] < end:
            return first, last
        start, end = self.content.quotations[at]
        whole = bisect_left(self.content.starts, start), bisect_left(self.content.starts, end) - 1
        return whole if whole == (first, last) or target.says(self.content.words[whole[0] : whole[1] + 1]) else None

    def _joined(self, name: Name, one: int, next_one: int) -> bool:
        """Whether two words of a name stand in one phrase: side by side, or with small words alone between them."""
        between = range(one + 1, next_one)
        if not all(self.content.stops[at] and self.content.words[at] in name.weights for at in between):
            return False
        if self._begins_anew(one, next_one):
            return False
        gaps = (self.content.between(at) for at in range(one, next_one))
        return not any(_BREAK.search(gap) for gap in gaps) and self.content.in_one_sentence(one, next_one)

    def _begins_anew(self, one: int, next_one: int) -> bool:
        small = self.content.text[self.content.spans[one][0]].islower() and not self.content.stops[one]
        if self.content.boundaries is None or not small or not self.content.is_large(next_one):
            return False
        return self.content.boundaries.use.is_common(self.content.words[next_one])

    def _is_exact(self, place: _Place, target: Target, places: Iterable[tuple[int, int]]) -> bool:
        """Whether words are a whole name of the target, and no longer phrase holds them, nor another of the places."""
        telling = [number for number in range(place.first, place.last + 1) if not self.content.stops[number]]
        ends = [(place.first, place.last), *([(telling[0], telling[-1])] if telling else [])]
        phrases = {tuple(self.content.words[first : last + 1]) for first, last in ends}
        if phrases.isdisjoint(target.exact.whole):
            if phrases.isdisjoint(target.exact.in_capitals) or not all(map(self.content.is_large, telling)):
                return False
        if len(telling) < 2 and not any(map(self.content.is_name, telling)):
            return False
        at = place.first, place.last
        if any(first <= at[0] and at[1] <= last for first, last in places if (first, last) != at):
            return False
        return self.content.boundaries is None or self.content.boundaries.stands_alone(*at)
