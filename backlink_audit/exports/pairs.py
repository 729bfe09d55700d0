"""Pairs of pages to link, as this app writes them: Source URL, Target URL, and whatever is beside them."""

import pandas as pd

from backlink_audit.errors import MissingColumns
from backlink_audit.exports.crawl_formats import PLAIN_INLINKS
from backlink_audit.exports.read import read_table
from backlink_audit.exports.values import clean_cells

PAIR = ("source_url", "target_url")
RANK = "Rank"
"""The header of a suggestion's place among those of its source page."""


def read_pairs(name: str, data: bytes) -> pd.DataFrame:
    """Return columns source_url, target_url and rank (of the pair on its source page; NaN where the file has none).

    Raises UnreadableFile, and MissingColumns where a URL column is not there.
    """
    raw = read_table(data, name)
    columns = PLAIN_INLINKS.columns(raw.columns)
    if not all(column in columns for column in PAIR):
        raise MissingColumns(name, "the file needs the columns “Source URL” and “Target URL”.")
    pairs = pd.DataFrame({column: clean_cells(raw[columns[column]]) for column in PAIR})
    return pairs.assign(rank=pd.to_numeric(raw[RANK], errors="coerce") if RANK in raw else float("nan"))
