"""Evidence in words: a text where something is found, nothing elsewhere."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

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
