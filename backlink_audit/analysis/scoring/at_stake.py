"""How much is at stake with a link: by its site's authority, its relevance, whether it is followed, and its visits."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.scales import site_authority

UNKNOWN_AUTHORITY = 10
"""Stands for the authority of a site of which none is known: a small one."""
NOT_FOLLOWED = 0.5
"""What a link that search engines do not follow is worth beside one that they do: its visitors, and its name."""
MANY_VISITS = 10_000
"""Monthly visits to the referring page that double what is at stake; fewer add less, by their logarithm."""


def at_stake(links: pd.DataFrame) -> pd.Series:
    """Return what is at stake with each link, 0-2: the shares of authority and relevance multiplied, and their boosts.

    `links` has scale, url_rating, domain_rating, relevance (0-100, NaN counts 0), followed and page_traffic.
    """
    authority = site_authority(links).fillna(UNKNOWN_AUTHORITY) / 100
    followed = np.where(links["followed"].astype(bool), 1, NOT_FOLLOWED)
    visits = np.log1p(links["page_traffic"].fillna(0).clip(lower=0, upper=MANY_VISITS)) / np.log1p(MANY_VISITS)
    return authority * links["relevance"].fillna(0) / 100 * followed * (1 + visits)
