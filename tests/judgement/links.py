"""Small cleaned backlinks tables, one mapping per link."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from backlink_audit.schema import BACKLINKS
from tests.backlinks import clean_links


def links_table(*rows: Mapping[str, Any]) -> pd.DataFrame:
    """A cleaned table of these links. `page` and `target` are short for the two URLs; what is left out is missing."""
    full = [
        {"referring_url": row.get("page", ""), "target_url": row.get("target", "https://shop.example/"), **row}
        for row in rows
    ]
    columns = {
        column.name: [row.get(column.name, "" if column.kind in ("text", "url") else None) for row in full]
        for column in BACKLINKS.columns
    }
    return clean_links(**columns)
