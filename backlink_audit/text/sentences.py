"""Where the sentences of a content begin and end, read once from left to right."""

from collections.abc import Iterator

import regex

_GAP = regex.compile(r"\s++|(?<=[。！？])")
_ENDS = ".!?…。！？"
_CLOSING = '"”’)]'
_BEFORE_A_START = ".!?…:\r\n"


def sentence_gaps(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield what stands between two sentences: spaces after a sentence's end, and line breaks.

    A small letter goes on with the sentence, and a single letter before a full stop is an initial.

    >>> text = "By J. Doe (ed.). Read it.\nThen go on."
    >>> [text[start:end] for start, end in sentence_gaps(text)]
    [' ', '\n']
    """
    for gap in _GAP.finditer(text):
        start, end = gap.span()
        if (
            start == end
            or "\n" in gap[0]
            or "\r" in gap[0]
            or (_ends(text, start) and not text[end : end + 1].islower())
        ):
            yield start, end


def begins_sentence(text: str, at: int) -> bool:
    """Whether a sentence begins at this place: no letter or digit stands between it and the end of another.

    >>> begins_sentence("Read it. Now.", 9), begins_sentence("Read it now.", 8)
    (True, False)
    """
    while at and text[at - 1] not in _BEFORE_A_START:
        at -= 1
        if text[at].isalnum():
            return False
    return True


def _ends(text: str, at: int) -> bool:
    """Whether a sentence ends before this place, its closing quotes and brackets passed over."""
    last = at - 1
    while last >= 0 and text[last] in _CLOSING:
        last -= 1
    if last < 0 or text[last] not in _ENDS:
        return False
    initial = last == at - 1 and text[last] == "." and last > 0 and text[last - 1].isalpha()
    return not (initial and (last < 2 or not (text[last - 2].isalnum() or text[last - 2] == "_")))
