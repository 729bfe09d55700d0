"""What the features of a link come to, and the features that decided, in words."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.judgement.evidence import joined_texts
from backlink_audit.judgement.features import FEATURES, SITE_FEATURES, Feature, Question
from backlink_audit.judgement.trees import KINDS, Fitted, Forest, probability, shares
from backlink_audit.labels import BANDS, KIND_UNCLEAR
from backlink_audit.settings import BandLimits

REASONS = 2  # how many features a reason names
LEAST_CONTRIBUTION = 0.1  # log-odds from which a feature is named as a reason


@dataclass(frozen=True)
class Judgement:
    """What is known of each link: relevance, worth and suspicion, 0-100, float32; the kind of page, object."""

    relevance: np.ndarray
    worth: np.ndarray
    suspicion: np.ndarray
    kind: np.ndarray


def judge(features: pd.DataFrame, has_words: np.ndarray, fitted: Fitted) -> Judgement:
    """Return what links with these features come to. `features`: FEATURES and SITE_FEATURES, float32.

    `has_words`: whether a page has a title or words in its URL, bool (rows,); of the others the kind is unclear.
    """
    table = _table(features, fitted.relevance)
    of_site = np.nan_to_num(features[list(SITE_FEATURES)].to_numpy(dtype=np.float32) - fitted.middle)
    kinds = shares([forest.log_odds(table) for forest in fitted.kinds])
    kind = np.where(has_words, np.array(KINDS, dtype=object)[kinds.argmax(axis=1)], KIND_UNCLEAR.word)
    relevance, worth, suspicion = (
        100 * probability(forest.log_odds(table) + of_site @ forest.of_site)
        for forest in (fitted.relevance, fitted.worth, fitted.suspicion)
    )
    return Judgement(relevance, worth, suspicion, kind)


def bands(relevance: np.ndarray, limits: BandLimits) -> np.ndarray:
    """Return the band of each relevance (0-100): relevant, weak or off-topic; "" where it is blank."""
    named = [relevance >= limits.relevant, relevance >= limits.weak, relevance < limits.weak]
    return np.select(named, [label.word for label in BANDS], "")


def reasons(features: pd.DataFrame, forest: Forest, question: Question, speaks_for: np.ndarray) -> pd.Series:
    """Return in words the features that weighed most for what is said of each link.

    `speaks_for`: whether what is said is that the forest's probability is high, bool (rows,), else that it is low. Of
    nearness only what goes that way is a reason: a page is not off-topic for being close to anything.
    """
    table = _table(features, forest)
    weights = np.where(speaks_for, 1, -1) * forest.contributions(table).T
    for place, feature in enumerate(FEATURES):
        named = question in feature.named_in or (question == "visitors" and "kind" in feature.named_in)
        weights[place, ~(_counts(feature, table[:, place], speaks_for) & named)] = 0
    weights[weights < LEAST_CONTRIBUTION] = 0
    texts: list[pd.Series] = []
    for _ in range(REASONS):
        heaviest = weights.argmax(axis=0)
        texts.append(pd.Series(_said(table, heaviest, weights.any(axis=0)), features.index, dtype="str"))
        weights[heaviest, np.arange(len(table))] = 0
    return joined_texts(texts, "; ")


def kind_reasons(features: pd.DataFrame, kinds: np.ndarray, fitted: Fitted) -> pd.Series:
    """Return in words what shows the kind of each page, "" where it is unclear."""
    found = pd.Series("", features.index, dtype="str")
    for kind, forest in zip(KINDS, fitted.kinds, strict=True):
        rows = kinds == kind
        if rows.any():
            question: Question = "visitors" if kind == "visitors" else "kind"
            found[rows] = reasons(features[rows], forest, question, np.ones(rows.sum(), dtype=bool))
    return found


def _table(features: pd.DataFrame, forest: Forest) -> np.ndarray:
    return features[list(forest.features)].to_numpy(dtype=np.float32)


def _counts(feature: Feature, values: np.ndarray, speaks_for: np.ndarray) -> np.ndarray:
    high = values > feature.middle
    has_words = np.where(high, feature.high != "", feature.low != "") & ~np.isnan(values)
    return has_words & (high == speaks_for) if feature.name.startswith("to_") else has_words


def _said(table: np.ndarray, places: np.ndarray, asked: np.ndarray) -> np.ndarray:
    said = np.full(len(table), "", dtype=object)
    for place in np.unique(places[asked]):
        rows = np.flatnonzero(asked & (places == place))
        codes, distinct = pd.factorize(table[rows, place])
        said[rows] = np.array([_words(FEATURES[place], value) for value in distinct.tolist()], dtype=object)[codes]
    return said


def _words(feature: Feature, value: float) -> str:
    return (feature.high if value > feature.middle else feature.low).format(feature.show(value))
