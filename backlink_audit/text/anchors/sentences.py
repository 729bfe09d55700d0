"""Where the sentences and the quotations of a content begin and end, read once from left to right."""

from collections.abc import Iterator

import regex

from backlink_audit.text.languages.any_language import has_words

_AFTER_AN_END = regex.compile(r"[.!?…。！？\"”’)\]]\s++|[。！？](?!\s)")
_NEW_LINE = regex.compile(r"[\r\n]\s*+|\s[-=~_]{4,}\s++")
"""A line break, or what underlines a heading where a crawl has put a text into one line."""
_ENDS = ".!?…。！？"
_CLOSING = '"”’)]'
_BEFORE_A_START = ".!?…:\r\n"
LONGEST_SENTENCE = 300
"""Characters of a sentence that is shown; a longer one is cut between words on both sides of the anchor."""
LONGEST_QUOTATION = 15
"""Words of a quotation that can be a title or a term; a longer one is what somebody said."""
_QUESTION = regex.compile(r"[?？؟][\"”’)\]\s]*+$")
_CODE_GOES_ON = regex.compile(r"\.\s\p{Ll}")
_LABELLED = regex.compile(r"\s?[:：](?!:)|\s[\"“„«]")
_UNDERLINE = regex.compile(r"\s[-=~_]{4,}")
_QUOTATION = regex.compile(
    r"(?|[“„]([^“”„\r\n]++)[”“]|«\s*+([^«»\r\n]++)»|(?<![\p{L}\p{N}])\"([^\"\r\n]++)\"|(?<!`)`([^`\r\n]++)`)"
)


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
    """Return the first place from `at` towards `limit` that is not inside a word."""
    at = min(max(at, 0), len(text))
    if at in (0, len(text)):
        return at
    while at != limit and not (text[at - 1].isspace() or text[at].isspace()):
        at += step
    return at


def _line_end(text: str, at: int) -> int:
    """Return where a line ends whose break is here: before its last spaces."""
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
