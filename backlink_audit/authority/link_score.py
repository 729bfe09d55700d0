"""The link score: how much of a site's authority reaches each page by its links.

PageRank (Brin and Page, 1998) by power iteration: a reader follows the links of a page in proportion to their weights,
and starts again with one step in seven, and at a page without links. docs/pages/authority.md, decisions/link-score.md.
"""

from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.labels import BROKEN_PAGE, DEAD_END, DESERVES_MORE, ORPHAN, PASSES_ON, UNDERLINKED
from backlink_audit.site.links import is_broken
from backlink_audit.wording import by_number, count, percent

DAMPING = 0.85  # the share of steps that follow a link; Brin and Page's own
CLOSE = 1e-14
"""When all changes of a step add up to less, the shares are final. Each step shrinks the sum by the damping."""
MOST_STEPS = 1_000  # never reached: after 200 steps what is left of the start is 0.85 to the power of 200, under 1e-14


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


STRONG = 0.75
"""A page is strong, from outside or in all, if it has more than three quarters of the pages that have anything."""
WEAK_INSIDE = 0.5  # A page is weak inside if the links of the site alone put it into the lower half of the pages


def authority_verdicts(pages: pd.DataFrame) -> pd.DataFrame:
    """Return verdict and why for each page, with the index of `pages`.

    `pages`: status (HTTP, NaN: unknown), circle (bool: its redirects run in a circle), links_in, links_out (pages, by
    followed links), pagerank, inside (the share by the site's links alone), from_outside (its share of what comes from
    outside, NaN: unknown) and wanted (bool: to be strengthened). The first verdict that fits wins.
    """
    inside, share = _rank(pages["inside"]), _rank(pages["pagerank"])
    outside = _rank(pages["from_outside"].where(pages["from_outside"] > 0))
    fits = {
        BROKEN_PAGE.word: pages["circle"] | is_broken(pages["status"]),
        UNDERLINKED.word: (outside > STRONG) & (inside <= WEAK_INSIDE),
        DESERVES_MORE.word: pages["wanted"] & (share <= STRONG),
        ORPHAN.word: pages["links_in"] == 0,
        DEAD_END.word: (share > STRONG) & (pages["links_out"] == 0),
    }
    verdict = pd.Series(np.select(list(fits.values()), list(fits), PASSES_ON.word), pages.index, dtype="str")
    rows = pages.assign(verdict=verdict, inside_rank=inside, share_rank=share).itertuples()
    return pd.DataFrame({"verdict": verdict, "why": pd.Series([_why(row) for row in rows], pages.index, dtype="str")})


def _rank(values: pd.Series) -> pd.Series:
    return values.rank(pct=True)


def _why(page: Any) -> str:
    links_in = f"{count(page.links_in, 'page')} {by_number(page.links_in, 'links', 'link')} to it"
    if page.verdict == BROKEN_PAGE.word:
        what = "It is in a redirect loop" if page.circle else f"It returns {page.status:.0f}"
        return f"{what}, and {links_in}."
    if page.verdict == UNDERLINKED.word:
        return (
            f"It gets {percent(page.from_outside)} of the authority from backlinks, but "
            f"{percent(1 - page.inside_rank)} of the pages get more through internal links; {links_in}."
        )
    if page.verdict == DESERVES_MORE.word:
        return f"It is on your list; {percent(1 - page.share_rank)} of the pages have more authority, {links_in}."
    if page.verdict == ORPHAN.word:
        return "No other page has a followed link to it."
    if page.verdict == DEAD_END.word:
        return (
            f"It has more authority than {percent(page.share_rank)} of the pages, but no followed link to another page."
        )
    return f"{links_in}, and it links to {count(page.links_out, 'page')}."
