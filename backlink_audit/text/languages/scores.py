"""How likely many short texts are to be in each language: py3langid's answers, all texts in step.

Its detector walks through one text after the other, byte by byte. Here thousands of texts take each step together.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.sparse import csr_array

TEXTS_AT_ONCE = 4_096
"""Texts scored in one go: a few megabytes."""
NOTHING_FOUND = float(np.finfo(np.float32).min)
"""The score of every language for a text without anything to judge by, as in py3langid."""


@dataclass(frozen=True)
class _Tables:
    """The automaton and the weights of py3langid's model."""

    next_state: np.ndarray
    row_of_state: np.ndarray
    feature_of_state: np.ndarray
    """The feature that a state has found, -1 for none."""
    weights: np.ndarray
    """(features, languages)."""
    priors: np.ndarray
    languages: tuple[str, ...]
    """One may be here more than once, by its scripts."""


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
    """Return a text as py3langid reads it."""
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
