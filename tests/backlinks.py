"""Small cleaned backlink tables, made from only the columns that a test is about."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from backlink_audit.exports.clean import link_states, placements
from backlink_audit.schema import BACKLINKS, Table
from backlink_audit.text.urls import normalise_urls, registrable_domains

TYPES = {"number": "float64", "flag": "boolean", "date": "datetime64[ns]"}


def mapped_table(table: Table, **columns: Sequence[Any] | pd.Series) -> pd.DataFrame:
    """A table with every column of its kind; those not given are all missing."""
    rows = len(next(iter(columns.values())))
    frame = {}
    for column in table.columns:
        missing = None if column.kind in TYPES else ""
        frame[column.name] = pd.Series(columns.get(column.name, [missing] * rows), dtype=TYPES.get(column.kind, "str"))
    return pd.DataFrame(frame)


def clean_links(**columns: Sequence[Any] | pd.Series) -> pd.DataFrame:
    """A backlink table as cleaning leaves it; without URLs, links of one page each on many sites to one home page."""
    rows = len(next(iter(columns.values())))
    columns.setdefault("referring_url", [f"https://site{row}.example/page" for row in range(rows)])
    columns.setdefault("target_url", ["https://www.our-site.example/"] * rows)
    extra = {name: columns.pop(name) for name in list(columns) if name not in BACKLINKS.names}
    table = mapped_table(BACKLINKS, **columns)
    not_followed = table["nofollow"].fillna(False) | table["ugc"].fillna(False) | table["sponsored"].fillna(False)
    extra.setdefault("link_state", link_states(table))
    extra.setdefault("placement", placements(table))
    return table.assign(
        referring_key=normalise_urls(table["referring_url"]),
        target_key=normalise_urls(table["target_url"]),
        referring_domain=registrable_domains(table["referring_url"]),
        target_domain=registrable_domains(table["target_url"]),
        followed=~not_followed.astype(bool),
        is_lost=table["lost_date"].notna() | table["lost_link"].fillna(False).astype(bool),
        **extra,
    )
