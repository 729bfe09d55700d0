"""Tables in a folder, one file for each part of a stage. A file is there whole or not at all."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pandas as pd


def place(folder: Path, stage: str, number: int) -> Path:
    """Return the file of a part of a stage."""
    return folder / f"{stage}-{number:05}.parquet"


def has_part(folder: Path, stage: str, number: int) -> bool:
    """Whether a part of a stage has been written."""
    return place(folder, stage, number).exists()


def read_part(folder: Path, stage: str, number: int, columns: list[str] | None = None) -> pd.DataFrame:
    """Return a part of a stage, or some columns of it, its index with it."""
    return pd.read_parquet(place(folder, stage, number), columns=columns)


def write_part(table: pd.DataFrame, folder: Path, stage: str, number: int) -> None:
    """Write a part of a stage."""
    with drafted(place(folder, stage, number)) as draft:
        table.to_parquet(draft)


def read_parts(folder: Path, stage: str, parts: int, columns: list[str] | None = None) -> list[pd.DataFrame]:
    """Return all parts of a stage, in order."""
    return [read_part(folder, stage, number, columns) for number in range(parts)]


def write_sorted(tables: Iterable[pd.DataFrame], places: pd.Series, folder: Path, stage: str, rows: int) -> int:
    """Write the rows of the tables in another order, as parts of a stage with so many rows; return how many parts.

    `places`: 0, 1, … for every row by its label, where it will be. One table and one part are in memory.
    """
    parts = max(1, -(-len(places) // rows))
    if has_part(folder, stage, parts - 1):
        return parts
    with TemporaryDirectory(dir=folder) as pieces:
        written: list[list[Path]] = [[] for _ in range(parts)]
        for number, table in enumerate(tables):
            for part, piece in table.groupby(places.loc[table.index] // rows):
                written[part].append(place(Path(pieces), f"{part}", number))
                piece.to_parquet(written[part][-1])
            empty = table.iloc[:0]
        for part, files in enumerate(written):
            together = pd.concat([pd.read_parquet(file) for file in files]) if files else empty
            write_part(together.loc[places.loc[together.index].sort_values().index], folder, stage, part)
    return parts


@contextmanager
def drafted(target: Path) -> Iterator[Path]:
    """Give a place to write to, and move what was written to `target` if all went well, once it is on the disk.

    Each writer has a place of its own: a task that is done again may not have ended everywhere.
    """
    draft = target.with_name(f"{target.name}.{uuid4().hex}.part")
    try:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
