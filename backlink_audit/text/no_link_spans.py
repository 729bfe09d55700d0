"""Where in a page's content no link can be put: links, addresses, headings, labels, menus, and texts that are given.

Headings are short lines without a sentence's end. Content that comes as one line has none; there, menus and labels are
known because they repeat on many pages, and headings from the crawl's other columns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set

import regex

from backlink_audit.text.languages import words
from backlink_audit.text.read_text import read_text

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
    r"|(?:https?://|www\.)\S++|(?<!\S)[^\s@]++@\S*\.\S+|^[ ]{0,3}+\[[^\[\]\n]++\]:[^\n]*+",
    regex.I | regex.M,
)
"""Each piece ends where the next of its kind begins, so that nothing is read again and again."""
_PERMALINK = regex.compile(r"(?:\{\s*+#?[\w:.-]++\s*+\}|¶|(?<=\S)\s#[\w-]*+)$")
_MARK = regex.compile(r"^#{1,6}\s+")
_ENTRY = regex.compile(r"^\s*(?:[-*•–+]|\d+[.)])\s++(?:[*_]{1,3}(?=[\[<\p{L}]))?")

Span = tuple[int, int]


def no_link_spans(text: str, taken: Iterable[str]) -> list[Span]:
    """Return where links, addresses, headings and the given texts are."""
    spans = [match.span() for match in _LINKED.finditer(text)]
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
    pages = sum(map(bool, bodies))
    many = max(REPEATED_PAGES, REPEATED_SHARE * pages)
    found = [_runs(body) for body in bodies]
    on = Counter(run for runs in found for run in {run for run, _ in runs})
    return [_merged(span for run, span in runs if on[run] >= many) for runs in found]


def _runs(body: str) -> list[tuple[int, Span]]:
    read = read_text(body)
    runs = zip(*(read.words[at:] for at in range(REPEATED_WORDS)), strict=False)
    spans = zip(read.starts, read.ends[REPEATED_WORDS - 1 :], strict=False)
    return [(hash(run), span) for run, span in zip(runs, spans, strict=False)]


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
