"""Which pages should link to each other: every pair of pages is judged, in blocks, and only the best are kept.

Similarity order goes by the cosine alone. Editorial order adds up three signals, each measured in its own standard
deviations over random pairs of the site's pages, so that no unit outweighs another:

    shared words    cosine of the pages' words and two-word phrases (TF-IDF)         weight 1
    mention         how much of the target's title the source's text has             weight 0.35
    meaning         cosine of the embeddings                                         weight 0.3, or 1 without content

and two as they are: the target's whole name said in the source's text (0.5 for each unit of its rarity times the
logarithm of how often), and each folder that the two addresses share (0.3).

Weights: docs/decisions/editorial-order.md. Near duplicates come last in editorial order: they should be merged, not
linked.

The score of a pair adds up how near it is among the candidates of its source, and of its target, by shared words and by
meaning; the folders that the two addresses share; how strong it is in the editorial order; whether the source has words
to link; and whether the target is years older. All ranks count the same: fitted weights ordered other sites worse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from backlink_audit.embedding.nearest import top_k_blocks
from backlink_audit.progress import Progress, silent

MENTION_WEIGHT = 0.35
NAMED_WEIGHT, FOLDER_WEIGHT = 0.5, 0.3
MEANING_WEIGHT = 0.3
MEANING_WEIGHT_WITHOUT_CONTENT = 1.0
SAMPLED_SOURCES, SAMPLED_TARGETS = 256, 4_096
"""Mean and spread of a signal are measured on at most so many random sources with so many random targets."""
BLOCK_SCORES = 8 * 1024**2  # scores of a block: about 32 MiB for each signal
BEHIND_ALL_OTHERS = 1_000.0
"""Taken off the score of near duplicates; far more than any number of standard deviations seen."""
SPARE = 4
"""Where targets are capped, so many times more candidates than needed are kept, for those that are turned away."""

Matrix: TypeAlias = np.ndarray | sp.csr_matrix
RANKED = 60  # pairs of each source among which ranks are counted
MOST_FOLDERS = 2  # folders that two addresses share count up to so many
RANK_WORTH, FOLDER_WORTH, STRENGTH_WORTH, ANCHOR_WORTH = 0.35, 0.18, 1.4, 1.05
"""What each adds to the logarithm of the odds: a rank by its logarithm, a folder, the strength by its logarithm."""
YEARS_OLDER, OLD_WORTH = 3, -1.5  # a target so much older than its source, and what that adds
CONSTANT = 0.8  # set so that LEAST_SCORE keeps nine tenths of the links that readers call good
LEAST_SCORE = 50  # the score from which a link is suggested
BLOCK_PAIRS = 65_536


@dataclass(frozen=True, eq=False)
class Signal:
    """The matrix left @ right.T, (pages, pages), and how much it counts: one weight, or one for each source."""

    left: Matrix
    right: Matrix
    weight: float | np.ndarray = 1.0
    is_plain: bool = False  # Whether it counts as it is, not in standard deviations from its mean


@dataclass(frozen=True, eq=False)
class Families:
    """Which pages of a template have no use of each other, nor of other pages; see `page_kinds`.

    `family` and `filling` int (pages,), -1 for none; `closed` bool (pages,). Pages of one family are not linked to each
    other one by one, and a closed page only to one with the same filling in another family. `kin` (pages, pages): one
    of the two stands below the other, which is always of use.
    """

    family: np.ndarray
    filling: np.ndarray
    closed: np.ndarray
    kin: sp.csr_matrix

    def bar(self, block: np.ndarray, pages: np.ndarray | None) -> np.ndarray:
        """Return where a link between the block's pages and all pages, or those given for each, is of no use."""
        same = _of_one_group(self.family, block, pages)
        closed = self.closed[block][:, None] | _of_others(self.closed, pages)
        barred = same | (closed & ~_of_one_group(self.filling, block, pages))
        barred[_linked(self.kin, block, pages)] = False
        return barred


@dataclass(frozen=True, eq=False)
class Limits:
    """What may be suggested. `linked` (pages, pages) is true where no link may be suggested; masks are bool (pages,).

    `apart` are ways to group the pages, each an int (pages,), -1 for none: no two of a group are suggested. `together`
    int (pages,): only two of a group are compared at all; None: any two.
    """

    per_page: int
    per_target: int | None
    min_similarity: float
    near_duplicate: float
    sources: np.ndarray
    targets: np.ndarray
    linked: sp.csr_matrix
    apart: tuple[np.ndarray, ...] = ()
    together: np.ndarray | None = None
    families: Families | None = None


@dataclass(frozen=True, eq=False)
class Found:
    """Suggested pairs, by source and rank, best first; parallel arrays (pairs,). Sources and targets are row numbers.

    `nearest` (pages,) is each source's highest similarity to any other page that may be a target; NaN elsewhere.
    `alike` (pairs, 2) are the near duplicates, each pair once, whether suggested, linked already or neither; of a page
    with more of them than targets, so many. `kin` (pairs, 3) are in the same way the pairs that would be similar enough
    but are of one group, with the number of the grouping.
    """

    source: np.ndarray
    target: np.ndarray
    similarity: np.ndarray
    score: np.ndarray
    rank: np.ndarray
    nearest: np.ndarray
    alike: np.ndarray
    kin: np.ndarray


def editorial_signals(
    vectors: np.ndarray,
    bodies: sp.csr_matrix,
    mentioned: sp.csr_matrix,
    titles: sp.csr_matrix,
    has_content: Sequence[bool],
    named: tuple[sp.csr_matrix, sp.csr_matrix],
    folders: sp.csr_matrix,
) -> list[Signal]:
    """Return the signals of the editorial order; `vectors` are unit rows (pages, dimensions).

    `named`: names said by each page, and names of each page; `folders` (pages, folders).
    """
    meaning = np.where(has_content, MEANING_WEIGHT, MEANING_WEIGHT_WITHOUT_CONTENT).astype(np.float32)
    return [
        Signal(bodies, bodies),
        Signal(mentioned, titles, MENTION_WEIGHT),
        Signal(vectors, vectors, meaning),
        Signal(*named, NAMED_WEIGHT, is_plain=True),
        Signal(folders, folders, FOLDER_WEIGHT, is_plain=True),
    ]


def find_opportunities(
    vectors: np.ndarray,
    limits: Limits,
    signals: Sequence[Signal] = (),
    on_progress: Progress = silent,
    candidates: np.ndarray | None = None,
) -> Found:
    """Return the best targets of every source, exactly, without ever keeping pages x pages scores in memory.

    Without `signals` the order is that of the similarity. `candidates`, (sources, candidates), has a row of pages for
    each page that may be a source, in their order, -1 where it has fewer: only these are judged instead of all.
    """
    rows = np.flatnonzero(limits.sources)
    nearest = np.full(len(vectors), np.nan, dtype=np.float32)
    alike = [np.empty((0, 2), dtype=np.int64)]
    kin = [np.empty((0, 3), dtype=np.int64)]
    joined = [_standardised(signal, limits.together) for signal in signals]

    def score(start: int, stop: int) -> np.ndarray:
        block = rows[start:stop]
        pages = None if candidates is None else candidates[start:stop]
        similarity = _similarities(vectors, block, pages, limits.targets)
        related = np.zeros(similarity.shape, dtype=bool)
        for number, groups in enumerate(limits.apart):
            same = _of_one_group(groups, block, pages) & ~related
            related |= same
            found = _pairs(block, same & (similarity >= limits.min_similarity), limits.per_page, pages)
            kin.append(np.column_stack([found, np.full(len(found), number)]))
        if limits.families is not None:
            related |= limits.families.bar(block, pages)
        if limits.together is not None:
            similarity[limits.together[block][:, None] != _of_others(limits.together, pages)] = -np.inf
        nearest[block] = similarity.max(axis=1, initial=-np.inf)
        duplicate = (similarity >= limits.near_duplicate) & ~related
        alike.append(_pairs(block, duplicate, limits.per_page, pages))
        scores = similarity
        if joined:
            scores = sum((part.rows(block, pages) for part in joined), start=np.zeros_like(similarity))
            scores -= BEHIND_ALL_OTHERS * duplicate
            scores[np.isneginf(similarity)] = -np.inf
        scores[(similarity < limits.min_similarity) | related] = -np.inf
        scores[_linked(limits.linked, block, pages)] = -np.inf
        return scores

    wanted = limits.per_page if limits.per_target is None else max(60, SPARE * limits.per_page)
    width = len(vectors) if candidates is None else candidates.shape[1]
    numbers = width if candidates is None else width * vectors.shape[1]
    block = max(1, BLOCK_SCORES // max(1, numbers))
    found, scores = top_k_blocks(score, len(rows), min(wanted, width), block=block, on_progress=on_progress)
    if candidates is not None:
        found = np.take_along_axis(candidates, found, axis=1)
    nearest[np.isneginf(nearest)] = np.nan
    keep = ~np.isneginf(scores)
    if limits.per_target is not None:
        keep &= within_caps(found, scores, keep, limits.per_page, limits.per_target)
    rank = keep.cumsum(axis=1)
    source = np.broadcast_to(rows[:, None], found.shape)[keep]
    target = found[keep].astype(np.int64)
    similarity = np.einsum("ij,ij->i", vectors[source], vectors[target]).clip(-1, 1)
    score_kept = scores[keep]
    if joined:
        score_kept = score_kept + BEHIND_ALL_OTHERS * (score_kept < -BEHIND_ALL_OTHERS / 2)
    merged, together = (np.unique(np.concatenate(pairs), axis=0) for pairs in (alike, kin))
    return Found(source, target, similarity, score_kept, rank[keep], nearest, merged, together)


def _similarities(vectors: np.ndarray, block: np.ndarray, pages: np.ndarray | None, targets: np.ndarray) -> np.ndarray:
    """Return the cosines of the block's pages with all pages, or with those given for each.

    -inf for the page itself, and for what may not be a target.
    """
    if pages is None:
        similarity = vectors[block] @ vectors.T
        similarity[np.arange(len(block)), block] = -np.inf
        similarity[:, ~targets] = -np.inf
        return similarity
    similarity = products(vectors, vectors, block, pages)
    similarity[(pages == block[:, None]) | ~targets[pages] | (pages < 0)] = -np.inf
    return similarity


def _of_one_group(groups: np.ndarray, block: np.ndarray, pages: np.ndarray | None) -> np.ndarray:
    other = np.arange(len(groups))[None, :] if pages is None else pages
    own = groups[block][:, None]
    return (own >= 0) & (own == _of_others(groups, pages)) & (other != block[:, None]) & (other >= 0)


def _of_others(groups: np.ndarray, pages: np.ndarray | None) -> np.ndarray:
    return groups[None, :] if pages is None else groups[pages]


def _linked(linked: sp.csr_matrix, block: np.ndarray, pages: np.ndarray | None) -> Any:
    if pages is None:
        return linked[block].nonzero()
    return np.asarray(linked[np.repeat(block, pages.shape[1]), pages.ravel()]).reshape(pages.shape).astype(bool)


def products(left: Matrix, right: Matrix, block: np.ndarray, pages: np.ndarray) -> np.ndarray:
    """Return left[block] times those rows of `right` that are given for each, float32 (len(block), pages of each)."""
    if isinstance(left, np.ndarray):
        return np.matmul(right[pages], left[block][:, :, None])[:, :, 0]
    repeated = left[np.repeat(block, pages.shape[1])]
    return np.asarray(repeated.multiply(right[pages.ravel()]).sum(axis=1), dtype=np.float32).reshape(pages.shape)


def _pairs(block: np.ndarray, chosen: np.ndarray, most: int, pages: np.ndarray | None) -> np.ndarray:
    some = np.flatnonzero(chosen.any(axis=1))
    few = chosen[some]
    place, target = np.nonzero(few & (np.cumsum(few, axis=1, dtype=np.int32) <= most))
    if pages is not None:
        target = pages[some[place], target]
    return np.sort(np.column_stack([block[some[place]], target]), axis=1)


def within_caps(found: np.ndarray, scores: np.ndarray, keep: np.ndarray, per_page: int, per_target: int) -> np.ndarray:
    """Choose pairs from the best score down, as long as neither source nor target has as many as allowed."""
    chosen = np.zeros_like(keep)
    room_of_source = np.full(len(found), per_page)
    room_of_target: dict[int, int] = {}
    row, column = np.nonzero(keep)
    for at in np.argsort(-scores[row, column], kind="stable"):
        source, target = row[at], int(found[row[at], column[at]])
        room = room_of_target.setdefault(target, per_target)
        if room and room_of_source[source]:
            chosen[source, column[at]] = True
            room_of_target[target] = room - 1
            room_of_source[source] -= 1
    return chosen


@dataclass(frozen=True, eq=False)
class _Standardised:
    """A signal in standard deviations from its mean over random pairs, times its weight."""

    left: Matrix
    right: Matrix
    columns: Matrix  # `right`, turned round for products with all pages
    scale: float | np.ndarray
    mean: float

    def rows(self, block: np.ndarray, pages: np.ndarray | None) -> np.ndarray:
        """Return the float32 scores of these sources with all pages, or with those given for each."""
        if pages is None:
            dense = _dense(self.left[block] @ self.columns)
        else:
            dense = products(self.left, self.right, block, pages)
        scale = self.scale[block, None] if isinstance(self.scale, np.ndarray) else np.float32(self.scale)
        return (dense - np.float32(self.mean)) * scale


def _standardised(signal: Signal, together: np.ndarray | None) -> _Standardised:
    columns = signal.right.T if isinstance(signal.right, np.ndarray) else signal.right.T.tocsr()
    if signal.is_plain:
        return _Standardised(signal.left, signal.right, columns, signal.weight, 0.0)
    values = _sampled(signal.left, signal.right, together)
    spread = float(values.std())
    scale = signal.weight / spread if spread > 1e-9 else signal.weight * 0.0
    return _Standardised(signal.left, signal.right, columns, scale, float(values.mean()))


def _sampled(left: Matrix, right: Matrix, together: np.ndarray | None) -> np.ndarray:
    """Return the signal between random pages that are compared, no page with itself; the same pages at every run."""
    pages = left.shape[0]
    random = np.random.default_rng(0)
    rows = random.permutation(pages)[:SAMPLED_SOURCES]
    columns = random.permutation(pages)[:SAMPLED_TARGETS]
    product = left[rows] @ right[columns].T
    values = _dense(product).astype(np.float64)
    different = rows[:, None] != columns
    if together is not None:
        different &= together[rows][:, None] == together[columns]
    return values[different] if different.any() else np.zeros(1)


def _dense(matrix: Matrix) -> np.ndarray:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def pair_facts(
    found: Found, words: Signal, meaning: Signal, folders: Matrix, years: np.ndarray
) -> dict[str, np.ndarray]:
    """Return what is known of each pair, each float32 (pairs,), times its worth.

    `folders` (pages, folders) has 1 for each outer folder that a page's address is in; `years` as of `page_years`.
    """
    facts = {}
    for name, signal in (("words", words), ("meaning", meaning)):
        values = _pair_values(signal.left, signal.right, found.source, found.target)
        facts[f"{name} of source"] = RANK_WORTH * _rank(found.source, values)
        facts[f"{name} of target"] = RANK_WORTH * _rank(found.target, values)
    facts["folders"] = FOLDER_WORTH * _pair_values(folders, folders, found.source, found.target)
    facts["age"] = OLD_WORTH * (years[found.source] - years[found.target] >= YEARS_OLDER).astype(np.float32)
    facts["strength"] = STRENGTH_WORTH * np.log1p(found.score.clip(0))
    return facts


def pair_scores(facts: Mapping[str, np.ndarray], has_anchor: np.ndarray) -> np.ndarray:
    """Return the score of each pair, 0 to 100, float64 (pairs,). `has_anchor` bool (pairs,): the source has words."""
    odds = CONSTANT + ANCHOR_WORTH * has_anchor + sum(facts.values(), start=np.zeros(len(has_anchor)))
    return np.asarray(100 / (1 + np.exp(-odds)), dtype=np.float64)


def _rank(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    order = np.lexsort((-values, groups))
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = -np.log1p(places_in_groups(groups[order]))
    return ranks


def places_in_groups(groups: np.ndarray) -> np.ndarray:
    """Return for sorted groups the place of each row inside its own, from 0.

    >>> places_in_groups(np.array([4, 4, 7])).tolist()
    [0, 1, 0]
    """
    if not len(groups):
        return np.empty(0, np.int64)
    begins = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    return np.arange(len(groups)) - np.repeat(begins, np.diff(np.r_[begins, len(groups)]))


def _pair_values(left: Matrix, right: Matrix, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    blocks = range(0, len(source), BLOCK_PAIRS)
    parts = [products(left, right, source[at : at + BLOCK_PAIRS], target[at : at + BLOCK_PAIRS, None]) for at in blocks]
    return np.concatenate(parts).ravel() if parts else np.empty(0, np.float32)
