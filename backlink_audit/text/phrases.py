"""The phrases of a text that can name what it is about: one to three words, none of which says nothing."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass

from backlink_audit.text.languages import form, is_unspaced, stop_words_of, word_spans
from backlink_audit.text.sentences import ReadText, read_text

BODY_CHARACTERS = 4_000  # how much of a page's content is read for its phrases: about 700 English words


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


MOST_PLACES = 0.5  # A word belongs to a phrase that it is beside at this share of the phrase's places, …
FEWEST_PLACES = 3  # … at so many at least, …
ABOVE_CHANCE = 200  # … and so many times as often as chance would have it. Small words are too frequent for that


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
