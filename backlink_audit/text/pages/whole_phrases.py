"""A phrase as it is written, made whole: "open source" for "source", "micro-purchase" for "micro purchase"."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from backlink_audit.text.languages.word_forms import form
from backlink_audit.text.pages.phrases import touch
from backlink_audit.text.pages.read_text import ReadText, read_text

MOST_PLACES = 0.5
"""A word belongs to a phrase that it is beside at this share of the phrase's places, …"""
FEWEST_PLACES = 3
"""… at so many at least, …"""
ABOVE_CHANCE = 200
"""… and so many times as often as chance would have it. Small words are too frequent for that."""


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
                return written.most_common(1)[0][0]
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
        for longer, times in beside.most_common():
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
