"""Which page of a site a prospect is closest to, and how much closer than chance would have it.

The best of many pages is close to anything. So a prospect is not compared with the topics of the web, as a link is,
but against them: every topic, too, is given the page it is closest to, and the prospect's relevance is the share of
topics that it beats (docs/decisions/gap.md has the figures).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backlink_audit.progress import Progress, silent

SCORES_AT_ONCE = 16 * 1024**2
"""Cosines held in memory at once: 64 MiB of float32."""


@dataclass(frozen=True)
class Fit:
    """What was found for each prospect, in order; blank is NaN, or -1 for a place in a list."""

    page: np.ndarray
    """Place of the closest page, int64."""
    similarity: np.ndarray
    """Cosine of the prospect and that page, -1 to 1, float32."""
    relevance: np.ndarray
    """Share of the topics whose closest page is less close, 0-100, float64."""
    topic: np.ndarray
    """Place of the topic nearest to the prospect, int64."""


def fit_to_site(
    prospects: np.ndarray, pages: Sequence[np.ndarray], topics: np.ndarray, on_progress: Progress = silent
) -> Fit:
    """Return how well each prospect fits a site.

    `prospects` (n, dimensions) and `topics` (t, dimensions) are unit rows. `pages` holds one or more matrices
    (pages, dimensions): each page's words, its title, …; the closest of them counts. A row of zeros has no text.
    Without any page with text, page, similarity and relevance are blank.
    """
    has_text = prospects.any(axis=1)
    page, similarity = closest(prospects, pages, on_progress)
    _, by_chance = closest(topics, pages)
    beaten = np.searchsorted(np.sort(by_chance), similarity, side="left")
    known = has_text & ~np.isnan(similarity)
    nearest, _ = closest(prospects, [topics])
    return Fit(
        page=np.where(known, page, -1),
        similarity=np.where(known, similarity, np.nan),
        relevance=np.where(known, 100 * beaten / max(1, len(topics)), np.nan),
        topic=np.where(has_text, nearest, -1),
    )


def closest(
    queries: np.ndarray, targets: Sequence[np.ndarray], on_progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of the closest target of each query and their cosine; -1 and NaN where no target has text.

    `targets` holds one or more matrices of the same number of rows; the closest of a row's vectors counts.
    """
    place = np.full(len(queries), -1)
    cosine = np.full(len(queries), np.nan, np.float32)
    blank = [~target.any(axis=1) for target in targets]
    if not targets or np.logical_and.reduce(blank).all():
        return place, cosine
    rows = max(1, SCORES_AT_ONCE // len(targets[0]))
    for start in range(0, len(queries), rows):
        block = slice(start, start + rows)
        scores = np.maximum.reduce(
            [np.where(empty, -np.inf, queries[block] @ target.T) for target, empty in zip(targets, blank, strict=True)]
        )
        place[block] = scores.argmax(axis=1)
        cosine[block] = scores.max(axis=1)
        on_progress("Finding the closest pages", min(start + rows, len(queries)), len(queries))
    return place, cosine
