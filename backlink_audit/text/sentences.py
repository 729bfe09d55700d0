"""Where the sentences and the quotations of a content begin and end, read once from left to right."""

from array import array
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import regex

from backlink_audit.text.languages import form, has_words, places, without_inner_signs, words

_AFTER_AN_END = regex.compile(r"[.!?…。！？\"”’)\]]\s++|[。！？](?!\s)")
_NEW_LINE = regex.compile(r"[\r\n]\s*+|\s[-=~_]{4,}\s++")
"""A line break, or what underlines a heading where a crawl has put a text into one line."""
_ENDS = ".!?…。！？"
_CLOSING = '"”’)]'
_BEFORE_A_START = ".!?…:\r\n"
LONGEST_SENTENCE = 300
"""Characters of a sentence that is shown; a longer one is cut between words on both sides of the anchor."""
LONGEST_QUOTATION = 15  # words of a quotation that can be a title or a term; a longer one is what somebody said
_QUESTION = regex.compile(r"[?？؟][\"”’)\]\s]*+$")
_CODE_GOES_ON = regex.compile(r"\.\s\p{Ll}")
_LABELLED = regex.compile(r"\s?[:：](?!:)|\s[\"“„«]")
_UNDERLINE = regex.compile(r"\s[-=~_]{4,}")
_QUOTATION = regex.compile(
    r"(?|[“„]([^“”„\r\n]++)[”“]|«\s*+([^«»\r\n]++)»|(?<![\p{L}\p{N}])\"([^\"\r\n]++)\"|(?<!`)`([^`\r\n]++)`)"
)
HEADING_CHARACTERS = 90
"""A line of its own without a sentence's end, shorter than this, is a heading, a button or an entry of a list."""
REPEATED_WORDS = 6  # A run of so many words that is on many pages is a menu, a label or a notice, no prose of the page
REPEATED_PAGES, REPEATED_SHARE = 4, 0.05  # many: on at least so many pages, and on this share of them

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
REMEMBERED = 1_000  # contents whose words are kept, some 20 bytes for each word


def sentence_gaps(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield what is between two sentences: spaces after a sentence's end, and line breaks.

    A small letter goes on with the sentence, and a single letter before a full stop is an initial. What underlines a
    heading ends it.

    >>> text = "By J. Doe (ed.). Read it.\nThen go on. Why ---- It helps."
    >>> [text[start:end] for start, end in sentence_gaps(text)]
    [' ', '\n', ' ', ' ---- ']
    """
    gaps = {(gap.start() + 1, gap.end()): False for gap in _AFTER_AN_END.finditer(text)}
    gaps |= {(_line_end(text, gap.start()), gap.end()): True for gap in _NEW_LINE.finditer(text)}
    for (start, end), breaks in sorted(gaps.items()):
        if start == end or breaks or (_ends(text, start) and not text[end : end + 1].islower()):
            yield start, end


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """Yield where short quotations and code are, without their marks: titles and terms, no spoken sentences.

    >>> text = 'Read “Sketching with code”. She said "Go home." and left.'
    >>> [text[start:end] for start, end in quotations(text)]
    ['Sketching with code']
    >>> [text[start:end] for text in ["« Allez-y ! »", "« La table »"] for start, end in quotations(text)]
    ['La table']
    """
    for match in _QUOTATION.finditer(text):
        quoted = match[1].rstrip()
        if len(quoted.split()) <= LONGEST_QUOTATION and quoted[-1:] not in _ENDS:
            yield match.start(1), match.start(1) + len(quoted)


def has_room(text: str, sentence: tuple[int, int], words: tuple[int, int]) -> bool:
    """Whether a sentence says something of the words that would be linked in it.

    A question, words that begin it before a colon or a quotation, underlined ones, and words without any other beside
    them are headings or labels; a full stop that a small letter follows is in code.

    >>> def at(text, words): return has_room(text, (0, len(text)), (text.index(words), text.index(words) + len(words)))
    >>> at("We oil tables.", "tables"), at("Tables.", "Tables"), at("Tables : oil them now.", "Tables")
    (True, False, False)
    >>> at("Why oil oak tables?", "oak tables"), at("It sets oak. when asked.", "oak")
    (False, False)
    """
    before, after = text[sentence[0] : words[0]], text[words[1] : sentence[1]]
    if _QUESTION.search(text, *sentence) or _CODE_GOES_ON.match(after) or _UNDERLINE.match(text, sentence[1]):
        return False
    if has_words(before):
        return True
    return has_words(after) and not _LABELLED.match(after)


def begins_sentence(text: str, at: int) -> bool:
    """Whether a sentence begins at this place: no letter or digit is between it and the end of another.

    >>> begins_sentence("Read it. Now.", 9), begins_sentence("Read it now.", 8)
    (True, False)
    """
    while at and text[at - 1] not in _BEFORE_A_START:
        at -= 1
        if text[at].isalnum():
            return False
    return True


def shortened(text: str, sentence: tuple[int, int], around: tuple[int, int]) -> tuple[int, int]:
    """Return the part of a long sentence around some words, cut between words on both sides."""
    start, stop = sentence
    if stop - start <= LONGEST_SENTENCE:
        return sentence
    spare = max(0, LONGEST_SENTENCE - (around[1] - around[0])) // 2
    start = max(start, _between_words(text, around[0] - spare, around[0], 1))
    return start, min(stop, _between_words(text, around[1] + spare, around[1], -1))


def _between_words(text: str, at: int, limit: int, step: int) -> int:
    at = min(max(at, 0), len(text))
    if at in (0, len(text)):
        return at
    while at != limit and not (text[at - 1].isspace() or text[at].isspace()):
        at += step
    return at


def _line_end(text: str, at: int) -> int:
    while at and text[at - 1].isspace() and text[at - 1] not in "\r\n":
        at -= 1
    return at


def _ends(text: str, at: int) -> bool:
    """Whether a sentence ends before this place, after which only closing quotes and brackets come."""
    last = at - 1
    while last >= 0 and text[last] in _CLOSING:
        last -= 1
    if last < 0 or text[last] not in _ENDS:
        return False
    initial = last == at - 1 and text[last] == "." and last > 0 and text[last - 1].isalpha()
    return not (initial and (last < 2 or not (text[last - 2].isalnum() or text[last - 2] == "_")))


def no_link_spans(text: str, taken: Iterable[str]) -> list[Span]:
    """Return where links, addresses, headings and the given texts are."""
    spans = [match.span() for sign, kind in _LINKED.items() if sign in text for match in kind.finditer(text)]
    spans += _given(text, taken)
    return [*spans, *_entries(text, {start for start, _ in spans}), *(span for span, _ in _short_lines(text))]


def _entries(text: str, links: Set[int]) -> Iterator[Span]:
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


@dataclass(frozen=True, eq=False)
class ReadText:
    """The words of a text in order, their forms, and where each begins and ends."""

    words: list[str]
    forms: list[str]
    starts: "array[int]"
    ends: "array[int]"

    @cached_property
    def line(self) -> str:
        return f" {' '.join(self.forms)} "

    def says(self, phrase: tuple[str, ...]) -> int:
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
