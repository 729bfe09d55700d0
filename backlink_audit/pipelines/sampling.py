"""Which of many rows are used as a sample of all of them."""

import numpy as np


def spread_evenly(rows: int, most: int) -> np.ndarray:
    """Return the places of at most so many of the rows, evenly spread from the first to the last.

    >>> spread_evenly(9, 3).tolist(), spread_evenly(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.linspace(0, rows - 1, min(most, rows)).round().astype(int)
