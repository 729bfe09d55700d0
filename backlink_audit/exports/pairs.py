"""Pairs of pages to link, as this app writes them: Source URL, Target URL, and whatever is beside them."""

import pandas as pd

from backlink_audit.errors import MissingColumns
from backlink_audit.exports.crawl_formats import PLAIN_INLINKS
from backlink_audit.exports.read import read_table
from backlink_audit.exports.values import clean_cells

PAIR = ("source_url", "target_url")


def read_pairs(name: str, data: bytes) -> pd.DataFrame:
    """Return columns source_url and target_url. Raises UnreadableFile, and MissingColumns where one is not there."""
    raw = read_table(data, name)
    columns = PLAIN_INLINKS.columns(raw.columns)
    if not all(column in columns for column in PAIR):
        raise MissingColumns(name, "the file needs the columns “Source URL” and “Target URL”.")
    return pd.DataFrame({column: clean_cells(raw[columns[column]]) for column in PAIR})
