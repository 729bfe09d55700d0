"""A content's words, read once for all that asks about them."""

from array import array
from dataclasses import dataclass
from functools import cached_property, lru_cache

from backlink_audit.text.languages.any_language import places, without_inner_signs, words
from backlink_audit.text.languages.word_forms import form

REMEMBERED = 1_000
"""Contents whose words are kept, some 20 bytes for each word."""


@dataclass(frozen=True, eq=False)
class ReadText:
    """The words of a text in order, their forms, and where each begins and ends."""

    words: list[str]
    forms: list[str]
    starts: "array[int]"
    ends: "array[int]"

    @cached_property
    def line(self) -> str:
        """The forms, a space before and behind each: what the text says side by side is a part of it."""
        return f" {' '.join(self.forms)} "

    def says(self, phrase: tuple[str, ...]) -> int:
        """Return how often some forms stand side by side."""
        return self.line.count(f" {' '.join(phrase)} ")


@lru_cache(REMEMBERED)
def read_text(text: str) -> ReadText:
    """Return the words of a text."""
    where = places(text)
    folded = text.casefold()
    if len(folded) == len(text):  # no letter became two: the words are where they were
        found = [without_inner_signs(folded[start:end]) for start, end in where]
    else:
        found = words(text)
    one_of = {word: word for word in found}
    form_of = {word: form(word) for word in one_of}
    return ReadText(
        [one_of[word] for word in found],
        [form_of[word] for word in found],
        array("L", [start for start, _ in where]),
        array("L", [end for _, end in where]),
    )
