"""Phrases: those of a text that can name what it is about, and where one begins and ends in it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import compress, pairwise

import regex

from backlink_audit.text import read_list
from backlink_audit.text.languages import form, is_unspaced, stop_words_of, word_spans, words
from backlink_audit.text.sentences import ReadText, Span, read_text

BODY_CHARACTERS = 4_000  # how much of a page's content is read for its phrases: about 700 English words
MOST_PLACES = 0.5  # A word belongs to a phrase that it is beside at this share of the phrase's places, …
FEWEST_PLACES = 3  # … at so many at least, …
ABOVE_CHANCE = 200  # … and so many times as often as chance would have it. Small words are too frequent for that
KNOWN = 3  # places from which on a word or a pair of words is known well enough to say something of it
FIXED = 40  # two words belong together that meet so many times as often as chance would have it
LEADING_ON = 0.4  # A verb leads on to a small word at this share of its places at least, …
PAUSING = 0.2  # … and pauses at less than this share of the places where it pauses or leads on
MOST_LARGE = 0.2  # A common word is written large inside sentences at no more than this share of its places there
_PAUSE = regex.compile(r"[.,;:!?)\]\r\n。、，！？]")
MOST_ADDED = 3  # steps by which a phrase is made longer, at most
LEADING_NAME = 0.3
"""A word begins names, as "Office" in "Office of Revenue", if one small word follows it at this share of its places."""
HEADING_WORDS = 12  # words of a heading that runs into the sentence after it, at most

_ABBREVIATION = regex.compile(r" \((\p{Lu}[\p{Lu}\p{N}]+)s?\)")
LONGEST = 4  # words of a phrase, at most


def page_phrases(text: str, languages: Collection[str], most: int = 2) -> set[str]:
    """Return the distinct phrases of one to `most` words of a text, casefolded, without stop words and bare numbers.

    The words of a phrase are side by side in the text, with nothing but a space or a hyphen between them. `languages`
    are those whose stop words are left out.

    >>> sorted(page_phrases("The waterproof panniers of 2024: panniers", ["en"]))
    ['panniers', 'waterproof', 'waterproof panniers']
    """
    nothing = stop_words_of(languages)
    found: set[str] = set()
    before: list[str] = []
    stopped = 0
    for word, start, end in word_spans(text):
        if not may_name(word, nothing):
            before = []
            continue
        endings = [word]
        if touch(text[stopped:start]):
            endings += [join(phrase, word) for phrase in before[: most - 1]]
        found.update(endings)
        before, stopped = endings, end
    return found


def may_name(word: str, nothing: frozenset[str]) -> bool:
    """Whether a word can name a text's subject: no stop word, number or single letter.

    >>> [may_name(word, frozenset()) for word in ("panniers", "2024", "x", "車")]
    [True, False, False, True]
    """
    if word in nothing or word.isdigit():
        return False
    return len(word) > 1 or is_unspaced(word)


def join(first: str, second: str) -> str:
    """Return two neighbouring words as they are in a text: overlapping pairs of characters share their middle.

    >>> join("bike", "rack"), join("東京", "京の")
    ('bike rack', '東京の')
    """
    if first[-1] == second[0] and is_unspaced(first) and is_unspaced(second):
        return first + second[1:]
    return f"{first} {second}"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def touch(between: str) -> bool:
    return between in ("", "-") or (between.isspace() and "\n" not in between)


@dataclass(frozen=True)
class WholePhrases:
    """The titles and texts of a site's pages; `counts`: how often the texts say each word, as its form."""

    titles: Sequence[str]
    bodies: Sequence[str]
    counts: Counter[str]
    brand: Set[str]

    @classmethod
    def of(cls, titles: Sequence[str], bodies: Sequence[str], brand: Set[str]) -> "WholePhrases":
        """Count the words of all texts. The words of the `brand` never become a part of a phrase."""
        counts = Counter(word for body in bodies for word in read_text(body).forms)
        return cls(titles, bodies, counts, frozenset(map(form, brand)))

    def find(self, phrase: str, pages: Sequence[int], most: int) -> str:
        """Return a phrase with the words that belong to it on some pages, `most` words in all.

        It is written as their titles have it, else as their texts do.

        `phrase`: the forms of its words.
        """
        words = tuple(phrase.split(" "))
        while len(words) < most and (longer := self._longer(words, pages)):
            words = longer
        for texts in (self.titles, self.bodies):
            written = Counter(
                texts[page][read.starts[at] : read.ends[at + len(words) - 1]]
                for page in pages
                for read, at in _places(texts[page], words)
            )
            if written:
                return min(written, key=lambda text: (-written[text], text))
        return phrase

    def _longer(self, words: tuple[str, ...], pages: Sequence[int]) -> tuple[str, ...]:
        """Return some words with the word before or behind that belongs to them; () without."""
        beside: Counter[tuple[str, ...]] = Counter()
        places = 0
        for page in pages:
            for text in (self.titles[page], self.bodies[page]):
                for read, at in _places(text, words):
                    places += 1
                    end = at + len(words)
                    if at and touch(text[read.ends[at - 1] : read.starts[at]]):
                        beside[(read.forms[at - 1], *words)] += 1
                    if end < len(read.forms) and touch(text[read.ends[end - 1] : read.starts[end]]):
                        beside[(*words, read.forms[end])] += 1
        for longer, times in sorted(beside.items(), key=lambda one: (-one[1], one[0])):
            if times < max(FEWEST_PLACES, MOST_PLACES * places):
                return ()
            added = longer[-1] if longer[:-1] == words else longer[0]
            chance = self.counts[added] / max(1, self.counts.total())
            if 0 < chance and times >= ABOVE_CHANCE * chance * places and added.isalpha() and added not in self.brand:
                return longer
        return ()


def _places(text: str, words: tuple[str, ...]) -> Iterator[tuple[ReadText, int]]:
    """Yield where some forms stand side by side: the text's words, and the number of the first."""
    read = read_text(text)
    if not read.says(words):
        return
    for at in range(len(read.forms) - len(words) + 1):
        if read.forms[at] == words[0] and tuple(read.forms[at : at + len(words)]) == words:
            ends = range(at, at + len(words) - 1)
            if all(touch(text[read.ends[number] : read.starts[number + 1]]) for number in ends):
                yield read, at


@dataclass(frozen=True)
class WordUse:
    """Counts over the contents of a site, by forms of words; `pairs` were side by side, with a space between them.

    `pausing`: places before a comma or the like; `leading_on`: before a stop word; `large`, `large_pairs`: written with
    a capital inside a sentence, the second word of a pair.
    """

    counts: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    pausing: Counter[str] = field(default_factory=Counter)
    leading_on: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)
    large: Counter[str] = field(default_factory=Counter)
    large_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    @cached_property
    def total(self) -> int:
        return self.counts.total()

    def are_fixed(self, one: str, other: str) -> bool:
        """Whether two words side by side are a phrase of this site, such as "open source"."""
        met = self.pairs[one, other]
        return met >= KNOWN and met * self.total >= FIXED * self.counts[one] * self.counts[other]

    def is_verb_like(self, word: str) -> bool:
        """Whether a word leads on to others and hardly ever ends a phrase, as "provides" does."""
        leads, pauses = self.leading_on[word], self.pausing[word]
        known = self.counts[word] >= KNOWN
        return known and leads >= LEADING_ON * self.counts[word] and pauses < PAUSING * (pauses + leads)

    def is_noun_like(self, word: str) -> bool:
        """Whether a word often ends a phrase, as "component" does."""
        leads, pauses = self.leading_on[word], self.pausing[word]
        return self.counts[word] >= KNOWN and pauses > 0 and pauses >= PAUSING * (pauses + leads)

    def is_common(self, word: str) -> bool:
        """Whether a word is written small inside sentences, so that a capital there begins something new."""
        large = self.large[word]
        return self.small[word] >= KNOWN and large <= MOST_LARGE * (large + self.small[word])


def read_word_use(texts: Iterable[str], stop: Set[str]) -> WordUse:
    """Return how the words of some contents are used; `stop` words say nothing."""
    use = WordUse()
    for text in texts:
        read = read_text(text)
        words, after = read.forms, read.forms[1:]
        gaps = [text[end:start] for end, start in zip(read.ends, read.starts[1:], strict=False)]
        beside = [gap == " " for gap in gaps]
        large_after = [near and text[start].isupper() for near, start in zip(beside, read.starts[1:], strict=True)]
        stop_after = [near and word in stop for near, word in zip(beside, read.words[1:], strict=True)]
        small = [text[start].islower() for start in read.starts[:-1]]
        pauses = [not near and _PAUSE.search(gap) is not None for near, gap in zip(beside, gaps, strict=True)]
        use.counts.update(words)
        use.small.update(compress(words, small))
        use.pairs.update(compress(zip(words, after, strict=False), beside))
        use.leading_on.update(compress(words, stop_after))
        use.large.update(compress(after, large_after))
        use.large_pairs.update(compress(zip(words, after, strict=False), large_after))
        use.pausing.update(compress(words, pauses))
    return use


@dataclass(frozen=True)
class PhraseBoundaries:
    """The words of one content, with where they are, which of them are small words, and how the site uses them."""

    text: str
    words: Sequence[str]
    spans: Sequence[Span]
    stops: Sequence[bool]
    use: WordUse

    def phrase(
        self, first: int, last: int, fits: Callable[[Sequence[str]], bool], *, named: bool = False
    ) -> tuple[int, int] | None:
        """Return the first and last word of the whole phrase around some words; None where it does not fit.

        `fits` is asked about the words of each longer phrase. Of words that are a whole name (several that are `named`
        so, or by their capitals) the word before is a part only if they belong together all over the site; the word
        behind too, if they are several.
        """
        for _ in range(MOST_ADDED + 1):
            whole = (named and first < last) or self._is_name(first, last)
            stands_alone = whole and self.stops[first : last + 1].count(False) > 1
            before, after = self._belongs_before(first, whole), self._belongs_after(last, stands_alone)
            if not before and not after:
                return None if self.is_short_for_more(first, last) else (first, last)
            first, last, named = first - before, last + after, False
            if not fits(self.words[first : last + 1]):
                return None
        return None

    def stands_alone(self, first: int, last: int) -> bool:
        """Whether no word beside some words can belong to them, as none does to a name by its capitals.

        In small letters the word behind them must be a small one or lead on, and no capital may come before them.
        """
        telling = [number for number in range(first, last + 1) if not self.stops[number]]
        if all(map(self._is_large, telling)):
            return True
        if last + 1 < len(self.words) and self._side_by_side(last):
            leads_on = self.stops[last + 1] or self.use.is_verb_like(self.words[last + 1])
            if not leads_on or self._is_large(last + 1):
                return False
        if not first or not self._side_by_side(first - 1) or self.stops[first - 1]:
            return True
        return not self._is_large(first - 1) and not self.use.are_fixed(self.words[first - 1], self.words[first])

    def abbreviated(self, first: int, last: int) -> str:
        """Return the abbreviation of a phrase that follows it, in brackets; "" without."""
        match = _ABBREVIATION.match(self.text, self.spans[last][1])
        start = self._start(last, match[1]) if match else None
        return match[0] if match and start is not None and start >= first else ""

    def abbreviates(self, first: int, last: int) -> bool:
        """Whether a word in brackets is short for the words before them."""
        start, end = self.spans[first][0], self.spans[last][1]
        if first != last or not first or self.text[start - 2 : start] != " (" or self.text[end : end + 1] != ")":
            return False
        return self._start(first - 1, self.text[start:end]) is not None

    def is_short_for_more(self, first: int, last: int) -> bool:
        """Whether an abbreviation behind a phrase is short for more words than the phrase has."""
        match = _ABBREVIATION.match(self.text, self.spans[last][1])
        start = self._start(last, match[1]) if match else None
        return start is not None and start < first

    def _start(self, last: int, abbreviation: str) -> int | None:
        """Return the first of the words, up to the last, whose initials are an abbreviation, small words or not."""
        letters = abbreviation.casefold()
        for start in range(last, max(-1, last - 2 * len(letters)), -1):
            words = range(start, last + 1)
            every = "".join(self.words[at][0] for at in words)
            content = "".join(self.words[at][0] for at in words if not self.stops[at])
            if letters in (every, content):
                return start
        return None

    def _is_name(self, first: int, last: int) -> bool:
        numbers = range(first, last + 1)
        large = all(self.stops[at] or self.text[self.spans[at][0]].isupper() for at in numbers)
        return large and not (first == last and self.use.is_common(self.words[first]))

    def _belongs_before(self, first: int, whole: bool) -> bool:
        if self._name_goes_on(first):
            return True
        if not first or not self._side_by_side(first - 1):
            return False
        word, use = self.words[first - 1], self.use
        if use.is_verb_like(word):
            return False
        fixed = use.are_fixed(word, self.words[first])
        return fixed or (not whole and not self.stops[first - 1] and use.is_noun_like(word))

    def _belongs_after(self, last: int, whole: bool) -> bool:
        if last + 1 >= len(self.words) or not self._side_by_side(last):
            return False
        word, use = self.words[last + 1], self.use
        if whole or self.stops[last + 1]:
            return use.are_fixed(self.words[last], word) and use.is_noun_like(word)
        return not use.is_verb_like(word)

    def _name_goes_on(self, first: int) -> bool:
        """Whether a name begins before a word: "U.S. Tax Court", or with a small word between, "Office of Revenue"."""
        if first < 2 or not self._is_large(first):
            return False
        between = self.text[self.spans[first - 1][1] : self.spans[first][0]]
        if self._is_large(first - 1) and between == ". " and self.spans[first - 1][1] - self.spans[first - 1][0] == 1:
            return True
        if not self._side_by_side(first - 1):
            return between == "." and self._is_large(first - 1)
        start = first - 1
        while start and start > first - 3 and self.stops[start] and not self._is_large(start):
            start -= 1
        head, small = self.words[start], self.words[start + 1]
        met = self.use.pairs[head, small]
        return (
            start < first - 1
            and all(map(self._side_by_side, range(start, first)))
            and self._is_large(start)
            and met >= KNOWN
            and met >= LEADING_NAME * self.use.counts[head]
        )

    def _is_large(self, number: int) -> bool:
        return self.text[self.spans[number][0]].isupper()

    def _side_by_side(self, number: int) -> bool:
        return self.text[self.spans[number][1] : self.spans[number + 1][0]] == " "


def glued_headings(
    text: str, spans: Sequence[Span], words: Sequence[str], stops: Sequence[bool], starts: Sequence[int], use: WordUse
) -> list[tuple[int, int]]:
    """Return headings that run into the sentence after them, in contents that come as one line: first and last word.

    `starts` are the first words of the sentences. A common word with a capital inside a sentence begins another one;
    what comes before it is a heading, if that word is a small one or the words before it are large. Words that are
    written so elsewhere too are a name.
    """
    found = []
    for start, end in pairwise([*starts, len(spans)]):
        for at in range(start + 1, min(end - 1, start + HEADING_WORDS + 1)):
            if not _begins_anew(text, spans, at) or not use.is_common(words[at]):
                continue
            if use.large_pairs[words[at - 1], words[at]] > 1:
                continue
            if stops[at] or all(stops[word] or text[spans[word][0]].isupper() for word in range(start, at)):
                found.append((start, at - 1))
                break
    return found


def _begins_anew(text: str, spans: Sequence[Span], at: int) -> bool:
    """Whether a word has a capital, alone, and a small word after it, with nothing but spaces beside it."""
    word = text[slice(*spans[at])]
    return (
        word[0].isupper()
        and (word[1:].islower() or word in "A")
        and text[spans[at - 1][1] : spans[at][0]] == " "
        and text[spans[at][1] : spans[at + 1][0]] == " "
        and text[spans[at + 1][0]].islower()
    )


def noun_phrases(text: str, stop: Set[str], use: WordUse) -> Iterator[str]:
    """Yield the phrases of a text as forms of their words, repeats kept: of one word to LONGEST.

    Nothing but a space is between their words, none of them is a stop word or a number, the first is no verb, and the
    last is used as a noun.
    """
    read = read_text(text)
    words, starts, ends = read.forms, read.starts, read.ends
    begins = [not use.is_verb_like(word) for word in words]
    may_end = [use.is_noun_like(word) for word in words]
    first = 0
    for at, word in enumerate(read.words):
        if word in stop or word.isnumeric():
            first = at + 1
            continue
        if at > first and text[ends[at - 1] : starts[at]] != " ":
            first = at
        if may_end[at]:
            for start in range(max(first, at - LONGEST + 1), at + 1):
                if begins[start]:
                    yield " ".join(words[start : at + 1])


def is_generic(anchor: str) -> bool:
    """Whether an anchor is one of the phrases of generic_anchors.csv, whole.

    >>> is_generic("Click here!"), is_generic("Hier"), is_generic("oak chairs")
    (True, True, False)
    """
    return tuple(words(anchor)) in _phrases()


@cache
def _phrases() -> frozenset[tuple[str, ...]]:
    listed = (phrase for row in read_list("generic_anchors") for phrase in row["phrases"].split("|"))
    return frozenset(tuple(words(phrase)) for phrase in listed)
