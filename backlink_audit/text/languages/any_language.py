"""Words of any language: where they begin and end, and which of them say nothing.

Words are runs of letters, marks and digits of any script (Unicode, never ASCII only). Scripts that write without
spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) have no such runs; there, overlapping pairs of
characters are used as words, as search engines do it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

import regex

UNSPACED = r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Character classes of the scripts written without spaces between words."""

_SPACED = rf"(?:(?![{UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}])+"
_GEMINATE = "(?<=[lL])·(?=[lL])"
"""The point inside Catalan words: intel·ligent."""
_RUN = regex.compile(rf"(?P<unspaced>[{UNSPACED}]+)|{_SPACED}(?:(?:(?<=\p{{L}})['’](?=\p{{L}})|{_GEMINATE}){_SPACED})*")

_PLAIN = re.compile(r"[a-z0-9]+(?:(?<=[a-z])'(?=[a-z])[a-z0-9]+)*")
_SIMPLE = re.compile(rf"[^\W_]+(?:(?:(?<=[^\W\d_])['’](?=[^\W\d_])|{_GEMINATE})[^\W_]+)*")
_NOT_SIMPLE = regex.compile(rf"[{UNSPACED}\p{{M}}]")
"""Without these a text's words are runs of what Python takes for letters and digits, found several times as quickly."""
_INNER_SIGNS = str.maketrans("", "", "'’·")
"""Apostrophes, and the point between two l: dropped inside a word."""


def words(text: str) -> list[str]:
    """Return the words of a text in order, casefolded, repeats kept; apostrophes inside a word are dropped.

    >>> words("Café-Möbel: O’Brien's 2 Räume")
    ['café', 'möbel', 'obriens', '2', 'räume']
    >>> words("हिन्दी भाषा")
    ['हिन्दी', 'भाषा']
    >>> words("東京のホテル SEO")
    ['東京', '京の', 'のホ', 'ホテ', 'テル', 'seo']
    >>> words("intel·ligència · SEO")
    ['intelligència', 'seo']
    """
    if text.isascii():  # the same, several times as quick
        return [word.replace("'", "") for word in _PLAIN.findall(text.casefold())]
    if _NOT_SIMPLE.search(text) is None:  # for speed too: all words are folded in one go
        found = "\n".join(_SIMPLE.findall(text))
        return found.casefold().translate(_INNER_SIGNS).split("\n") if found else []
    return [word for word, _, _ in word_spans(text)]


def without_inner_signs(word: str) -> str:
    """Return a word without the signs inside it that are no letters.

    >>> without_inner_signs("l’été"), without_inner_signs("intel·ligent")
    ('lété', 'intelligent')
    """
    return word if word.isalnum() else word.translate(_INNER_SIGNS)


def word_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text, each with where it begins and ends in the text as it is written.

    >>> list(word_spans("L’été à Lyon"))
    [('lété', 0, 5), ('à', 6, 7), ('lyon', 8, 12)]
    """
    if _NOT_SIMPLE.search(text) is None:
        for word in _SIMPLE.finditer(text):
            yield without_inner_signs(word[0].casefold()), word.start(), word.end()
        return
    for run in _RUN.finditer(text):
        start, end = run.span()
        if run["unspaced"] and end - start > 1:
            for at in range(start, end - 1):
                yield text[at : at + 2].casefold(), at, at + 2
        else:
            yield without_inner_signs(run[0].casefold()), start, end


def has_words(text: str) -> bool:
    """Return whether a text has any word.

    >>> has_words("– été"), has_words(" (…) ")
    (True, False)
    """
    return _RUN.search(text) is not None


def places(text: str) -> list[tuple[int, int]]:
    """Return where each of a text's `words` begins and ends."""
    if _NOT_SIMPLE.search(text) is None:
        return [word.span() for word in _SIMPLE.finditer(text)]
    return [(start, end) for _, start, end in word_spans(text)]


def is_unspaced(text: str) -> bool:
    """Return whether most of a text's letters belong to scripts written without spaces.

    >>> is_unspaced("沖縄のホテル"), is_unspaced("hôtel à Paris")
    (True, False)
    """
    letters = sum(1 for _ in regex.finditer(r"\p{L}", text))
    unspaced = sum(len(run["unspaced"] or "") for run in _RUN.finditer(text))
    return unspaced * 2 > letters


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the words of a language that say nothing by themselves; empty for a language without a list.

    `language` is an ISO 639-1 code. Source of the lists: the package stopwordsiso. Written as `words` writes them.
    """
    import stopwordsiso

    if not stopwordsiso.has_lang(language):
        return frozenset()
    entries = (words(entry) for entry in stopwordsiso.stopwords(language))
    return frozenset(entry[0] for entry in entries if len(entry) == 1)


def stop_words_of(languages: Iterable[str]) -> frozenset[str]:
    """Return the stop words of several languages together."""
    return frozenset().union(*(stop_words(language) for language in set(languages)))
