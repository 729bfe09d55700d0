"""The tables of a result as a file: the suffix says which kind."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Protocol
from uuid import uuid4

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from backlink_audit.errors import AuditError
from backlink_audit.report.csv import append_csv, write_csv
from backlink_audit.report.workbook import Sheet, pieces, write_workbook
from backlink_audit.wording import what_helps

SUFFIXES = (".xlsx", ".csv", ".parquet")


class Tables(Protocol):
    """What a file is made of: the tables of a result (`pipelines.tables`), each made when it is asked for."""

    def main(self) -> Sheet:
        """Return the table of csv and parquet."""
        ...

    def sheets(self) -> Mapping[str, Sheet]:
        """Return the workbook's sheets by name, in order."""
        ...

    @property
    def scratch(self) -> Path | None:
        """Where there is room for what is written meanwhile; None: where the system has it."""
        ...


def check_target(path: Path, suffixes: tuple[str, ...] = SUFFIXES, inputs: Iterable[Path | None] = ()) -> None:
    """Raise AuditError, before any work is done, when a result could not be written to `path` or replaced an input."""
    if path.resolve() in {one.resolve() for one in inputs if one is not None}:
        raise AuditError(f"{path}: this is an input file; choose another name for the output.")
    if ending(path) not in suffixes:
        allowed = " or ".join(filter(None, [", ".join(suffixes[:-1]), suffixes[-1]]))
        raise AuditError(f"{path}: the name of the output file must end in {allowed}.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise AuditError(f"{path}: the folder {folder} does not exist; create it first.")
    why = _why_not(path, folder)
    if why:
        raise AuditError(f"{path}: the file cannot be saved there ({why}); choose another folder.")


def ending(path: Path) -> str:
    """Return what shows the kind of a file: its suffix, or the name itself where that has none.

    >>> ending(Path("a/map.CSV")), ending(Path(".htaccess")), ending(Path("site/_redirects"))
    ('.csv', '.htaccess', '_redirects')
    """
    return path.suffix.lower() or path.name


def _why_not(path: Path, folder: Path) -> str:
    """Return why a file cannot be written; "" if it can, as far as that can be found out before."""
    try:
        with TemporaryFile(dir=folder):  # asking for the right is not enough: a file system may refuse all the same
            if path.is_dir():
                return "it is a folder"
            return "you have no write access" if path.exists() and not os.access(path, os.W_OK) else ""
    except OSError as error:
        return (error.strerror or "access is denied").lower()


def save_bytes(data: bytes, path: Path) -> None:
    """Write a file whole or not at all. Raises AuditError."""
    with _drafted(path) as draft:
        draft.write_bytes(data)


def save(tables: Tables, path: Path) -> list[str]:
    """Write the tables to `path` and return sentences about what had to be cut. Raises AuditError.

    The file appears whole or not at all: it is written beside its place first.
    """
    check_target(path)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        sheets = tables.sheets()  # made before the draft: their problems are not those of `path`
        with _drafted(path) as draft:
            return write_workbook(sheets, draft, tables.scratch).notes
    main = tables.main()
    with _drafted(path) as draft:
        append = append_csv if suffix == ".csv" else append_parquet
        append(pieces(main), draft)
    return []


@contextmanager
def _drafted(path: Path) -> Iterator[Path]:
    """Give a place beside `path` to write to, and move what was written to `path` if all went well.

    Nobody can have put anything there: the name is new and of chance, and as short as any.
    """
    draft = path.with_name(f".{uuid4().hex}.part")
    try:
        draft.touch(exist_ok=False)
        yield draft
        draft.replace(path)
    except OSError as error:
        cure = what_helps(error, "choose another folder")
        raise AuditError(f"{path}: the file cannot be saved ({error.strerror or error}); {cure}.") from error
    finally:
        draft.unlink(missing_ok=True)


def append_parquet(tables: Iterable[pd.DataFrame], target: Path | BytesIO) -> None:
    """Write tables beneath each other. The first one with rows gives the types: one without may not know its own."""
    writer: pq.ParquetWriter | None = None
    empty: pd.DataFrame | None = None
    try:
        for table in tables:
            if table.empty:
                empty = table
                continue
            rows = pa.Table.from_pandas(table, schema=writer.schema if writer else None, preserve_index=False)
            writer = writer or pq.ParquetWriter(target, rows.schema)
            writer.write_table(rows)
    finally:
        if writer:
            writer.close()
    if writer is None and empty is not None:
        empty.to_parquet(target, index=False)


def to_xlsx(tables: Tables) -> bytes:
    """Return the workbook, for a download."""
    buffer = BytesIO()
    write_workbook(tables.sheets(), buffer, tables.scratch)
    return buffer.getvalue()


def to_csv(tables: Tables) -> bytes:
    """Return the main table as csv that Excel opens rightly, for a download."""
    return write_csv(pd.concat(pieces(tables.main())), for_spreadsheets=True)


def to_parquet(tables: Tables) -> bytes:
    """Return the main table as parquet, for a download."""
    buffer = BytesIO()
    append_parquet(pieces(tables.main()), buffer)
    return buffer.getvalue()
