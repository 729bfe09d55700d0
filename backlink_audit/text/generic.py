"""Anchors that say nothing about the page they lead to, in many languages: "click here", "en savoir plus"."""

import csv
from functools import cache
from importlib.resources import files

from backlink_audit.text.languages import words


def is_generic(anchor: str) -> bool:
    """Whether an anchor is one of the phrases of generic_anchors.csv, whole.

    >>> is_generic("Click here!"), is_generic("Hier"), is_generic("oak chairs")
    (True, True, False)
    """
    return tuple(words(anchor)) in _phrases()


@cache
def _phrases() -> frozenset[tuple[str, ...]]:
    with (files("backlink_audit.text") / "generic_anchors.csv").open(encoding="utf-8") as lines:
        return frozenset(tuple(words(phrase)) for row in csv.DictReader(lines) for phrase in row["phrases"].split("|"))
