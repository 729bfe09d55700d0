"""Tables and settings as they are kept in the store: compressed columns, and plain data."""

import zlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from io import BytesIO
from typing import Any, TypeVar

import numpy as np
import pandas as pd

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
    """Return bytes compressed."""
    return zlib.compress(data, 3)


def unpack_bytes(data: bytes) -> bytes:
    """Return bytes as they were."""
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
