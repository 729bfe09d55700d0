r"""Patterns looked for in whole columns of texts, in one pass outside of Python.

They are RE2's: their time grows with the length of the texts alone.
RE2 knows no lookbehind and takes `\w` and `\d` for ASCII alone: letters and digits of any script are `\p{L}\p{N}`.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def as_arrow(texts: pd.Series) -> pa.Array:
    """Return a text Series as one Arrow array, missing values as ""."""
    array = pa.array(texts, type=pa.large_string(), from_pandas=True)
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return pc.fill_null(array, "") if array.null_count else array


def matched(texts: pd.Series, pattern: str) -> pd.Series:
    """Return which texts a pattern matches anywhere, bool."""
    found = pc.match_substring_regex(as_arrow(texts), pattern)
    return pd.Series(found.to_numpy(zero_copy_only=False), index=texts.index)


def replaced(texts: pd.Series, pattern: str, by: str) -> pd.Series:
    """Return the texts with all that a pattern matches replaced.

    >>> replaced(pd.Series(["oak 17", "elm"]), "[0-9]+", "#").tolist()
    ['oak #', 'elm']
    """
    return pd.Series(pc.replace_substring_regex(as_arrow(texts), pattern, by), index=texts.index, dtype="str")


def counted(texts: pd.Series, pattern: str) -> np.ndarray:
    """Return how often a pattern matches in each text, int (texts,)."""
    return np.asarray(pc.count_substring_regex(as_arrow(texts), pattern).to_numpy(zero_copy_only=False))


def of_distinct(texts: pd.Series, measure: Callable[[pd.Series], np.ndarray | pd.Series]) -> np.ndarray:
    """Return what `measure` says of each text, (texts,); it is given every distinct text once.

    >>> of_distinct(pd.Series(["oak", "elm tree", "oak"]), lambda texts: counted(texts, "e")).tolist()
    [0, 3, 0]
    """
    codes, distinct = pd.factorize(texts)
    return np.asarray(measure(pd.Series(distinct, dtype="str")))[codes]
