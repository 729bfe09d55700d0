"""The headers a reader sees above our columns, on every sheet."""

from collections.abc import Mapping

import pandas as pd

from backlink_audit.glossary import TERMS
from backlink_audit.schema import BACKLINKS

_WORDS = {column.name: column.label for column in BACKLINKS.columns} | {
    name: term.label for name, term in TERMS.items()
}


def headed(table: pd.DataFrame, words: Mapping[str, str] = {}) -> pd.DataFrame:  # noqa: B006 (never changed)
    """Return the table under the headers a reader sees; `words` go before the glossary and the schema."""
    return table.rename(columns=_WORDS | dict(words))
