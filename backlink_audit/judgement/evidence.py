"""Evidence in words: a text where something is found, nothing elsewhere."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

Words = str | Callable[[np.ndarray], pd.Series]


def words_where(found: pd.Series, words: Words) -> pd.Series:
    """Return a text Series: the words where `found`, "" elsewhere; the index of `found`.

    `found` is a bool Series. `words` is a sentence, or a function that is given the mask (a bool array) and returns
    one sentence per found row, in order; it is called only if there is one.
    """
    rows = found.to_numpy(dtype=bool)
    evidence = np.full(len(found), "", dtype=object)
    if rows.any():
        evidence[rows] = words if isinstance(words, str) else words(rows).to_numpy(dtype=object)
    return pd.Series(evidence, index=found.index, dtype="str")


def joined(evidence: pd.DataFrame, separator: str = "; ") -> pd.Series:
    """Return each row's evidence of all columns as one text.

    >>> joined(pd.DataFrame({"a": ["x", "", "x"], "b": ["", "", "y"]})).tolist()
    ['x', '', 'x; y']
    """
    return joined_texts(
        [evidence[name] for name in evidence.columns] or [pd.Series("", evidence.index, dtype="str")], separator
    )


def joined_texts(parts: Sequence[pd.Series], separator: str) -> pd.Series:
    """Return what one or more text Series of one index say together in each row, blank ones left out."""
    text = parts[0]
    for part in parts[1:]:
        both = (text != "") & (part != "")
        text = text + both.map({True: separator, False: ""}).astype("str") + part
    return text


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
    return np.asarray(pc.count_substring_regex(as_arrow(texts), pattern).to_numpy(zero_copy_only=False))


def of_distinct(texts: pd.Series, measure: Callable[[pd.Series], np.ndarray | pd.Series]) -> np.ndarray:
    """Return what `measure` says of each text, (texts,); it is given every distinct text once.

    >>> of_distinct(pd.Series(["oak", "elm tree", "oak"]), lambda texts: counted(texts, "e")).tolist()
    [0, 3, 0]
    """
    codes, distinct = pd.factorize(texts)
    return np.asarray(measure(pd.Series(distinct, dtype="str")))[codes]
