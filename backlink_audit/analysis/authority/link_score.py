"""The link score: how much of a site's authority reaches each page by its links.

PageRank (Brin and Page, 1998) by power iteration: a reader follows the links of a page in proportion to their weights,
and starts again with one step in seven, and at a page without links. docs/pages/authority.md, decisions/link-score.md.
"""

import numpy as np
import scipy.sparse as sp

DAMPING = 0.85
"""The share of steps that follow a link; Brin and Page's own."""
CLOSE = 1e-14
"""When all changes of a step add up to less, the shares are final. Each step shrinks the sum by the damping."""
MOST_STEPS = 1_000
"""Never reached: after 200 steps what is left of the start is 0.85 to the power of 200, under 1e-14."""


def link_shares(links: sp.csr_matrix, start: np.ndarray) -> np.ndarray:
    """Return the share of the site's authority that each page has, float64 (pages,), adding up to 1.

    `links` (pages, pages): the weight, 0 or more, of the link from the row's page to the column's. `start` (pages,):
    where readers begin, adding up to 1; a page without a link that weighs anything hands its share out in the same way.
    """
    out = np.asarray(links.sum(axis=1), dtype=np.float64).ravel()
    dead_end = out == 0
    scale = np.divide(1.0, out, out=np.zeros_like(out), where=~dead_end)
    step = (sp.diags_array(scale) @ links).T.tocsr()
    shares = start.astype(np.float64)
    for _ in range(MOST_STEPS):
        begins_anew = DAMPING * shares[dead_end].sum() + 1 - DAMPING
        former, shares = shares, DAMPING * (step @ shares) + begins_anew * start
        if np.abs(shares - former).sum() < CLOSE:
            break
    return shares / shares.sum()


def link_scores(shares: np.ndarray, links: sp.csr_matrix, start: np.ndarray) -> np.ndarray:
    """Return the shares on a scale of 0 to 100, float64 (pages,): 100 is the page with the most.

    By the logarithm, since a few pages have nearly all; 0 is what a page gets that no link leads to, and where nobody
    links to anybody all are 0.
    """
    dead_end = np.asarray(links.sum(axis=1)).ravel() == 0
    least = (DAMPING * shares[dead_end].sum() + 1 - DAMPING) * start.min()
    spread = np.log(shares.max() / least)
    if spread < CLOSE * len(shares) or np.isclose(spread, 0):
        return np.zeros(len(shares))
    return (100 * np.log(shares / least) / spread).clip(0, 100)
