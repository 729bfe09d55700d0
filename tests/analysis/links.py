"""Small cleaned backlinks tables, as `clean_backlinks` makes them, for tests of what stands on them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from backlink_audit.schema import BACKLINKS
from backlink_audit.text.urls import normalise_urls, registrable_domains

DTYPES = {"text": "str", "url": "str", "number": "float64", "flag": "boolean", "date": "datetime64[us]"}
BLANK = {"text": "", "url": ""}


def links_table(*rows: Mapping[str, Any]) -> pd.DataFrame:
    """Return a cleaned table of these links; a column that a row leaves out is missing in it.

    `page` and `target` are short for the two URLs.
    """
    full = [
        {"referring_url": row.get("page", ""), "target_url": row.get("target", "https://shop.example/")} | dict(row)
        for row in rows
    ]
    table = pd.DataFrame(
        {
            column.name: pd.Series(
                [row.get(column.name, BLANK.get(column.kind)) for row in full], dtype=DTYPES[column.kind]
            )
            for column in BACKLINKS.columns
        }
    )
    nofollow = table[["nofollow", "ugc", "sponsored"]].fillna(False).any(axis=1).astype(bool)
    return table.assign(
        referring_key=normalise_urls(table["referring_url"]),
        target_key=normalise_urls(table["target_url"]),
        referring_domain=registrable_domains(table["referring_url"]),
        target_domain=registrable_domains(table["target_url"]),
        followed=~nofollow,
        is_lost=table["lost_date"].notna() | table["lost_link"].fillna(False).astype(bool),
    )
