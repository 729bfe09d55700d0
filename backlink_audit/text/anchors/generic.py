"""Anchors that say nothing about the page they lead to, in many languages: "click here", "en savoir plus"."""

from functools import cache

from backlink_audit.text.languages.any_language import words
from backlink_audit.text.word_lists import read_list


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
