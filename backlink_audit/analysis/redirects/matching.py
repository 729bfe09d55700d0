"""Which page of a new site takes the place of each page of the old one, and how sure that is.

The score of an old and a new page is the mean of the cosines that the old page has texts for: words of the URL, of
title and H1, and of the content. Every pair is judged, in blocks, so that memory stays bounded on any site.
How the limits were chosen: docs/decisions/redirects.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from backlink_audit.analysis.vectors.similarity import top_k_blocks
from backlink_audit.labels import CHOOSE, LIKELY, NO_GOOD_TARGET, SURE
from backlink_audit.progress import Progress, silent

BLOCK_SCORES = 8 * 1024**2
"""Scores of a block: 32 MiB for each matrix."""
SHOWN = 3
"""The best page and two alternatives."""
TAKEN = 0.1
"""How far a new page that the old site had at the same URL stands behind the others."""
SURE_FROM, SURE_AHEAD = 0.5, 0.1
"""Least score, and least lead over the second page, of a redirect that is sure."""
SAME_CONTENT, KEPT_CONTENT = 0.6, 0.8
"""Least cosine of the contents' words of such a redirect; and that of a page whose text is nearly the same."""
LIKELY_FROM, LIKELY_AHEAD = 0.4, 0.05
CHOOSE_FROM = 0.2
"""Below this score no page is a good target."""
SAME_FROM, ALIKE_FROM = 0.999, 0.5
"""Cosines from which a reason calls two texts the same, and alike."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """One way in which pages are alike: the cosine old @ new.T. Rows have length 1, or 0 where there is no text."""

    name: str
    old: sp.csr_matrix
    new: sp.csr_matrix

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Return the cosines of a block of old pages with all new ones, float32 (stop - start, new pages)."""
        found: np.ndarray = (self.old[start:stop] @ self.new.T).toarray()
        return found

    def pairs(self, old: np.ndarray, new: np.ndarray) -> np.ndarray:
        """Return the cosine of each pair of page numbers, float32 (pairs,)."""
        return np.asarray(self.old[old].multiply(self.new[new]).sum(axis=1), dtype=np.float32).ravel()

    @property
    def known(self) -> np.ndarray:
        """Which old pages have such a text, bool (old pages,)."""
        return np.diff(self.old.indptr) > 0


@dataclass(frozen=True, eq=False)
class Matches:
    """The best new pages of each old one.

    `pages` (old pages, k) are numbers of new pages, best first, with their `scores`, 0 to 1. `claimed_by` (new pages,)
    is the old page whose page each new one is: that of the same URL, else the one most like it; -1 for none.
    """

    pages: np.ndarray
    scores: np.ndarray
    claimed_by: np.ndarray

    @property
    def ahead(self) -> np.ndarray:
        """How far the best page's score is above the second's; the whole score where there is no second."""
        second = self.scores[:, 1] if self.scores.shape[1] > 1 else 0
        return self.scores[:, 0] - second

    @property
    def mutual(self) -> np.ndarray:
        """Whether no other old page is more like the best page, bool (old pages,)."""
        return np.asarray(self.claimed_by[self.pages[:, 0]] == np.arange(len(self.pages)))


def match_pages(
    likenesses: Sequence[Likeness], own: np.ndarray, handicap: np.ndarray, on_progress: Progress = silent
) -> Matches:
    """Return the best new pages of every old one; at least one new page is needed.

    `own` (new pages,): the old page of the same URL, -1 for none. Such a page is taken, and stands TAKEN behind the
    others. `handicap`, float32 (old pages,): by how much each stands behind when several are like one new page;
    infinite for those that need none.
    """
    old, new = likenesses[0].old.shape[0], likenesses[0].new.shape[0]
    texts_known = np.sum([one.known for one in likenesses], axis=0).clip(1).astype(np.float32)
    taken = (own >= 0).astype(np.float32) * TAKEN
    claimed_by, claim = own.copy(), np.where(own < 0, -np.inf, np.inf).astype(np.float32)

    def score(start: int, stop: int) -> np.ndarray:
        scores = np.zeros((stop - start, new), dtype=np.float32)
        for one in likenesses:
            scores += one.rows(start, stop)
        scores /= texts_known[start:stop, None]
        scores -= taken
        claiming = scores - handicap[start:stop, None]
        best = claiming.argmax(axis=0)
        value = claiming[best, np.arange(new)]
        higher = value > claim
        claim[higher], claimed_by[higher] = value[higher], best[higher] + start
        return scores

    block = max(1, BLOCK_SCORES // max(1, new))
    pages, scores = top_k_blocks(score, old, min(SHOWN, new), block=block, on_progress=on_progress)
    return Matches(pages, scores.clip(0, 1), claimed_by)


def confidence(matches: Matches, evident: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return how sure the best page of each old one is, in words (`labels.CONFIDENCES`).

    `evident`: whether there is more evidence than the score; `kept`: whether the last part of the URL and nearly all of
    the text are the same; bool (old pages,). Of the others none is more than a choice if another old page is more like
    the new one.
    """
    score, ahead, mutual = matches.scores[:, 0], matches.ahead, matches.mutual
    sure = mutual & evident & (score >= SURE_FROM) & (ahead >= SURE_AHEAD)
    likely = kept | (mutual & (score >= LIKELY_FROM) & (ahead >= LIKELY_AHEAD))
    words = np.select([sure, likely, score >= CHOOSE_FROM], [SURE.word, LIKELY.word, CHOOSE.word], NO_GOOD_TARGET.word)
    return words.astype(object)


def reasons(likenesses: Sequence[Likeness], old: np.ndarray, new: np.ndarray) -> list[str]:
    """Return in words what each pair of pages has alike."""
    values = np.stack([one.pairs(old, new) for one in likenesses], axis=1)
    return [_reason(likenesses, row) for row in values]


def _reason(likenesses: Sequence[Likeness], values: np.ndarray) -> str:
    same = [one.name for one, value in zip(likenesses, values, strict=True) if value >= SAME_FROM]
    alike = [
        f"{one.name} ({value:.2f})"
        for one, value in zip(likenesses, values, strict=True)
        if ALIKE_FROM <= value < SAME_FROM
    ]
    parts = [f"same {', '.join(same)}"] if same else []
    parts += [f"alike: {', '.join(alike)}"] if alike else []
    return "; ".join(parts) or "not very similar"
