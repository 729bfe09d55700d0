"""What a page is called, whole: the phrases of its titles, as they stand there.

Words that a sign joins, as in "cloud.gov" and "built-in", stay together; small words around a phrase are no part of it.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass

import regex

from backlink_audit.text.languages.any_language import word_spans, words
from backlink_audit.text.languages.word_forms import form

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class ExactNames:
    """What a page is called: phrases that name it as they are, and more of them that do where they have capitals."""

    whole: Set[Phrase] = frozenset()
    in_capitals: Set[Phrase] = frozenset()

    def without(self, phrases: Set[Phrase]) -> "ExactNames":
        """Return the names without some of the phrases."""
        return ExactNames(self.whole - phrases, self.in_capitals - phrases)


_BRACKETS = regex.compile(r"([^()]*[^()\s])\s*\(([^()]+)\)")
_ABBREVIATION = regex.compile(r"\p{Lu}[\p{Lu}\p{N}]+")
_ENDS_A_PHRASE = regex.compile(r"[\"“”«»„()\[\]{}<>!?;|/:,…。、，！？]|\.(?=\s|\Z)|\s[-–—]++\s|[–—]")


def own_names(title: str) -> list[str]:
    """Return what a title calls its page: the title, what it says before brackets, and an abbreviation in them.

    >>> own_names("Customer Engineering (CE)"), own_names("Oak (solid)"), own_names("Oak")
    (['Customer Engineering (CE)', 'Customer Engineering', 'CE'], ['Oak (solid)', 'Oak'], ['Oak'])
    """
    match = _BRACKETS.fullmatch(title)
    if not match:
        return [title]
    return [title, match[1], *([match[2]] if _ABBREVIATION.fullmatch(match[2]) else [])]


def forms(text: str) -> Phrase:
    """Return the forms of a text's words, in order."""
    return tuple(form(word) for word in words(text))


def whole_name(title: str, stop: Set[str]) -> Phrase:
    """Return the forms of a title's words without the stop words at its ends.

    >>> whole_name("How to oil the tables", {"how", "to", "the"}), whole_name("The new oak.gov", {"the", "new", "gov"})
    (('oil', 'the', 'table'), ('oak', 'gov'))
    """
    pieces = list(_pieces(title))
    telling = [number for number, piece in enumerate(pieces) if not _is_small(piece, stop)]
    return tuple(form(word) for piece in pieces[telling[0] : telling[-1] + 1] for word in piece) if telling else ()


def phrases(title: str, stop: Set[str]) -> set[Phrase]:
    """Return the phrases of a title: what stands between its signs, and between its stop words.

    >>> sorted(phrases("Why tests matter for built-in tables", {"why", "for", "in"}))
    [('built', 'in', 'table'), ('test', 'matter'), ('test', 'matter', 'for', 'built', 'in', 'table')]
    """
    parts = _ENDS_A_PHRASE.split(title)
    return {phrase for part in parts for phrase in (whole_name(part, stop), *_runs(part, stop))} - {()}


def _runs(part: str, stop: Set[str]) -> Iterator[Phrase]:
    run: list[str] = []
    for piece in _pieces(part):
        if _is_small(piece, stop):
            yield tuple(run)
            run = []
        else:
            run += map(form, piece)
    yield tuple(run)


def _pieces(text: str) -> Iterator[list[str]]:
    """Yield the words of a text, those that a sign joins together."""
    piece: list[str] = []
    end = 0
    for word, start, stop in word_spans(text):
        if piece and (start == end or text[end:start].strip() == "" or " " in text[end:start]):
            yield piece
            piece = []
        piece.append(word)
        end = stop
    if piece:
        yield piece


def _is_small(piece: list[str], stop: Set[str]) -> bool:
    return len(piece) == 1 and piece[0] in stop
