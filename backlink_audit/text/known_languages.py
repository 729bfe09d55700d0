"""Whether a short text is in a language that the model knows, since a model that reads English makes guesses of others.

A title of four words is often misjudged by a detector alone, so it is asked one question only: is another language
much likelier than English? Everything doubtful counts as known.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
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

WRITTEN_IN_PATHS = LATIN_LANGUAGES | frozenset("ar bg el fa he hi ja ka ko ru sr th uk ur zh".split())
"""Codes of languages at the beginning of a path; countries (/us/, /uk/ is Ukrainian there too) say nothing."""

FOREIGN_LETTERS = 0.2
"""Share of letters of another script from which a text is not English, whatever its other words are."""
MUCH_LIKELIER = 10.0
"""How much likelier another language must be, as a difference of log-likelihoods (nats): docs/decisions/topics.md."""
LONGEST = 120
"""Characters looked at: whoever reads 120 knows the language, and the detector takes time for each."""

_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Script=Latin}")


def known_texts(texts: Sequence[str], english_only: bool, likely_foreign: Sequence[bool] | None = None) -> np.ndarray:
    """Return which texts are in a language that the model knows, bool (len(texts),); an empty text is not.

    A multilingual model knows every language. `likely_foreign`: pages that are said to be in another language than
    English (`said_to_be_foreign`); there the detector's best guess is enough.

    >>> known_texts(["Oak chairs", "Les chaises de la cuisine", "東京のホテル", ""], english_only=True).tolist()
    [True, False, False, False]
    """
    if not english_only:
        return np.array([bool(text) for text in texts], dtype=bool)
    foreign = [False] * len(texts) if likely_foreign is None else likely_foreign
    known: dict[tuple[str, bool], bool] = {}
    for key in zip(texts, foreign, strict=True):
        if key not in known:
            known[key] = bool(key[0]) and _may_be_english(key[0][:LONGEST], key[1])
    return np.array([known[key] for key in zip(texts, foreign, strict=True)], dtype=bool)


def said_to_be_foreign(languages: pd.Series, urls: pd.Series) -> pd.Series:
    """Return which pages are said to be in another language than English, bool.

    By the first language that the export gives (`languages`, "" where it gives none), else by the language at the
    beginning of the URL's path: /fr/, /pt-BR/.

    >>> said_to_be_foreign(pd.Series(["es, en", "", "en"]), pd.Series(["a.com", "a.com/fr/x", "a.com/fr/x"])).tolist()
    [True, True, False]
    """
    said = languages.str.extract(r"^\s*([A-Za-z]{2})\b", expand=False).fillna("").str.lower()
    path = urls.str.extract(r"^(?:https?://)?[^/?#]+/([a-z]{2})(?:[-_][A-Za-z]{2})?(?:/|$)", expand=False).fillna("")
    code = said.where(said != "", path.where(path.isin(WRITTEN_IN_PATHS), ""))
    return (code != "") & (code != "en")


def _may_be_english(text: str, likely_foreign: bool) -> bool:
    if not text.isascii():
        letters = len(_LETTER.findall(text))
        if letters - len(_LATIN.findall(text)) > FOREIGN_LETTERS * letters:
            return False
    if len(ENGLISH_WORDS.intersection(text.casefold().split())) > 1:  # most English titles, without finding all words
        return True
    return len(ENGLISH_WORDS.intersection(words(text))) > 1 or not _is_latin_foreign(text, likely_foreign)


def _is_latin_foreign(text: str, likely_foreign: bool) -> bool:
    if _detector().classify(text)[0] == "en":  # three times as quick as all likelihoods
        return False
    if likely_foreign:
        return True
    likelihoods = dict(_detector().rank(text))
    return max(likelihoods.values()) > likelihoods["en"] + MUCH_LIKELIER


@cache
def _detector() -> "LanguageIdentifier":
    """Return a detector of the languages in Latin letters alone; the shared one of py3langid stays as it is."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector = LanguageIdentifier.from_model_file(MODEL_FILE)
    detector.set_languages(sorted(LATIN_LANGUAGES | {"en"}))
    return detector
