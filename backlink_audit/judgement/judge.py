"""The fitted trees: how they are evaluated, what they come to for a link, and the features that decided, in words.

The trees are data (`fitted/*.json`), written by `python -m benchmarks.judgement`; scikit-learn grows them, and is not
needed to read them. A feature that is not known (NaN) goes the way that most like it went when the trees were grown.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from backlink_audit.judgement.evidence import joined_texts
from backlink_audit.judgement.features import FEATURES, MOST_OF_SITE, SITE_FEATURES, Feature, Question
from backlink_audit.labels import BANDS, KIND_LIST, KIND_PAGE, KIND_SPAM, KIND_UNCLEAR, KIND_VISITORS
from backlink_audit.settings import LINKS_MODEL, BandLimits

KINDS = tuple(kind.word for kind in (KIND_PAGE, KIND_LIST, KIND_SPAM, KIND_VISITORS))
"""The kinds of pages that are told apart, in the order of their forests."""
REASONS = 2  # how many features a reason names
LEAST_CONTRIBUTION = 0.1  # log-odds from which a feature is named as a reason


@dataclass(frozen=True)
class Tree:
    """One tree, an entry per node, the root first. `left` and `right`: places of the children, 0 at a leaf.

    `value`: what the node adds to the sum on average over the links that came to it, in log-odds.
    """

    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray


@dataclass(frozen=True)
class Forest:
    """Trees over named features, whose values add up to log-odds.

    `of_site`: what each of `features.SITE_FEATURES` is multiplied by, to be added, float32.
    """

    features: tuple[str, ...]
    baseline: float
    trees: tuple[Tree, ...]
    of_site: np.ndarray

    def log_odds(self, table: np.ndarray) -> np.ndarray:
        """Return the sum for each row of `table`, float32 (rows, features) in the order of `features`; (rows,)."""
        columns = np.ascontiguousarray(table.T)
        total = np.full(len(table), self.baseline, dtype=np.float32)
        for tree in self.trees:
            for leaf, rows in _leaves(tree, columns):
                total += tree.value[leaf] * rows
        return total

    def contributions(self, table: np.ndarray) -> np.ndarray:
        """Return what each feature adds to each row's log-odds, float32 (rows, features).

        A step down a tree counts for the feature that decides it: by how much the values of the two nodes differ.
        """
        columns = np.ascontiguousarray(table.T)
        found = np.zeros(columns.shape, dtype=np.float32)
        for tree in self.trees:
            for node, child, rows in _steps(tree, columns):
                found[tree.feature[node]] += (tree.value[child] - tree.value[node]) * rows
        return found.T


def probability(log_odds: np.ndarray) -> np.ndarray:
    """Return the probability of log-odds, 0-1, float32.

    >>> probability(np.array([0.0])).tolist()
    [0.5]
    """
    return (1 / (1 + np.exp(-log_odds.astype(np.float64)))).astype(np.float32)


def shares(log_odds: Sequence[np.ndarray]) -> np.ndarray:
    """Return the probability of each of several kinds that exclude each other, float32 (rows, kinds)."""
    table = np.stack(log_odds, axis=1).astype(np.float64)
    weights = np.exp(table - table.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def read_forest(features: Sequence[str], written: Mapping[str, Any]) -> Forest:
    """Return a forest from its entry in a file of fitted trees; see `written_forest`."""
    trees = tuple(_read_tree(tree) for tree in written["trees"])
    of_site = np.array(written.get("of_site", [0, 0]), dtype=np.float32)
    return Forest(tuple(features), float(written["baseline"]), trees, of_site)


def _read_tree(columns: Mapping[str, Sequence[float]]) -> Tree:
    return Tree(
        feature=np.array(columns["feature"], dtype=np.intp),
        threshold=_rounded_down(np.array(columns["threshold"], dtype=np.float64)),
        missing_left=np.array(columns["missing_left"], dtype=bool),
        left=np.array(columns["left"], dtype=np.intp),
        right=np.array(columns["right"], dtype=np.intp),
        value=np.array(columns["value"], dtype=np.float32),
    )


def _rounded_down(thresholds: np.ndarray) -> np.ndarray:
    rounded = thresholds.astype(np.float32)
    return np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)


def _steps(tree: Tree, columns: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield every step down from a node to a child, the root's first, with the rows that make it, bool (rows,).

    `columns` (features, rows). All rows are looked at in every step, which is quicker than to gather those concerned.
    """
    waiting = [(0, np.ones(columns.shape[1], dtype=bool))]
    while waiting:
        node, here = waiting.pop()
        if tree.left[node] == 0:
            continue
        column, threshold = columns[tree.feature[node]], tree.threshold[node]
        to_left = ~(column > threshold) if tree.missing_left[node] else column <= threshold  # NaN is neither
        for child, rows in ((tree.left[node], here & to_left), (tree.right[node], here & ~to_left)):
            yield node, child, rows
            waiting.append((child, rows))


def _leaves(tree: Tree, columns: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    if len(tree.left) == 1:
        yield 0, np.ones(columns.shape[1], dtype=bool)
    for _, child, rows in _steps(tree, columns):
        if tree.left[child] == 0:
            yield child, rows


@dataclass(frozen=True)
class Fitted:
    """What was fitted for one model, all on the same features.

    `trust`: may the link teach what its target's site is about, by ROW_FEATURES alone; `middle`: of each of
    SITE_FEATURES, what adds nothing.

    `relevance`: is the page about its target's subject; `worth`: would an SEO keep the link; `suspicion`: would one
    look at it, as at spam; `kinds`: one forest for each of KINDS, whose log-odds are weighed against each other.
    """

    relevance: Forest
    worth: Forest
    suspicion: Forest
    kinds: tuple[Forest, ...]
    trust: Forest
    middle: np.ndarray


@cache
def load_fitted(model: str) -> Fitted:
    """Return what was fitted for a model; for one without a fit of its own, what was fitted for the default."""
    folder = files("backlink_audit.judgement") / "fitted"
    own, default = folder / f"{model}.json", folder / f"{LINKS_MODEL}.json"
    written: dict[str, Any] = json.loads((own if own.is_file() else default).read_text("utf-8"))
    features = written["features"]
    return Fitted(
        relevance=read_forest(features, written["relevance"]),
        worth=read_forest(features, written["worth"]),
        suspicion=read_forest(features, written["suspicion"]),
        kinds=tuple(read_forest(features, written["kinds"][kind]) for kind in KINDS),
        trust=read_forest(features, written["trust"]),
        middle=np.array(written["middle"], dtype=np.float32),
    )


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
    above = np.nan_to_num(features[list(SITE_FEATURES)].to_numpy(dtype=np.float32) - fitted.middle)
    of_site = above.clip(np.negative(MOST_OF_SITE), MOST_OF_SITE)
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
