"""Whether a short text is in a language that the model knows, since a model that reads English makes guesses of others.

A title of four words is often misjudged by a detector alone, so it is asked one question only: is another language
much likelier than English? Everything doubtful counts as known.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import regex

from backlink_audit.text.languages import words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

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

FOREIGN_LETTERS = 0.2
"""Share of letters of another script from which a text is not English, whatever its other words are."""
MUCH_LIKELIER = 10.0
"""How much likelier another language must be, as a difference of log-likelihoods (nats): docs/decisions/topics.md."""
LONGEST = 120
"""Characters looked at: whoever reads 120 knows the language, and the detector takes time for each."""

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
    known: dict[str, bool] = {}
    for text in texts:
        if text not in known:
            known[text] = bool(text) and _may_be_english(text[:LONGEST])
    return np.array([known[text] for text in texts], dtype=bool)


def _may_be_english(text: str) -> bool:
    if not text.isascii():
        letters = len(_LETTER.findall(text))
        if letters - len(_LATIN.findall(text)) > FOREIGN_LETTERS * letters:
            return False
    if len(ENGLISH_WORDS.intersection(text.casefold().split())) > 1:  # most English titles, without finding all words
        return True
    return len(ENGLISH_WORDS.intersection(words(text))) > 1 or not _is_latin_foreign(text)


def _is_latin_foreign(text: str) -> bool:
    if _detector().classify(text)[0] == "en":  # three times as quick as all likelihoods
        return False
    likelihoods = dict(_detector().rank(text))
    return max(likelihoods.values()) > likelihoods["en"] + MUCH_LIKELIER


@cache
def _detector() -> "LanguageIdentifier":
    """Return a detector of the languages in Latin letters alone; the shared one of py3langid stays as it is."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector = LanguageIdentifier.from_model_file(MODEL_FILE)
    detector.set_languages(sorted(LATIN_LANGUAGES | {"en"}))
    return detector
