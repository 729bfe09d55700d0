"""Where in a page's content no link can be put: links, addresses, headings, labels, menus, and texts that are given.

Headings are short lines without a sentence's end. Content that comes as one line has none; there, menus and labels are
known because they repeat on many pages, and headings from the crawl's other columns.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import regex

from backlink_audit.text.languages import word_spans

HEADING_CHARACTERS = 90
"""A line of its own without a sentence's end, shorter than this, is a heading, a button or an entry of a list."""
REPEATED_WORDS = 6
"""A run of so many words that is on many pages is a menu, a label or a notice, no prose of the page."""
REPEATED_PAGES, REPEATED_SHARE = 4, 0.05
"""Many: on at least so many pages, and on this share of them."""

_LINE = regex.compile(r"[^\r\n]+")
_ENDS_A_SENTENCE = regex.compile(r"[.!?…。！？:;,][\"”’)\]`*_]*\s*$")
_LINKED = regex.compile(
    r"!?\[[^\[\]\n]*+\](?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]\n]*+\])|\{[^{}\n]*+\}"
    r"|<a\b[^<\n]*+(?:<(?!/a>|a\b)[^<\n]*+)*+</a>|<h\d\b[^<\n]*+(?:<(?!/?h\d\b)[^<\n]*+)*+</h\d>"
    r"|(?:https?://|www\.)\S++|(?<!\S)[^\s@]++@\S*\.\S+",
    regex.I,
)
"""Each piece ends where the next of its kind begins, so that nothing is read again and again."""
_PERMALINK = regex.compile(r"(?:\{\s*+#?[\w:.-]++\s*+\}|¶|(?<=\S)\s#[\w-]*+)$")
_MARK = regex.compile(r"^#{1,6}\s+")
_ENTRY = regex.compile(r"^\s*(?:[-*•–+]|\d+[.)])\s")

Span = tuple[int, int]


def closed_spans(text: str, taken: Iterable[str]) -> list[Span]:
    """Return where links, addresses, headings and the given texts are."""
    spans = [match.span() for match in _LINKED.finditer(text)]
    for words in {tuple(piece.split()) for piece in taken if len(piece.strip()) > 2}:
        joined = r"\s++".join(map(regex.escape, words))
        whole_words = rf"(?<![\p{{L}}\p{{N}}]){joined}(?![\p{{L}}\p{{N}}])"
        spans.extend(match.span() for match in regex.finditer(whole_words, text, regex.I))
    return spans + [span for span, _ in _short_lines(text)]


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
    pages = sum(map(bool, bodies))
    many = max(REPEATED_PAGES, REPEATED_SHARE * pages)
    found = [_runs(body) for body in bodies]
    on = Counter(run for runs in found for run in {run for run, _ in runs})
    return [_merged(span for run, span in runs if on[run] >= many) for runs in found]


def _runs(body: str) -> list[tuple[int, Span]]:
    spans = list(word_spans(body))
    return [
        (
            hash(tuple(word for word, _, _ in spans[at : at + REPEATED_WORDS])),
            (start, spans[at + REPEATED_WORDS - 1][2]),
        )
        for at, (_, start, _) in enumerate(spans[: 1 - REPEATED_WORDS or None])
    ]


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def _short_lines(text: str) -> list[tuple[Span, str]]:
    lines = list(_LINE.finditer(text))
    if len(lines) < 2:
        return []
    return [
        (line.span(), line[0])
        for line in lines
        if len(line[0].strip()) < HEADING_CHARACTERS and not _ENDS_A_SENTENCE.search(line[0])
    ]
