"""The phrases of a content that can be the name of a thing, without the grammar of any language."""

from collections.abc import Iterator, Set

from backlink_audit.text.anchors.word_use import WordUse
from backlink_audit.text.pages.read_text import read_text

LONGEST = 4
"""Words of a phrase, at most."""


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
