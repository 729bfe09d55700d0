"""How close the two ends of each link are, and how much closer than chance would have it.

Chance is what unrelated subjects and invented site names come to (`analysis.topics`). Both ends are asked: a subject
is beaten if it is further from the referring page than the target is, and further from the target than the referring
page is. Either end alone lets texts pass that are near to everything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from backlink_audit.labels import BANDS
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BandLimits

ROWS_AT_ONCE = 4_096
"""Links compared in one go: about 50 MB of vectors and cosines at a few hundred subjects."""
NEAREST_TOPICS = 3
"""A target is about the fields of so many topics, those nearest to it; all topics of these fields are related to it."""


class Side(Protocol):
    """One side of every link as vectors, made block by block."""

    def __len__(self) -> int:
        """Return how many links there are."""
        ...

    def has_text(self, start: int, stop: int) -> np.ndarray:
        """Return which of the rows have a text, bool (stop - start,)."""
        ...

    def unit_vectors(self, start: int, stop: int) -> np.ndarray:
        """Return the rows' unit vectors, float32 (stop - start, dimensions); 0 where there is no text."""
        ...


@dataclass(frozen=True)
class Chance:
    """The vectors of what links are judged against, unit rows of float32: topics first, then invented site names."""

    vectors: np.ndarray
    fields: np.ndarray
    """The field of each topic; the rows of `vectors` beyond them are names."""

    @property
    def topics(self) -> np.ndarray:
        """The vectors of the topics alone."""
        return self.vectors[: len(self.fields)]


@dataclass(frozen=True)
class Comparison:
    """What was found for each link, in order; blank is NaN, or -1 for a place in a list."""

    similarity: np.ndarray
    """Cosine of the two ends, -1 to 1, float32."""
    evidence: np.ndarray
    """Place of the winning evidence among the referring side's, int8."""
    relevance: np.ndarray
    """Share of the unrelated subjects that the link beats, 0-100, float32."""
    topic: np.ndarray
    """Place of the topic nearest to the referring page, int16."""


def compare(
    referring: Sequence[Side], target: Sequence[Side], subject: Side, chance: Chance, on_progress: Progress = silent
) -> Comparison:
    """Compare the two ends of every link with each other and with chance.

    `referring` and `target` are the evidences of either side; the similarity is that of the best pair. `subject` is
    what tells the referring page's topic.
    """
    rows = len(subject)
    found = Comparison(
        np.full(rows, np.nan, np.float32),
        np.full(rows, -1, np.int8),
        np.full(rows, np.nan, np.float32),
        np.full(rows, -1, np.int16),
    )
    for start in range(0, rows, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, rows)
        block = slice(start, stop)
        best, found.evidence[block], found.relevance[block] = _compare_block(referring, target, chance, start, stop)
        found.similarity[block] = np.where(found.evidence[block] >= 0, best, np.nan)
        nearest = (subject.unit_vectors(start, stop) @ chance.topics.T).argmax(axis=1)
        found.topic[block] = np.where(subject.has_text(start, stop), nearest, -1)
        on_progress("Comparing", stop, rows)
    return found


def bands(relevance: np.ndarray, limits: BandLimits) -> np.ndarray:
    """Return the band of each relevance (0-100): relevant, weak or off-topic; "" where it is blank."""
    named = [relevance >= limits.relevant, relevance >= limits.weak, relevance < limits.weak]
    return np.select(named, [label.word for label in BANDS], "")


def _compare_block(
    referring: Sequence[Side], target: Sequence[Side], chance: Chance, start: int, stop: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return similarity, winning evidence (-1: none) and relevance of the links from start to stop."""
    targets = [(side.unit_vectors(start, stop), side.has_text(start, stop)) for side in target]
    best = np.full(stop - start, -np.inf, np.float32)
    winner = np.full(stop - start, -1, np.int8)
    nearest = np.full((stop - start, len(chance.vectors)), -np.inf, np.float32)
    for place, side in enumerate(referring):
        vectors, has_text = side.unit_vectors(start, stop), side.has_text(start, stop)
        for target_vectors, target_has_text in targets:
            cosine = np.einsum("ij,ij->i", vectors, target_vectors)
            wins = has_text & target_has_text & (cosine > best)
            best[wins], winner[wins] = cosine[wins], place
        _raise_to(nearest, vectors, has_text, chance)
    related = _related([vectors for vectors, _ in targets], chance)
    for target_vectors, target_has_text in targets:
        _raise_to(nearest, target_vectors, target_has_text, chance)
    relevance = np.where(winner >= 0, _share_beaten(best, nearest, related), np.nan)
    return best, winner, relevance


def _raise_to(nearest: np.ndarray, side: np.ndarray, has_text: np.ndarray, chance: Chance) -> None:
    """Raise `nearest` (rows, subjects) to how near each subject comes to this side, where the side has a text."""
    np.maximum(nearest, side @ chance.vectors.T, out=nearest, where=has_text[:, None])


def _related(targets: list[np.ndarray], chance: Chance) -> np.ndarray:
    """Return which subjects are near each target, bool (rows, subjects): the fields of the topics nearest to it."""
    closeness = np.maximum.reduce([target @ chance.topics.T for target in targets])
    nearest = np.argpartition(-closeness, NEAREST_TOPICS - 1, axis=1)[:, :NEAREST_TOPICS]
    _, field_of_topic = np.unique(chance.fields, return_inverse=True)
    related = np.zeros((len(closeness), len(chance.vectors)), dtype=bool)
    for topic in nearest.T:
        related[:, : len(chance.fields)] |= field_of_topic == field_of_topic[topic, None]
    return related


def _share_beaten(similarity: np.ndarray, nearest: np.ndarray, related: np.ndarray) -> np.ndarray:
    """Return the share (0-100) of the unrelated subjects that come less near than the link's two ends."""
    unrelated = ~related
    beaten = (nearest < similarity[:, None]) & unrelated
    return 100 * beaten.sum(axis=1) / unrelated.sum(axis=1)
