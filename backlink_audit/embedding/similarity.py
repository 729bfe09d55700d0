"""The k most similar targets of every query: exact, in blocks, never n x n in memory.

Vectors are float32 of length 1, so that a cosine is a dot product; the row of an empty text is NaN.
"""

from collections.abc import Callable, Sequence

import numpy as np

from backlink_audit.progress import Progress, silent

BLOCK_SCORES = 32 * 1024**2  # scores in memory at once: 128 MiB of float32

_GROUP = 64
_CROWDED = 8

TopK = tuple[np.ndarray, np.ndarray]  # indices (int32) and scores (float32), both (rows, k), best first


def top_k(
    queries: np.ndarray, targets: np.ndarray, k: int, *, exclude_self: bool = False, on_progress: Progress = silent
) -> TopK:
    """Return the k targets with the highest cosine for every query; vectors are unit rows without NaN.

    With `exclude_self`, queries and targets are the same rows and no row is its own match. Fewer than k columns come
    back where there are fewer targets. Equal scores are in the order of the targets.
    """

    def cosines(start: int, stop: int) -> np.ndarray:
        return queries[start:stop] @ targets.T

    block = max(1, BLOCK_SCORES // max(1, len(targets)))
    return top_k_blocks(cosines, len(queries), k, exclude_self=exclude_self, block=block, on_progress=on_progress)


def top_k_blocks(
    score: Callable[[int, int], np.ndarray],
    rows: int,
    k: int,
    *,
    exclude_self: bool = False,
    block: int = 512,
    on_progress: Progress = silent,
) -> TopK:
    """Return the k highest scores of every row of a matrix that is only ever made in blocks of rows.

    `score(start, stop)` gives float32 (stop - start, columns), never NaN; it may be overwritten here. -inf marks
    what must not be chosen: it comes last, and stays -inf where a row has fewer than k other scores. Otherwise as
    `top_k`.
    """
    parts = []
    for start in range(0, rows, block):
        on_progress("Comparing", start, rows)
        stop = min(rows, start + block)
        scores = score(start, stop)
        if exclude_self:
            scores[np.arange(stop - start), np.arange(start, stop)] = -np.inf
        parts.append(_largest(scores, min(k, scores.shape[1] - exclude_self)))
    if not parts:
        return np.empty((0, k), dtype=np.int32), np.empty((0, k), dtype=np.float32)
    on_progress("Comparing", rows, rows)
    indices, values = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(values)


def _largest(scores: np.ndarray, k: int) -> TopK:
    """Return the k largest of each row, best first, equal ones in the order of the columns.

    Nearly all scores are thrown out by one comparison with a bound; only the few that are left are sorted. Where
    many are equal to the bound (pages with the same title), the exact k-th score takes its place.
    """
    if k == 0:
        return np.empty((len(scores), 0), dtype=np.int32), np.empty((len(scores), 0), dtype=np.float32)
    chosen = scores >= _lower_bound(scores, k)[:, None]
    crowded = np.flatnonzero(np.count_nonzero(chosen, axis=1) > _CROWDED * k)
    if len(crowded):
        chosen[crowded] = _exactly_largest(scores[crowded], k)
    rows, columns = np.nonzero(chosen)
    values = scores[rows, columns]
    order = np.lexsort((columns, -values, rows))
    first = np.searchsorted(rows, np.arange(len(scores)))
    best = order[first[:, None] + np.arange(k)]
    return columns[best].astype(np.int32), values[best]


def _lower_bound(scores: np.ndarray, k: int) -> np.ndarray:
    """Return for each row a score that its k-th largest is not below.

    The k-th largest of the maxima of disjoint groups of columns is such a bound, and a close one.
    """
    groups = scores.shape[1] // _GROUP
    if groups < 4 * k:
        return np.partition(scores, -k, axis=1)[:, -k]
    maxima = scores[:, : groups * _GROUP].reshape(len(scores), _GROUP, groups).max(axis=1)
    return np.partition(maxima, -k, axis=1)[:, -k]


def _exactly_largest(scores: np.ndarray, k: int) -> np.ndarray:
    bound = np.partition(scores, -k, axis=1)[:, -k, None]
    above = scores > bound
    equal = scores == bound
    room = k - np.count_nonzero(above, axis=1)[:, None]
    return above | (equal & (np.cumsum(equal, axis=1) <= room))


SCORES_AT_ONCE = 16 * 1024**2  # cosines in memory at once: 64 MiB of float32


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


def spread_evenly(rows: int, most: int) -> np.ndarray:
    """Return the places of at most so many of the rows, evenly spread from the first to the last.

    >>> spread_evenly(9, 3).tolist(), spread_evenly(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.linspace(0, rows - 1, min(most, rows)).round().astype(int)
