"""The full similarity matrix as a labelled csv."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from backlink_audit.report.csv import write_csv

MOST_PAGES = 5_000
"""Beyond, the file would pass 150 MB, and no spreadsheet opens so many columns."""

NEAREST = 50
"""Targets of each page in the file of a site with more than MOST_PAGES."""

_ROWS_AT_A_TIME = 512
_TEXTS = np.array([f"{value / 1000:.3f}" for value in range(-1000, 1001)], dtype=object)


def similarity_matrix(
    urls: pd.Series,
    vectors: np.ndarray,
    sources: np.ndarray,
    targets: np.ndarray,
    nearest: Callable[[int], pd.DataFrame],
) -> bytes:
    """Return the labelled matrix of pages as csv; of a site too large for it, what `nearest` gives for NEAREST targets.

    `urls` and unit `vectors` of all pages; `sources`, `targets`: the rows of both that the matrix has.
    """
    if len(urls) > MOST_PAGES:
        return write_csv(nearest(NEAREST))
    names = urls.to_numpy(dtype=object)
    return write_matrix(names[sources].tolist(), names[targets].tolist(), vectors[sources], vectors[targets])


def write_matrix(rows: Sequence[str], columns: Sequence[str], left: np.ndarray, right: np.ndarray) -> bytes:
    """Return the cosines of unit rows `left` with unit rows `right` as UTF-8 csv, three decimals.

    The first line has the names of the columns, the first cell of each line the name of its row.
    """
    parts = [",".join(["URL", *map(_quoted, columns)])]
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        cosines = left[start : start + _ROWS_AT_A_TIME] @ right.T
        cells = _TEXTS[np.rint(cosines.clip(-1, 1) * 1000).astype(np.int64) + 1000]
        names = map(_quoted, rows[start : start + _ROWS_AT_A_TIME])
        parts.extend(",".join([name, *line]) for name, line in zip(names, cells, strict=True))
    return ("\n".join(parts) + "\n").encode("utf-8", errors="replace")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
