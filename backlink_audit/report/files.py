"""A result as a file: the suffix says which kind."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Protocol

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from backlink_audit.errors import AuditError
from backlink_audit.progress import Progress, silent
from backlink_audit.report.csv import append_csv, write_csv
from backlink_audit.report.workbook import Sheet, write_workbook
from backlink_audit.wording import what_helps

SUFFIXES = (".xlsx", ".csv", ".parquet")


class Result(Protocol):
    """What a file can be made of: every pipeline's result."""

    def main_table(self) -> pd.DataFrame:
        """Return the table that csv and parquet hold."""
        ...

    def sheets(self) -> Mapping[str, Sheet]:
        """Return the workbook's sheets by name, in order."""
        ...


class PartedResult(Protocol):
    """What a file can be made of when the result is larger than the memory; `folder` is its place on disk."""

    @property
    def folder(self) -> Path:
        """Where there is room for what is written meanwhile."""
        ...

    def main_tables(self, on_progress: Progress = silent) -> Iterator[pd.DataFrame]:
        """Yield the tables that, beneath each other, are the one that csv and parquet hold."""
        ...

    def sheets(self, on_progress: Progress = silent) -> Mapping[str, Sheet]:
        """Return the workbook's sheets by name, in order."""
        ...


def check_target(path: Path, suffixes: tuple[str, ...] = SUFFIXES, inputs: Iterable[Path | None] = ()) -> None:
    """Raise AuditError, before any work is done, when a result could not be written to `path` or replaced an input."""
    if path.resolve() in {one.resolve() for one in inputs if one is not None}:
        raise AuditError(f"{path}: this is one of the files to read; give the output another name.")
    if path.suffix.lower() not in suffixes:
        raise AuditError(f"{path}: the output's name must end in {', '.join(suffixes[:-1])} or {suffixes[-1]}.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise AuditError(f"{path}: there is no folder {folder}; make it first.")
    try:
        with TemporaryFile(dir=folder):  # asking for the right is not enough: a file system may refuse all the same
            refused = path.is_dir() or (path.exists() and not os.access(path, os.W_OK))
    except OSError:
        refused = True
    if refused:
        raise AuditError(f"{path}: cannot be written there; choose another place.")


def save(result: Result, path: Path) -> list[str]:
    """Write the result to `path` and return sentences about what had to be cut. Raises AuditError.

    The file appears whole or not at all: it is written beside its place first.
    """
    check_target(path)
    with _drafted(path) as draft:
        return _write(result, draft, path.suffix.lower())


def save_parts(result: PartedResult, path: Path, on_progress: Progress = silent) -> list[str]:
    """As `save`, holding one part of the main table at a time. The file is the one that `save` would write."""
    check_target(path)
    if path.suffix.lower() == ".xlsx":
        sheets = result.sheets(on_progress)  # its problems are those of the folder, not of `path`
        with _drafted(path) as draft:
            return write_workbook(sheets, draft, scratch=result.folder).notes
    with _drafted(path) as draft:
        append = append_csv if path.suffix.lower() == ".csv" else _append_parquet
        append(result.main_tables(on_progress), draft)
        return []


@contextmanager
def _drafted(path: Path) -> Iterator[Path]:
    """Give a place beside `path` to write to, and move what was written to `path` if all went well."""
    draft = path.with_name(f".{path.name}.part")
    try:
        yield draft
        draft.replace(path)
    except OSError as error:
        cure = what_helps(error, "choose another place")
        raise AuditError(f"{path}: cannot be written ({error.strerror or error}); {cure}.") from error
    finally:
        draft.unlink(missing_ok=True)


def _append_parquet(tables: Iterable[pd.DataFrame], path: Path) -> None:
    """Write tables beneath each other. The first one with rows tells the types: one without may not know its own."""
    writer: pq.ParquetWriter | None = None
    empty: pd.DataFrame | None = None
    try:
        for table in tables:
            if table.empty:
                empty = table
                continue
            rows = pa.Table.from_pandas(table, schema=writer.schema if writer else None, preserve_index=False)
            writer = writer or pq.ParquetWriter(path, rows.schema)
            writer.write_table(rows)
    finally:
        if writer:
            writer.close()
    if writer is None and empty is not None:
        empty.to_parquet(path, index=False)


def _write(result: Result, path: Path, suffix: str) -> list[str]:
    if suffix == ".xlsx":
        return write_workbook(result.sheets(), path).notes
    if suffix == ".csv":
        path.write_bytes(write_csv(result.main_table()))
    else:
        path.write_bytes(to_parquet(result.main_table()))
    return []


def to_xlsx(result: Result) -> bytes:
    """Return the result's workbook, for a download."""
    buffer = BytesIO()
    write_workbook(result.sheets(), buffer)
    return buffer.getvalue()


def to_csv(result: Result) -> bytes:
    """Return the result's main table as csv that Excel opens rightly, for a download."""
    return write_csv(result.main_table(), for_spreadsheets=True)


def to_parquet(table: pd.DataFrame) -> bytes:
    """Return the table as parquet."""
    buffer = BytesIO()
    table.to_parquet(buffer, index=False)
    return buffer.getvalue()
