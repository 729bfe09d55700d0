"""The full similarity matrix as a labelled csv."""

from collections.abc import Sequence

import numpy as np

MOST_PAGES = 5_000
"""Beyond, the file would pass 150 MB, and no spreadsheet opens so many columns."""

_ROWS_AT_A_TIME = 512
_TEXTS = np.array([f"{value / 1000:.3f}" for value in range(-1000, 1001)], dtype=object)


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
