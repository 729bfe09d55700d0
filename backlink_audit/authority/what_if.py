"""What if these links were added: the shares before and after, and who loses."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.site.links import SiteLinks
from backlink_audit.wording import by_number, count, part_of

MOVED = 0.001
"""A page gains or loses if its share changes by more than a thousandth of it: less is the price of any new link."""


@dataclass(frozen=True, eq=False)
class Added:
    """Links to try out. `source`, `target`: rows of the pages, each pair once, with no link in content as yet.

    `pairs`: how many were given; `unknown`: those with a URL that is no page of the site; `existing`: those linked
    already; `repeated`: those given before, or from a page to itself; `beyond`: those after the best few of their
    source page.
    """

    source: np.ndarray
    target: np.ndarray
    pairs: int
    unknown: int
    existing: int
    repeated: int
    beyond: int = 0

    @property
    def sentence(self) -> str:
        """What is added and what is not."""
        left_out = {
            "with a URL that is not in the file of links": self.unknown,
            "already linked in the content": self.existing,
            "listed twice or from a page to itself": self.repeated,
            "after the best few of their page": self.beyond,
        }
        why = "; ".join(f"{number:,} {what}" for what, number in left_out.items() if number)
        added = len(self.source)
        if not added:
            return f"These links change nothing: of {count(self.pairs, 'link')}, {why}."
        sentence = f"{part_of(added, self.pairs, 'link')} {by_number(added, 'is', 'are')} added"
        return f"{sentence} (not used: {why})." if why else f"{sentence}."


@dataclass(frozen=True, eq=False)
class WhatIf:
    """What was added, and what it changes.

    `pages` has one row per page, most gained first: url, pagerank, share_after, share_change (0.1: a tenth
    more than before).
    """

    added: Added
    pages: pd.DataFrame

    @property
    def gains(self) -> pd.DataFrame:
        return self.pages[self.pages["share_change"] > MOVED]

    @property
    def losses(self) -> pd.DataFrame:
        return self.pages[self.pages["share_change"] < -MOVED].iloc[::-1]

    @property
    def sentence(self) -> str:
        """What comes of it."""
        if not len(self.added.source):
            return self.added.sentence
        gain, lose = len(self.gains), len(self.losses)
        return (
            f"{self.added.sentence} {count(gain, 'page')} {by_number(gain, 'gains', 'gain')} authority, "
            f"{lose:,} {by_number(lose, 'loses', 'lose')} authority."
        )


def read_added(pairs: pd.DataFrame, links: SiteLinks, per_page: int) -> Added:
    """Return which of the pairs (columns source_url, target_url) are new links between pages of the site.

    With a column rank, only the `per_page` best of each source page: nobody adds all that was suggested.
    """
    if "rank" in pairs and pairs["rank"].notna().any():
        best = pairs.sort_values("rank", kind="stable").groupby("source_url", sort=False).head(per_page)
        added = read_added(best[["source_url", "target_url"]], links, per_page)
        return replace(added, pairs=len(pairs), beyond=len(pairs) - len(best))
    source, target = links.find(pairs["source_url"]), links.find(pairs["target_url"])
    unknown = (source < 0) | (target < 0)
    place = source * len(links.pages) + target
    known = links.links[links.links["followed"] & links.links["in_content"]]
    existing = np.isin(place, known["source"].to_numpy() * len(links.pages) + known["target"].to_numpy()) & ~unknown
    repeated = (pd.Series(place).duplicated().to_numpy() | (source == target)) & ~unknown & ~existing
    new = ~(unknown | existing | repeated)
    return Added(source[new], target[new], len(pairs), int(unknown.sum()), int(existing.sum()), int(repeated.sum()))


def with_added(weights: sp.csr_matrix, added: Added) -> sp.csr_matrix:
    """Return the weights with the new links, which are in the content."""
    new = sp.csr_matrix((np.ones(len(added.source)), (added.source, added.target)), shape=weights.shape)
    return weights.maximum(new).tocsr()


def compare(pages: pd.DataFrame) -> pd.DataFrame:
    """Return the pages (columns url, pagerank, share_after) with share_change, most gained first."""
    change = pages["share_after"] / pages["pagerank"] - 1
    return pages.assign(share_change=change).sort_values(
        "share_change", ascending=False, kind="stable", ignore_index=True
    )
