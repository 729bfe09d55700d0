"""Distinct texts, each embedded once, and which of them represent one side of every link."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa

BLANK = -1  # the code of a row that has no text


@dataclass(frozen=True)
class Bags:
    """One side of every link, as bags of texts: one text for a title, one for each token of a URL.

    `codes` (rows,) has each row's bag, BLANK where it has none. Bag b contains the texts
    `members[starts[b]:starts[b + 1]]`, as places in the vocabulary, with their `weights`; no bag is empty.
    """

    codes: np.ndarray
    starts: np.ndarray
    members: np.ndarray
    weights: np.ndarray

    def take(self, rows: np.ndarray) -> "Bags":
        return replace(self, codes=self.codes[rows])

    def embedded(self, vectors: np.ndarray) -> "Embedded":
        return Embedded(self, vectors)


@dataclass(frozen=True)
class Embedded:
    """One side of every link as vectors, made block by block; `vectors`: unit rows (texts, dimensions), float32."""

    bags: Bags
    vectors: np.ndarray

    def __len__(self) -> int:
        return len(self.bags.codes)

    def unit_vectors_at(self, places: np.ndarray) -> np.ndarray:
        """Return the unit vectors of these rows: weighted means of their texts' vectors, float32; 0 without text."""
        codes = self.bags.codes[places]
        known = codes != BLANK
        if known.all():
            return self._pooled(codes)
        rows = np.zeros((len(codes), self.vectors.shape[1]), dtype=np.float32)
        rows[known] = self._pooled(codes[known])
        return rows

    def _pooled(self, codes: np.ndarray) -> np.ndarray:
        starts, members = self.bags.starts, self.bags.members
        if (starts[codes + 1] - starts[codes] == 1).all():
            return self.vectors[members[starts[codes]]]
        which, distinct = pd.factorize(codes)
        sizes = starts[distinct + 1] - starts[distinct]
        ends = np.cumsum(sizes)
        flat = np.arange(ends[-1]) + np.repeat(starts[distinct] - (ends - sizes), sizes)
        weighted = self.vectors[members[flat]] * self.bags.weights[flat, None]
        return unit_rows(np.add.reduceat(weighted, ends - sizes, axis=0))[which]


def distinct_rows(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return where each distinct row of some columns of integers comes first, and which of them each row is.

    >>> first, which = distinct_rows([np.array([4, 4, 7, 4]), np.array([0, 1, 0, 0])])
    >>> first.tolist(), which.tolist()
    ([0, 1, 2], [0, 1, 2, 0])
    """
    which = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes, values = pd.factorize(column)
        which = pd.factorize(which * len(values) + codes)[0]
    first = np.unique(which, return_index=True)[1]
    return first, which


def unit_rows(matrix: np.ndarray) -> np.ndarray:
    """Return the rows at length 1, float32; a row of zeros stays one."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)


class Vocabulary:
    """Every distinct text of a run, in the order first met."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def texts(self) -> list[str]:
        return list(self._places)

    def bags(self, values: pd.Series, texts_of: Callable[[str], Sequence[str]]) -> Bags:
        return self.weighted_bags(values, lambda value: [(text, 1.0) for text in texts_of(value)])

    def weighted_bags(self, values: pd.Series, texts_of: Callable[[str], Sequence[tuple[str, float]]]) -> Bags:
        """Return the bags of a text Series, where `texts_of` gives each text's weight too."""
        array = pa.array(values.fillna(""), type=pa.large_string())
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        encoded = array.dictionary_encode()
        bag_of_value = np.full(len(encoded.dictionary), BLANK, dtype=np.int32)
        members: list[int] = []
        weights: list[float] = []
        starts = [0]
        for place, value in enumerate(encoded.dictionary.to_pylist()):
            texts = [(text, weight) for text, weight in texts_of(value) if text] if value else []
            if texts:
                bag_of_value[place] = len(starts) - 1
                members.extend(self._places.setdefault(text, len(self._places)) for text, _ in texts)
                weights.extend(weight for _, weight in texts)
                starts.append(len(members))
        codes = bag_of_value[encoded.indices.to_numpy(zero_copy_only=False)]
        return Bags(codes, np.array(starts), np.array(members, dtype=np.int64), np.array(weights, np.float32))
