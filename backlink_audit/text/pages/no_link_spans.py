"""Where in a page's content no link can be put: links, addresses, headings, labels, menus, and texts that are given.

Headings are short lines without a sentence's end. Content that comes as one line has none; there, menus and labels are
known because they repeat on many pages, and headings from the crawl's other columns.
"""

from collections.abc import Iterable, Iterator, Sequence, Set

import numpy as np
import regex

from backlink_audit.text.languages.any_language import words
from backlink_audit.text.pages.read_text import read_text

HEADING_CHARACTERS = 90
"""A line of its own without a sentence's end, shorter than this, is a heading, a button or an entry of a list."""
REPEATED_WORDS = 6
"""A run of so many words that is on many pages is a menu, a label or a notice, no prose of the page."""
REPEATED_PAGES, REPEATED_SHARE = 4, 0.05
"""Many: on at least so many pages, and on this share of them."""

_LINE = regex.compile(r"[^\r\n]+")
_ENDS_A_SENTENCE = regex.compile(r"[.!?…。！？:;,][\"”’)\]`*_]*\s*$")
_LINKED = {
    "[": regex.compile(
        r"!?\[[^\[\]\n]*+\](?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]\n]*+\])|^[ ]{0,3}+\[[^\[\]\n]++\]:[^\n]*+",
        regex.M,
    ),
    "{": regex.compile(r"\{[^{}\n]*+\}"),
    "<": regex.compile(
        r"<a\b[^<\n]*+(?:<(?!/a>|a\b)[^<\n]*+)*+</a>|<h\d\b[^<\n]*+(?:<(?!/?h\d\b)[^<\n]*+)*+</h\d>", regex.I
    ),
    "://": regex.compile(r"https?://\S++", regex.I),
    ".": regex.compile(r"www\.\S++", regex.I),
    "@": regex.compile(r"(?<!\S)[^\s@]++@\S*\.\S+"),
}
"""Links and addresses by the sign that each has; each piece ends where the next of its kind begins, so that nothing is
read again and again. All in one pattern take ten times as long."""
_PERMALINK = regex.compile(r"(?:\{\s*+#?[\w:.-]++\s*+\}|¶|(?<=\S)\s#[\w-]*+)$")
_MARK = regex.compile(r"^#{1,6}\s+")
_ENTRY = regex.compile(r"^\s*(?:[-*•–+]|\d+[.)])\s++(?:[*_]{1,3}(?=[\[<\p{L}]))?")

_STEP = np.uint64(0x9E3779B97F4A7C15)
"""An odd number with its bits well mixed, by which the hashes of a run's words are put together."""

Span = tuple[int, int]


def no_link_spans(text: str, taken: Iterable[str]) -> list[Span]:
    """Return where links, addresses, headings and the given texts are."""
    spans = [match.span() for sign, kind in _LINKED.items() if sign in text for match in kind.finditer(text)]
    spans += _given(text, taken)
    return [*spans, *_entries(text, {start for start, _ in spans}), *(span for span, _ in _short_lines(text))]


def _entries(text: str, links: Set[int]) -> Iterator[Span]:
    """Yield the entries of lists that begin with a link: what follows describes its page."""
    for line in _LINE.finditer(text):
        bullet = _ENTRY.match(line[0])
        if bullet and line.start() + bullet.end() in links:
            yield line.span()


def _given(text: str, taken: Iterable[str]) -> Iterator[Span]:
    """Yield where the words of the given texts are, whatever signs are between them."""
    read = read_text(text)
    beginning: dict[str, list[list[str]]] = {}
    for piece in {piece.strip() for piece in taken}:
        if len(piece) > 2 and (found := words(piece)):
            beginning.setdefault(found[0], []).append(found)
    for at, word in enumerate(read.words):
        for found in beginning.get(word, ()):
            if read.words[at : at + len(found)] == found:
                yield read.starts[at], read.ends[at + len(found) - 1]


def section_headings(text: str) -> list[str]:
    r"""Return the headings of a content: short lines that are no entries of a list, with prose below them.

    >>> section_headings("Watchers { #watchers}\nA watcher waits, and then calls you back.\n- one\n- two")
    ['Watchers']
    """
    lines = [line for line in text.splitlines() if line.strip()]
    short = {line for _, line in _short_lines(text)}
    return [
        strip_permalink(_MARK.sub("", line.strip()))
        for line, below in zip(lines, lines[1:], strict=False)
        if line in short and below not in short and not _ENTRY.match(line)
    ]


def strip_permalink(text: str) -> str:
    """Return a heading without the link to itself that some sites leave in it.

    >>> strip_permalink("Code of conduct #code-of-conduct"), strip_permalink("Issue #4 is fixed")
    ('Code of conduct', 'Issue #4 is fixed')
    """
    return _PERMALINK.sub("", text.rstrip()).rstrip()


def repeated_spans(bodies: Sequence[str]) -> list[list[Span]]:
    """Return for each content where the runs of words are that many pages have."""
    many = max(REPEATED_PAGES, REPEATED_SHARE * sum(map(bool, bodies)))
    runs = [_runs(body) for body in bodies]
    found, pages_with = np.unique(np.concatenate([np.empty(0, np.uint64), *map(np.unique, runs)]), return_counts=True)
    common = found[pages_with >= many]
    if not len(common):
        return [[] for _ in bodies]
    return [_spans(body, np.flatnonzero(np.isin(own, common))) for body, own in zip(bodies, runs, strict=True)]


def without_repeats(texts: Sequence[str]) -> list[str]:
    """Return the texts without the runs of words that many of them have; a text of nothing else is left whole."""
    return [_without(text, spans) or text for text, spans in zip(texts, repeated_spans(texts), strict=True)]


def _without(text: str, spans: Sequence[Span]) -> str:
    ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
    return (
        " ".join(part for start, end in zip(*ends, strict=True) if (part := text[start:end].strip())) if spans else text
    )


def _runs(body: str) -> np.ndarray:
    """Return a number for each run of REPEATED_WORDS words, uint64 (runs,); equal runs have the same."""
    words = read_text(body).words
    hashes = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    runs = max(0, len(words) - REPEATED_WORDS + 1)
    total = np.zeros(runs, dtype=np.uint64)
    for at in range(REPEATED_WORDS):
        total = total * _STEP + hashes[at : at + runs]
    return total


def _spans(body: str, runs: np.ndarray) -> list[Span]:
    """Return where the runs are that begin at these words; what overlaps is one."""
    read = read_text(body)
    merged: list[Span] = []
    for first in runs.tolist():
        start, end = read.starts[first], read.ends[first + REPEATED_WORDS - 1]
        if merged and start <= merged[-1][1]:
            start = merged.pop()[0]
        merged.append((start, end))
    return merged


def _short_lines(text: str) -> list[tuple[Span, str]]:
    lines = list(_LINE.finditer(text))
    if len(lines) < 2:
        return []
    return [
        (line.span(), line[0])
        for line in lines
        if len(strip_permalink(line[0]).strip()) < HEADING_CHARACTERS and not _ENDS_A_SENTENCE.search(line[0])
    ]
