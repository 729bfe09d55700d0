"""Words of any language: where they begin and end, which of them say nothing, and which language a text is in.

Words are runs of letters, marks and digits of any script (Unicode, never ASCII only). Scripts that write without
spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) have no such runs; there, overlapping pairs of
characters are used as words, as search engines do it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import regex

UNSPACED = r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Character classes of the scripts written without spaces between words."""

_SPACED = rf"(?:(?![{UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}])+"
_RUN = regex.compile(rf"(?P<unspaced>[{UNSPACED}]+)|{_SPACED}(?:(?<=\p{{L}})['’](?=\p{{L}}){_SPACED})*")

_SPACED_WORD = regex.compile(rf"{_SPACED}(?:(?<=\p{{L}})['’](?=\p{{L}}){_SPACED})*")
_UNSPACED_CHARACTER = regex.compile(rf"[{UNSPACED}]")

_PLAIN = re.compile(r"[a-z0-9]+(?:(?<=[a-z])'(?=[a-z])[a-z0-9]+)*")
_APOSTROPHES = regex.compile("['’]")

ENOUGH_LETTERS = 200
"""A text shorter than this many characters takes the language of its site: a title of four words is often misjudged."""
SAMPLE_CHARACTERS = 1_000
"""How many characters of a text are read to find its language."""
SAMPLE_TEXTS = 300
"""How many texts of a site vote on its language."""


def words(text: str) -> list[str]:
    """Return the words of a text in order, casefolded, repeats kept; apostrophes inside a word are dropped.

    >>> words("Café-Möbel: O’Brien's 2 Räume")
    ['café', 'möbel', 'obriens', '2', 'räume']
    >>> words("हिन्दी भाषा")
    ['हिन्दी', 'भाषा']
    >>> words("東京のホテル SEO")
    ['東京', '京の', 'のホ', 'ホテ', 'テル', 'seo']
    """
    if text.isascii():  # the same, several times as quick
        return [word.replace("'", "") for word in _PLAIN.findall(text.casefold())]
    if _UNSPACED_CHARACTER.search(text) is None:  # for speed too: all words are folded in one go
        found = "\n".join(_SPACED_WORD.findall(text))
        return _APOSTROPHES.sub("", found.casefold()).split("\n") if found else []
    return [word for word, _, _ in word_spans(text)]


def word_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text, each with where it begins and ends in the text as it is written.

    >>> list(word_spans("L’été à Lyon"))
    [('lété', 0, 5), ('à', 6, 7), ('lyon', 8, 12)]
    """
    for run in _RUN.finditer(text):
        start, end = run.span()
        if run["unspaced"] and end - start > 1:
            for at in range(start, end - 1):
                yield text[at : at + 2].casefold(), at, at + 2
        else:
            yield _APOSTROPHES.sub("", run[0].casefold()), start, end


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


def site_language(texts: Sequence[str]) -> str:
    """Return the language most of a site's texts are in (ISO 639-1), judged on an even sample; "en" without any text.

    Short texts are judged in groups, because a few words alone are easily misjudged.
    """
    distinct = list(dict.fromkeys(text[:SAMPLE_CHARACTERS] for text in texts if text.strip()))
    sample = distinct[:: max(1, len(distinct) // SAMPLE_TEXTS)]
    votes = Counter(_classify(group) for group in _grouped(sample))
    return votes.most_common(1)[0][0] if votes else "en"


def page_languages(texts: Sequence[str], site: str | None = None) -> list[str]:
    """Return the language of each text (ISO 639-1); short texts take the site's."""
    default = site or site_language(texts)
    judged: dict[str, str] = {}
    for text in texts:
        start = text[:SAMPLE_CHARACTERS]
        if start not in judged:
            judged[start] = _classify(start) if len(start) >= ENOUGH_LETTERS or is_unspaced(start) else default
    return [judged[text[:SAMPLE_CHARACTERS]] for text in texts]


def _classify(text: str) -> str:
    import py3langid

    return str(py3langid.classify(text)[0])


def _grouped(texts: Iterable[str]) -> Iterable[str]:
    """Join neighbouring texts until each group is long enough to be judged."""
    group: list[str] = []
    for text in texts:
        group.append(text)
        if sum(map(len, group)) >= ENOUGH_LETTERS:
            yield " ".join(group)
            group = []
    if group:
        yield " ".join(group)
