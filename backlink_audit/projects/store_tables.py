"""The tables of the store as this version of the program knows them. A change here is a migration, too.

Moments are texts in UTC, as 2026-01-31T09:05:00+00:00: they read and sort alike in every database.
"""

import zlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from io import BytesIO
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import sqlalchemy as sa

METADATA = sa.MetaData()


def _id(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _of_project(*, primary_key: bool = False) -> "sa.Column[int]":
    return sa.Column(
        "project_id", sa.Integer, _id("projects"), nullable=False, primary_key=primary_key, index=not primary_key
    )


PROJECTS = sa.Table(
    "projects",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(320), nullable=False, doc='The user that it belongs to; "" on one\'s own machine.'),
    sa.Column("key", sa.String(80), nullable=False, doc="What it is called in an address: its name in plain letters."),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("site", sa.String(253), nullable=False, doc='The site\'s domain; "" before the first snapshot.'),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("archived_at", sa.String(40)),
    sa.UniqueConstraint("owner", "key", name="one_project_of_a_name"),
    sqlite_autoincrement=True,  # else the number of a deleted project is given to the next one
)

SNAPSHOTS = sa.Table(
    "snapshots",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("day", sa.Date, nullable=False),
    sa.Column("day_from", sa.String(40), nullable=False, doc="What the day was taken from."),
    sa.Column("fingerprint", sa.String(128), nullable=False, doc="Of the file and how it was mapped."),
    sa.Column("origin", sa.JSON, nullable=False, doc="File, format, rows, rows excluded, model, device."),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("columns", sa.JSON, nullable=False, doc="The compared columns that the file has."),
    sa.Column("figures", sa.JSON, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False, doc="Of its links."),
    sa.Column("made_at", sa.String(40), nullable=False),
    sa.UniqueConstraint("project_id", "fingerprint", name="one_snapshot_of_a_file"),
    sqlite_autoincrement=True,
)

SNAPSHOT_LINKS = sa.Table(
    "snapshot_links",
    METADATA,
    sa.Column("snapshot_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("part", sa.String(40), primary_key=True, doc="scored or aside, and the number of the part."),
    sa.Column("data", sa.LargeBinary, nullable=False, doc="A table as parquet."),
)

COMPARISONS = sa.Table(
    "comparisons",
    METADATA,
    sa.Column("older_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("newer_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("figures", sa.JSON, nullable=False),
)

DECISIONS = sa.Table(
    "decisions",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("scope", sa.String(20), nullable=False, doc="domain or URL."),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("item", sa.Text, nullable=False, doc="The domain or URL as it was written."),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("decided_at", sa.String(40), nullable=False),
    sa.Column("version", sa.Integer, nullable=False, doc="How often it was decided."),
    sa.UniqueConstraint("project_id", "scope", "key", name="one_decision_on_an_item"),
)

PROSPECTS = sa.Table(
    "prospects",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("domain", sa.String(253), nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("contact", sa.Text, nullable=False, doc='Whom to write to, as an e-mail address; "" where unknown.'),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("follow_up", sa.Date, doc="The follow-up date."),
    sa.Column("facts", sa.JSON, nullable=False, doc="What the gap knew of it, by column."),
    sa.Column("known_until", sa.Date, doc="The day of the newest snapshot when it was chosen."),
    sa.Column("chosen_at", sa.String(40), nullable=False),
    sa.Column("decided_at", sa.String(40), nullable=False, doc="When its state was set last."),
    sa.Column("version", sa.Integer, nullable=False, doc="How often it was changed."),
    sa.UniqueConstraint("project_id", "domain", name="one_prospect_of_a_domain"),
)

FILES = sa.Table(
    "files",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("role", sa.String(40), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("mapping", sa.JSON, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False, doc="The bytes as they were uploaded, compressed."),
    sa.UniqueConstraint("project_id", "role", "place", name="one_file_in_a_place"),
)

PAGE_STATES = sa.Table(
    "page_states",
    METADATA,
    _of_project(primary_key=True),
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)


T = TypeVar("T")

ROWS_OF_PART = 250_000
"""Rows that are packed together: far below what fits into one cell of a database, whatever the links are like."""


def pack_table(table: pd.DataFrame) -> Iterator[bytes]:
    """Yield the table as parquet in parts, in order: values, types and index come back as they were."""
    for start in range(0, max(1, len(table)), ROWS_OF_PART):
        buffer = BytesIO()
        table.iloc[start : start + ROWS_OF_PART].to_parquet(buffer, compression="zstd", index=True)
        yield buffer.getvalue()


def unpack_table(parts: list[bytes], columns: list[str] | None = None) -> pd.DataFrame:
    """Return a packed table, or only some of its columns."""
    tables = [pd.read_parquet(BytesIO(part), columns=columns) for part in parts]
    return tables[0] if len(tables) == 1 else pd.concat(tables)


def pack_bytes(data: bytes) -> bytes:
    return zlib.compress(data, 3)


def unpack_bytes(data: bytes) -> bytes:
    return zlib.decompress(data)


def from_data(default: T, data: dict[str, Any]) -> T:
    """Return settings of `asdict`'s data; what it lacks keeps the default, what is not known any more is left out.

    >>> from dataclasses import asdict
    >>> from backlink_audit.settings import VerdictLimits
    >>> limits = VerdictLimits(strong_from=(("DR", 60.0),))
    >>> from_data(VerdictLimits(), asdict(limits) | {"forgotten": 1}) == limits
    True
    """
    assert is_dataclass(default) and not isinstance(default, type)
    found: dict[str, Any] = {}
    for field in fields(default):
        if field.name in data:
            former, value = getattr(default, field.name), data[field.name]
            found[field.name] = from_data(former, value) if is_dataclass(former) else _frozen(value)
    return type(default)(**found)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list | tuple) else value


def plain(value: Any) -> Any:
    """Return a figure as JSON has it: NumPy's numbers as Python's, NaN as None.

    >>> plain(np.float64(0.5)), plain(float("nan")), plain(np.int64(3))
    (0.5, None, 3)
    """
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value
