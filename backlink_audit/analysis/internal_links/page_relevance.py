"""How relevant two pages of one site are to each other, judged against the other pages of the site.

Pages of one site are all somewhat alike, so a cosine alone says little; what says more is how many of the other pages
are less alike. docs/pages/inlinks.md.
"""

import numpy as np

SAMPLED_PAGES = 1_000
"""Pages that a pair is judged against, spread over the site; of a smaller site all."""
ROWS_AT_ONCE = 1_024


def page_relevance(vectors: np.ndarray, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the relevance of each pair of pages, 0 to 100, float64 (pairs,).

    `vectors` (pages, dimensions) have length 1; `source` and `target` (pairs,) are their rows. The mean of two shares:
    of the pages that are less like the target than the source is, and of those less like the source than the target.
    A pair of chance has 50.
    """
    if not len(source):
        return np.zeros(0)
    sample = np.unique(np.linspace(0, len(vectors) - 1, min(SAMPLED_PAGES, len(vectors))).astype(int))
    others = vectors[sample]
    cosines = np.einsum("ij,ij->i", vectors[source], vectors[target])
    shares = [_share_below(vectors, sample, others, end, cosines) for end in (source, target)]
    return 100 * np.mean(shares, axis=0)


def _share_below(
    vectors: np.ndarray, sample: np.ndarray, others: np.ndarray, page: np.ndarray, cosines: np.ndarray
) -> np.ndarray:
    """Return for each pair the share of the sampled pages, the page itself left out, less like the page."""
    found = np.empty(len(page))
    order = np.argsort(page, kind="stable")
    distinct, starts = np.unique(page[order], return_index=True)
    ends = np.append(starts[1:], len(page))
    for first in range(0, len(distinct), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        block = vectors[distinct[part]] @ others.T
        block[sample[None, :] == distinct[part, None]] = np.nan
        block.sort(axis=1)  # NaN last
        known = np.isfinite(block).sum(axis=1)
        for row, (start, end) in enumerate(zip(starts[part], ends[part], strict=True)):
            pairs = order[start:end]
            low = np.searchsorted(block[row, : known[row]], cosines[pairs] - 1e-6, "left")
            high = np.searchsorted(block[row, : known[row]], cosines[pairs] + 1e-6, "right")
            found[pairs] = (low + high) / 2 / max(1, known[row])
    return found
