"""What an export does not have: for each part that cannot be computed, the sentence that names the column."""

from collections.abc import Mapping, Sequence

import pandas as pd

from backlink_audit.exports.recognise import Export
from backlink_audit.schema import BACKLINKS


def missing_parts(export: Export, links: pd.DataFrame, needs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return a sentence for each part none of whose columns has a value in any of the links.

    `needs` maps parts to the columns they can be computed from, any one of them.
    """
    return {
        part: _sentence(export, columns)
        for part, columns in needs.items()
        if not any(has_values(links[column]) for column in columns)
    }


def has_values(values: pd.Series) -> bool:
    """Return whether any value is there: neither missing nor "".

    >>> has_values(pd.Series(["", ""])), has_values(pd.Series([None, 0.0]))
    (False, True)
    """
    return bool((values.notna() & (values != "")).any())


def _sentence(export: Export, columns: Sequence[str]) -> str:
    there = [column for column in columns if export.has(column)]
    if there:
        return f"The column “{BACKLINKS.column(there[0]).label}” of this export is empty."
    words = " or ".join(f"“{BACKLINKS.column(column).label}”" for column in columns)
    return f"This export has no column {words}."
