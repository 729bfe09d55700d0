"""Tables in a folder, one file for each part of a stage. A file is there whole or not at all."""

from pathlib import Path

import pandas as pd


def place(folder: Path, stage: str, number: int) -> Path:
    """Return the file that holds a part of a stage."""
    return folder / f"{stage}-{number:05}.parquet"


def has_part(folder: Path, stage: str, number: int) -> bool:
    """Whether a part of a stage has been written."""
    return place(folder, stage, number).exists()


def read_part(folder: Path, stage: str, number: int, columns: list[str] | None = None) -> pd.DataFrame:
    """Return a part of a stage, its index with it."""
    return pd.read_parquet(place(folder, stage, number), columns=columns)


def write_part(table: pd.DataFrame, folder: Path, stage: str, number: int) -> None:
    """Write a part of a stage."""
    target = place(folder, stage, number)
    draft = target.with_suffix(".part")
    table.to_parquet(draft)
    draft.replace(target)


def read_parts(folder: Path, stage: str, parts: int, columns: list[str] | None = None) -> list[pd.DataFrame]:
    """Return all parts of a stage, in order."""
    return [read_part(folder, stage, number, columns) for number in range(parts)]
