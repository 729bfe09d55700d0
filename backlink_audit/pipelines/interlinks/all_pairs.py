"""Every pair of pages that is similar enough, row by row, without ever holding them all."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.progress import Progress, silent

BLOCK_SCORES = 8 * 1024**2
"""Similarities held at once: 32 MiB."""
DECIMALS = 6


def all_pairs(result: Opportunities, threshold: float, on_progress: Progress = silent) -> Iterator[pd.DataFrame]:
    """Yield tables of the pairs at or above the threshold, by source: Source URL, Target URL, Similarity Score.

    The threshold is a cosine. Each pair stands in both directions, as far as the path filters let its pages be source
    and target; no page with itself. At least one table is yielded, empty where there is no pair.
    """
    sources, targets = result.matrix_pages()
    vectors, urls = result.vectors.vectors, result.pages["url"].to_numpy(dtype=object)
    size = max(1, BLOCK_SCORES // max(1, len(targets)))
    for start in range(0, max(1, len(sources)), size):
        on_progress("Writing pairs", start, len(sources))
        block = sources[start : start + size]
        cosines = (vectors[block] @ vectors[targets].T).clip(-1, 1)
        row, column = np.nonzero((cosines >= threshold) & (block[:, None] != targets))
        yield pd.DataFrame(
            {
                "Source URL": urls[block[row]],
                "Target URL": urls[targets[column]],
                "Similarity Score": cosines[row, column].astype("float64").round(DECIMALS),
            }
        )
