"""How close the two ends of each link are, and how much closer than chance would have it."""

from dataclasses import dataclass

import numpy as np

from backlink_audit.labels import BANDS
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BandLimits
from backlink_audit.text.texts import LinkTexts

ROWS_AT_ONCE = 8_192
"""Links compared in one go: about 50 MB of cosines at a few hundred topics."""
NEAREST_FIELDS = 3
"""A target is about the fields of its nearest topics; how many topics are asked for their field."""


@dataclass(frozen=True)
class Comparison:
    """What was found for each link, in order; blank is NaN, or -1 for a place in a list."""

    similarity: np.ndarray
    """Cosine of the two ends, -1 to 1, float32."""
    evidence: np.ndarray
    """Place of the winning evidence among the referring side's, int8."""
    relevance: np.ndarray
    """Share of the unrelated topics that the target beats, 0-100, float32."""
    topic: np.ndarray
    """Place of the topic nearest to the referring page, int16."""


def compare(
    texts: LinkTexts,
    vectors: np.ndarray,
    topics: np.ndarray,
    fields: np.ndarray,
    on_progress: Progress = silent,
) -> Comparison:
    """Compare the two ends of every link with each other and with the topics.

    `vectors` (distinct texts, dimensions) are the vocabulary's, `topics` (topics, dimensions) the taxonomy's,
    both unit rows; `fields` (topics,) names each topic's field.
    """
    rows = len(texts.subject.codes)
    found = Comparison(
        np.full(rows, np.nan, np.float32),
        np.full(rows, -1, np.int8),
        np.full(rows, np.nan, np.float32),
        np.full(rows, -1, np.int16),
    )
    _, field_of_topic = np.unique(fields, return_inverse=True)
    for start in range(0, rows, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, rows)
        _compare_block(texts, vectors, topics, field_of_topic, found, start, stop)
        on_progress("Comparing", stop, rows)
    return found


def bands(relevance: np.ndarray, limits: BandLimits) -> np.ndarray:
    """Return the band of each relevance (0-100): relevant, weak or off-topic; "" where it is blank."""
    named = [relevance >= limits.relevant, relevance >= limits.weak, relevance < limits.weak]
    return np.select(named, [label.word for label in BANDS], "")


def _compare_block(
    texts: LinkTexts,
    vectors: np.ndarray,
    topics: np.ndarray,
    field_of_topic: np.ndarray,
    found: Comparison,
    start: int,
    stop: int,
) -> None:
    """Fill `found` for the links from start to stop."""
    block = slice(start, stop)
    targets = [bags.unit_vectors(vectors, start, stop) for bags in texts.target.values()]
    best = np.full(stop - start, -np.inf, np.float32)
    winner = np.full(stop - start, -1, np.int8)
    by_chance = np.full((stop - start, len(topics)), -np.inf, np.float32)
    for place, bags in enumerate(texts.referring.values()):
        referring = bags.unit_vectors(vectors, start, stop)
        has_text = bags.has_text()[block]
        for side, target in zip(texts.target.values(), targets, strict=True):
            cosine = np.einsum("ij,ij->i", referring, target)
            wins = has_text & side.has_text()[block] & (cosine > best)
            best[wins], winner[wins] = cosine[wins], place
        np.maximum(by_chance, np.where(has_text[:, None], referring @ topics.T, -np.inf), out=by_chance)
    compared = winner >= 0
    unrelated = ~_related(targets, topics, field_of_topic)
    beaten = (by_chance < best[:, None]) & unrelated
    found.similarity[block] = np.where(compared, best, np.nan)
    found.evidence[block] = winner
    share = 100 * beaten.sum(axis=1) / np.maximum(unrelated.sum(axis=1), 1)
    found.relevance[block] = np.where(compared, share, np.nan)
    nearest = (texts.subject.unit_vectors(vectors, start, stop) @ topics.T).argmax(axis=1)
    found.topic[block] = np.where(texts.subject.has_text()[block], nearest, -1)


def _related(targets: list[np.ndarray], topics: np.ndarray, field_of_topic: np.ndarray) -> np.ndarray:
    """Return which topics are near each target, bool (rows, topics): all of the fields of its nearest topics."""
    closeness = np.maximum.reduce([target @ topics.T for target in targets])
    nearest = np.argpartition(-closeness, NEAREST_FIELDS - 1, axis=1)[:, :NEAREST_FIELDS]
    fields = field_of_topic[nearest]
    related = np.zeros(closeness.shape, dtype=bool)
    for column in range(NEAREST_FIELDS):
        related |= field_of_topic[None, :] == fields[:, column, None]
    return related
