"""What to do about the authority of each page: a verdict and its reason."""

from typing import Any

import numpy as np
import pandas as pd

from backlink_audit.analysis.internal_links.inlinks import is_broken
from backlink_audit.labels import BROKEN_PAGE, DEAD_END, DESERVES_MORE, ORPHAN, PASSES_ON, UNDERLINKED
from backlink_audit.wording import by_number, count, percent

STRONG = 0.75
"""A page is strong, from outside or in all, if it has more than three quarters of the pages that have anything."""
WEAK_INSIDE = 0.5
"""A page is weak inside if the links of the site alone put it into the lower half of the pages."""


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
    """Return the place of each value among those known, 0 to 1; equal ones share the middle of their places."""
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
