"""Pages that are about something else than the site."""

import numpy as np
import pandas as pd

from backlink_audit.pipelines.interlinks.result import Opportunities

FAR = 2.5
"""Robust standard deviations below the median, from which a page is far from what its site is about."""
NORMAL = 1.4826
"""Of a normal distribution: a standard deviation in median deviations."""
LEAST_PAGES = 20
"""Pages of a language from which there is a subject to be far from."""


def off_topic_pages(result: Opportunities) -> pd.DataFrame:
    """Return the pages that are far from what the other pages of their language are about, the farthest first.

    Columns: url, title, language, site_similarity (cosine with the mean of these pages).
    """
    vectors, groups = result.vectors.vectors, result.compared
    similarity, is_far = np.full(len(vectors), np.nan), np.zeros(len(vectors), dtype=bool)
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        if len(rows) < LEAST_PAGES:
            continue
        centre = vectors[rows].mean(axis=0)
        similarity[rows] = vectors[rows] @ (centre / max(float(np.linalg.norm(centre)), 1e-9))
        median = np.median(similarity[rows])
        spread = NORMAL * np.median(np.abs(similarity[rows] - median))
        is_far[rows] = similarity[rows] < median - FAR * spread
    pages = result.pages[["url", "title", "language"]].assign(site_similarity=similarity)[is_far]
    return pages.sort_values("site_similarity", kind="stable", ignore_index=True)
