"""Which page of a site a text is closest to."""

from collections.abc import Sequence

import numpy as np

from backlink_audit.progress import Progress, silent

SCORES_AT_ONCE = 16 * 1024**2
"""Cosines in memory at once: 64 MiB of float32."""


def closest(
    queries: np.ndarray, targets: Sequence[np.ndarray], on_progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of the closest target of each query and their cosine; -1 and NaN where no target has text.

    `targets` has one or more matrices of the same number of rows; the closest of a row's vectors counts.
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
