"""Words that name a field by themselves, in any language: "bitcoin", "casino", "обувь" need no model.

The list (`field_words.csv`) has words of about twenty languages, each of which is hardly ever in the title of a
page about something else. `*` at the end means any ending, `_` the space inside a phrase.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.text import FIRM, read_list
from backlink_audit.text.languages import words
from backlink_audit.text.urls import map_distinct

SHORTEST_AFTER_ARTICLE = 6  # letters of a word that is also found behind an article: "l'assurance" is read as one word


_LAST_PART = r"(?i)^[a-z]+://[^/?#]+/(?:[^?#]*?/)?(?P<last>[^/?#]+)(?:/(?:index|default)\.[a-z0-9]+)?/*(?:[?#]|$)"
_FILE_ENDING = re.compile(r"\.\w{2,5}\Z")


@dataclass(frozen=True)
class _FieldWords:
    """The fields of words: for each word, each beginning and each phrase's first word, the bits of its fields."""

    whole: dict[str, int]
    beginnings: dict[int, dict[str, int]]  # By length
    phrases: dict[str, tuple[tuple[tuple[str, ...], bool, int], ...]]
    """By their first word: all words, whether the last may end in any way, the bit."""


def fields_of_texts(texts: Sequence[str], fields: Sequence[str]) -> np.ndarray:
    """Return which fields each text's field words name, int64 (texts,): bit i for `fields[i]`, 0 where none does.

    Where words of several fields are there, those with the most different words count. Where these are several words,
    or a phrase, `FIRM` is set too.

    >>> bits = fields_of_texts(["Bitcoin falls", "Casino und Bitcoin", "Bitcoin, ETH"], ["Cryptocurrency", "Gambling"])
    >>> (bits & ~FIRM).tolist(), (bits >= FIRM).tolist()
    ([1, 3, 1], [False, False, True])
    """
    field_words = _read(tuple(fields))
    bit_of = cache(partial(_bit_of, field_words=field_words))
    codes, distinct = pd.factorize(np.array(texts, dtype=object))
    found = np.fromiter((_fields_of(words(text), field_words, bit_of) for text in distinct), np.int64, len(distinct))
    return found[codes] if len(distinct) else np.zeros(len(texts), np.int64)


def fields_of_pages(texts: pd.Series, urls: pd.Series, fields: Sequence[str]) -> np.ndarray:
    """Return which fields the field words of each page name, int64 (pages,), as `fields_of_texts` does.

    Those of its own text; where that has none, those of the last part of its URL's path: a title may be a name, or in
    another language.
    """
    by_text = fields_of_texts(texts.tolist(), fields)
    unnamed = by_text == 0
    named = map_distinct(last_parts(urls.where(unnamed, "")), last_words)
    return np.where(unnamed, fields_of_texts(named.tolist(), fields), by_text)


def last_parts(urls: pd.Series) -> pd.Series:
    """Return the last part of each URL's path as it is written, the default page of a folder apart; text Series.

    >>> last_parts(pd.Series(["https://a.example/wood/Oak_chairs/index.html?a=1", "https://a.example/"])).tolist()
    ['Oak_chairs', '']
    """
    found = pc.struct_field(pc.extract_regex(pa.array(urls, pa.large_string()), pattern=_LAST_PART), "last")
    return pd.Series(pc.fill_null(found, ""), index=urls.index, dtype="str")


def last_words(part: str) -> str:
    """Return the words of a part of a path, without a file's ending.

    >>> last_words("Oak_chairs-17.html"), last_words("171819"), last_words("oak.php%3Fsite=1")
    ('oak chairs 17', '', 'oak')
    """
    if part.isdigit():
        return ""
    name = unquote(part).partition("?")[0]
    return " ".join(words(_FILE_ENDING.sub("", name).replace("_", " ")))


def _fields_of(read: list[str], field_words: _FieldWords, bit_of: Callable[[str], int]) -> int:
    """Return the bits of the fields that the words of a text name; `bit_of` gives that of one word, 0 for most."""
    counts: dict[int, int] = {}
    firm = 0
    for place in [place for place, word in enumerate(read) if bit_of(word) or word in field_words.phrases]:
        word = read[place]
        bit = bit_of(word)
        if bit and word not in read[:place]:
            counts[bit] = counts.get(bit, 0) + 1
        for phrase, any_end, phrase_bit in field_words.phrases.get(word, ()):
            here = tuple(read[place : place + len(phrase)])
            if here == phrase or any_end and here[:-1] == phrase[:-1] and here[-1].startswith(phrase[-1]):
                counts[phrase_bit] = counts.get(phrase_bit, 0) + 1
                firm |= phrase_bit
    most = max(counts.values(), default=0)
    joined = 0
    for bit, count in counts.items():
        if count == most:
            joined |= bit
    return joined | FIRM if most > 1 or joined & firm else joined


def _bit_of(word: str, field_words: _FieldWords) -> int:
    bit = field_words.whole.get(word, 0)
    if not bit:
        bit = next((of[word[:length]] for length, of in field_words.beginnings.items() if word[:length] in of), 0)
    if not bit and word[0] in "ld" and len(word) > SHORTEST_AFTER_ARTICLE:
        bit = field_words.whole.get(word[1:], 0)
    return bit


@cache
def _read(fields: tuple[str, ...]) -> _FieldWords:
    whole: dict[str, int] = {}
    beginnings: dict[int, dict[str, int]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], bool, int]]] = {}
    place = {field: 1 << number for number, field in enumerate(fields)}
    for row in read_list("field_words"):
        bit = place.get(row["field"], 0)
        for entry in row["words"].split() if bit else ():
            any_end = entry.endswith("*")
            parts = tuple(words(entry.removesuffix("*").replace("_", " ")))
            if len(parts) > 1:
                phrases.setdefault(parts[0], []).append((parts, any_end, bit))
            elif any_end:
                of = beginnings.setdefault(len(parts[0]), {})
                of[parts[0]] = of.get(parts[0], 0) | bit
            else:
                whole[parts[0]] = whole.get(parts[0], 0) | bit
    return _FieldWords(whole, dict(sorted(beginnings.items(), reverse=True)), {k: tuple(v) for k, v in phrases.items()})
