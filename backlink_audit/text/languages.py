"""Whether a short text is in a language that the model knows, since a model that reads English makes guesses of others.

A title of four words is often misjudged by a detector alone, so it answers one question only: is another language
much likelier than English? Everything doubtful counts as known.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import pandas as pd
import regex
from scipy.sparse import csr_array

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

DETECTED = sorted(LATIN_LANGUAGES | {"en"})  # the languages that a text in Latin letters may be in

FOREIGN_LETTERS = 0.2
"""Share of letters of another script from which a text is not English, whatever its other words are."""
MUCH_LIKELIER = 10.0
"""How much likelier another language must be, as a difference of log-likelihoods (nats): docs/decisions/topics.md."""
LONGEST = 120  # characters looked at: 120 are enough to know the language, and the detector takes time for each

_ENGLISH = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(sorted(ENGLISH_WORDS))})(?![a-z0-9])")
_APOSTROPHES = re.compile("['’]")
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Script=Latin}")
UNSPACED = r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Character classes of the scripts written without spaces between words."""

_SPACED = rf"(?:(?![{UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}])+"
_GEMINATE = "(?<=[lL])·(?=[lL])"  # the point inside Catalan words: intel·ligent
_RUN = regex.compile(rf"(?P<unspaced>[{UNSPACED}]+)|{_SPACED}(?:(?:(?<=\p{{L}})['’](?=\p{{L}})|{_GEMINATE}){_SPACED})*")

_PLAIN = re.compile(r"[a-z0-9]+(?:(?<=[a-z])'(?=[a-z])[a-z0-9]+)*")
_SIMPLE = re.compile(rf"[^\W_]+(?:(?:(?<=[^\W\d_])['’](?=[^\W\d_])|{_GEMINATE})[^\W_]+)*")
_NOT_SIMPLE = regex.compile(rf"[{UNSPACED}\p{{M}}]")
"""Without these a text's words are runs of what Python takes for letters and digits, found several times as quickly."""
_INNER_SIGNS = str.maketrans("", "", "'’·")  # apostrophes, and the point between two l: dropped inside a word
TEXTS_AT_ONCE = 4_096  # texts scored in one go: a few megabytes
NOTHING_FOUND = float(np.finfo(np.float32).min)
"""The score of every language for a text without anything to judge by, as in py3langid."""
REMEMBERED = 100_000  # words whose forms are kept


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
    scores = language_scores(texts, DETECTED)
    english, best = scores[:, DETECTED.index("en")], scores.max(axis=1, initial=-np.inf)
    is_other = scores.argmax(axis=1) != DETECTED.index("en") if len(texts) else np.zeros(0, dtype=bool)
    return is_other & (best > english.astype(np.float64) + MUCH_LIKELIER)


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
    """Return the words of a language (ISO 639-1) that say nothing by themselves (stopwordsiso); empty without."""
    import stopwordsiso

    if not stopwordsiso.has_lang(language):
        return frozenset()
    entries = (words(entry) for entry in stopwordsiso.stopwords(language))
    return frozenset(entry[0] for entry in entries if len(entry) == 1)


def stop_words_of(languages: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(stop_words(language) for language in set(languages)))


@dataclass(frozen=True)
class _Tables:
    """The automaton and the weights of py3langid's model."""

    next_state: np.ndarray
    row_of_state: np.ndarray
    feature_of_state: np.ndarray  # The feature that a state has found, -1 for none
    weights: np.ndarray  # (features, languages)
    priors: np.ndarray
    languages: tuple[str, ...]  # One may be here more than once, by its scripts


def language_scores(texts: Sequence[str], languages: Sequence[str]) -> np.ndarray:
    """Return the log-likelihood of each language for each text, float32 (texts, languages).

    `languages`: ISO 639-1 codes that its model knows. The same scores as `LanguageIdentifier.rank` of py3langid, but
    for the last digit of rounding.
    """
    if not len(texts):
        return np.empty((0, len(languages)), np.float32)
    tables = _tables()
    blocks = [
        _scores(texts[start : start + TEXTS_AT_ONCE], tables, languages)
        for start in range(0, len(texts), TEXTS_AT_ONCE)
    ]
    return np.concatenate(blocks)


def _scores(texts: Sequence[str], tables: _Tables, languages: Sequence[str]) -> np.ndarray:
    counts = _features(texts, tables)
    columns = [[place for place, name in enumerate(tables.languages) if name == language] for language in languages]
    used = sorted({place for places in columns for place in places})
    found = counts @ tables.weights[:, used] + tables.priors[used]
    found[np.diff(counts.indptr) == 0] = NOTHING_FOUND
    place_of = {place: number for number, place in enumerate(used)}
    scores = [found[:, [place_of[place] for place in places]].max(axis=1) for places in columns]
    return np.stack(scores, axis=1).astype(np.float32)


def _features(texts: Sequence[str], tables: _Tables) -> csr_array:
    """Return the logarithm of how often each text has each feature, one more than that: (texts, features)."""
    encoded = [_encoded(text) for text in texts]
    lengths = np.array([len(text) for text in encoded])
    longest_first = np.argsort(-lengths, kind="stable")
    letters = np.zeros((int(lengths.max(initial=0)), len(texts)), dtype=np.uint8)
    for column, place in enumerate(longest_first):
        letters[: lengths[place], column] = np.frombuffer(encoded[place], dtype=np.uint8)
    still = np.searchsorted(-lengths[longest_first], -np.arange(len(letters)), side="left")
    state = np.zeros(len(texts), dtype=np.int64)
    rows, features = [], []
    for step, active in enumerate(still):
        state[:active] = tables.next_state[(tables.row_of_state[state[:active]] << 8) + letters[step, :active]]
        feature = tables.feature_of_state[state[:active]]
        hit = np.flatnonzero(feature >= 0)
        rows.append(longest_first[hit])
        features.append(feature[hit])
    width = len(tables.weights)
    pairs = [np.concatenate(rows).astype(np.int64) * width + np.concatenate(features)] if rows else []
    distinct, times = np.unique(np.concatenate(pairs) if pairs else np.empty(0, np.int64), return_counts=True)
    table = (np.log1p(times.astype(np.float32)), (distinct // width, distinct % width))
    return csr_array(table, shape=(len(texts), width))


def _encoded(text: str) -> bytes:
    text = text.lower() if text.isupper() else text
    return unicodedata.normalize("NFC", text).encode("utf-8", errors="surrogatepass")


@cache
def _tables() -> _Tables:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    return _Tables(
        np.asarray(model.tk_nextmove),
        np.asarray(model.tk_row).astype(np.int64),
        np.asarray(model.tk_output),
        np.asarray(model.nb_ptc, dtype=np.float32),
        np.asarray(model.nb_pc, dtype=np.float32),
        tuple(model.nb_classes),
    )


@lru_cache(REMEMBERED)
def form(word: str) -> str:
    """Return a word without the ending of a plural, so that "emails" finds "email".

    >>> form("emails"), form("class"), form("gas")
    ('email', 'class', 'gas')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(8)
def forms_of(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(form, words))
