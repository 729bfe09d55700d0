"""Whether a short text is in a language that the model knows, since a model that reads English makes guesses of others.

A title of four words is often misjudged by a detector alone, so it answers one question only: is another language
much likelier than English? Everything doubtful counts as known.
"""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import regex

from backlink_audit.text.languages.any_language import words
from backlink_audit.text.languages.scores import NOTHING_FOUND, language_scores

ENGLISH_WORDS = frozenset(
    "the and of to for with by you your how what why when which from this that our these their are can best".split()
)
"""A text in Latin letters with two of these is taken for English without asking the detector, which is slower. One
alone is not enough: names of films and banks keep theirs in every language."""

LATIN_LANGUAGES = frozenset(
    (
        "af bs ca cs cy da de es et eu fi fr ga gl hr hu id is it lt lv ms nl nn no pl pt ro sk sl sq sv sw tl tr vi"
    ).split()
)
"""Languages in Latin letters that a web page is likely to be written in. The detector knows many rarer ones (Nigerian
Pidgin, Latin, Luxembourgish …), and names them for short English texts and for brand names."""

DETECTED = sorted(LATIN_LANGUAGES | {"en"})
"""The languages that a text in Latin letters may be in."""

FOREIGN_LETTERS = 0.2
"""Share of letters of another script from which a text is not English, whatever its other words are."""
MUCH_LIKELIER = 10.0
"""How much likelier another language must be, as a difference of log-likelihoods (nats): docs/decisions/topics.md."""
LONGEST = 120
"""Characters looked at: 120 are enough to know the language, and the detector takes time for each."""

_ENGLISH = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(sorted(ENGLISH_WORDS))})(?![a-z0-9])")
_APOSTROPHES = re.compile("['’]")
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Script=Latin}")


def known_texts(texts: Sequence[str], english_only: bool) -> np.ndarray:
    """Return which texts are in a language that the model knows, bool (len(texts),); an empty text is not.

    A multilingual model knows every language.

    >>> known_texts(["Oak chairs", "Les chaises de la cuisine", "東京のホテル", ""], english_only=True).tolist()
    [True, False, False, False]
    """
    if not english_only:
        return np.array([bool(text) for text in texts], dtype=bool)
    known = {text: bool(text) and not is_in_other_script(text) for text in dict.fromkeys(texts)}
    asked = [text for text, may_be in known.items() if may_be and not _has_english_words(text[:LONGEST])]
    known.update(zip(asked, (~_are_latin_foreign([text[:LONGEST] for text in asked])).tolist(), strict=True))
    return np.array([known[text] for text in texts], dtype=bool)


def likeliest_languages(texts: pd.Series) -> pd.Series:
    """Return the language of `DETECTED` that each text is most likely in, "" where nothing shows it.

    >>> likeliest_languages(pd.Series(["Comment créer sa boutique en ligne", "How to open a shop", ""])).tolist()
    ['fr', 'en', '']
    """
    codes, distinct = pd.factorize(texts.str.slice(0, LONGEST))
    scores = language_scores(list(distinct), DETECTED)
    found = [
        DETECTED[row.argmax()] if row.max() > NOTHING_FOUND and _LETTER.search(text) else ""
        for row, text in zip(scores, distinct, strict=True)
    ]
    return pd.Series(np.array([*found, ""], dtype=object)[codes], texts.index, dtype="str")


def is_in_other_script(text: str) -> bool:
    """Return whether a text has too many letters that are not Latin to be English."""
    text = text[:LONGEST]
    if text.isascii():
        return False
    letters = len(_LETTER.findall(text))
    return letters - len(_LATIN.findall(text)) > FOREIGN_LETTERS * letters


def _has_english_words(text: str) -> bool:
    # What is not even part of the text is no word of it: most texts need no finding of words.
    if len(set(_ENGLISH.findall(_APOSTROPHES.sub("", text.casefold())))) < 2:
        return False
    return len(ENGLISH_WORDS.intersection(words(text))) > 1


def _are_latin_foreign(texts: Sequence[str]) -> np.ndarray:
    """Return which texts in Latin letters are in another language than English, bool."""
    scores = language_scores(texts, DETECTED)
    english, best = scores[:, DETECTED.index("en")], scores.max(axis=1, initial=-np.inf)
    is_other = scores.argmax(axis=1) != DETECTED.index("en") if len(texts) else np.zeros(0, dtype=bool)
    return is_other & (best > english.astype(np.float64) + MUCH_LIKELIER)
