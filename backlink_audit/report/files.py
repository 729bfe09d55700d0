"""The tables of a result as a file: the suffix says which kind."""

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeAlias
from uuid import uuid4

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from backlink_audit.errors import AuditError
from backlink_audit.report import rows
from backlink_audit.report.rows import pieces, with_digits
from backlink_audit.report.workbook import write_workbook
from backlink_audit.wording import what_helps

Tables: TypeAlias = rows.Tables[Any]
SUFFIXES = (".xlsx", ".csv", ".parquet")
UNSEEN = " \u00a0\u00ad\u200b-\u200f\u2060-\u2064\u3000\ufeff"
"""Blanks and characters without width, which some programs leave out before they read a cell."""
RUNS_IN_A_SPREADSHEET = f"^(?:[\t\r\n]|[{UNSEEN}]*[=+\\-@\uff1d\uff0b\uff0d\uff20])"
"""Cells that begin so are taken for a formula (OWASP, CSV injection); the last four are the wide forms of = + - @."""

RUNS_BEHIND_A_SEPARATOR = f'([;\t\n])([{UNSEEN}"]*[=+\\-@\uff1d\uff0b\uff0d\uff20])'
"""A spreadsheet that separates cells by semicolons or tabs begins a cell there, whatever quotes stand around it."""

PLAIN_NUMBER = r"[+-]?\d+(?:[.,]\d+)*"  # A signed number begins like a formula, but is none
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_PAGES = 5_000  # Beyond, the file would pass 150 MB, and no spreadsheet opens so many columns

NEAREST = 50  # Targets of each page in the file of a site with more than MOST_PAGES

_ROWS_AT_A_TIME = 512
_TEXTS = np.array([f"{value / 1000:.3f}" for value in range(-1000, 1001)], dtype=object)


def check_target(path: Path, suffixes: tuple[str, ...] = SUFFIXES, inputs: Iterable[Path | None] = ()) -> None:
    """Raise AuditError, before any work is done, when a result could not be written to `path` or replaced an input."""
    if path.resolve() in {one.resolve() for one in inputs if one is not None}:
        raise AuditError(f"{path}: this is an input file; choose another name for the output.")
    if ending(path) not in suffixes or path.name in SUFFIXES:
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
            return write_workbook(sheets, draft, tables.scratch, tables.names).notes
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
            schema = writer.schema if writer else None
            rows = pa.Table.from_pandas(with_digits(table), schema=schema, preserve_index=False)
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
    write_workbook(tables.sheets(), buffer, tables.scratch, tables.names)
    return buffer.getvalue()


def to_csv(tables: Tables) -> bytes:
    return write_csv(pd.concat(pieces(tables.main())), for_spreadsheets=True)


def to_parquet(tables: Tables) -> bytes:
    """Return the main table as parquet, for a download."""
    buffer = BytesIO()
    append_parquet(pieces(tables.main()), buffer)
    return buffer.getvalue()


def write_csv(table: pd.DataFrame, *, for_spreadsheets: bool = False) -> bytes:
    """Return the table as UTF-8 csv; text that a spreadsheet would run is prefixed with '.

    `for_spreadsheets` puts a byte order mark in front, without which Excel takes UTF-8 for the local code page.
    """
    text = harmless(with_digits(table)).to_csv(index=False, lineterminator="\n")
    return text.encode("utf-8-sig" if for_spreadsheets else "utf-8", errors="replace")


def append_csv(tables: Iterable[pd.DataFrame], path: Path) -> None:
    """Write tables of the same columns beneath each other into one file, as `write_csv` would write them in one."""
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        for place, table in enumerate(tables):
            harmless(with_digits(table)).to_csv(file, index=False, header=place == 0, lineterminator="\n")


def harmless(table: pd.DataFrame) -> pd.DataFrame:
    r"""Return the table with ' before what a spreadsheet would run in headers and cells, and line breaks as "\n".

    A csv writer puts quotes around "\n", but not around a "\r" alone, at which most readers begin a row.
    """
    safe = table.copy(deep=False)
    for position in range(len(table.columns)):
        values = table.iloc[:, position]
        if pd.api.types.is_string_dtype(values.dtype) or values.dtype == object:
            safe.isetitem(position, _harmless_cells(values).array)
    safe.columns = pd.Index(_harmless_cells(pd.Series(table.columns.astype(str))))
    return safe


def _harmless_cells(values: pd.Series) -> pd.Series:
    text = values.astype("str")
    if text.str.contains("\r", regex=False, na=False).any():
        values = text = text.str.replace("\r\n", "\n", regex=False).str.replace("\r", "\n", regex=False)
    if _matches(text, RUNS_BEHIND_A_SEPARATOR).any():
        values = text = text.str.replace(RUNS_BEHIND_A_SEPARATOR, r"\1'\2", regex=True)
    risky = _matches(text, RUNS_IN_A_SPREADSHEET)
    if risky.any():
        risky &= ~text.str.fullmatch(PLAIN_NUMBER, na=False)
    return text.mask(risky, "'" + text) if risky.any() else values


def _matches(text: pd.Series, pattern: str) -> pd.Series:
    cells = pa.array(text, type=pa.large_string(), from_pandas=True)
    return pd.Series(
        pc.fill_null(pc.match_substring_regex(cells, pattern), False).to_numpy(zero_copy_only=False), text.index
    )


def write_graphml(nodes: pd.DataFrame, edges: pd.DataFrame) -> bytes:
    """Return a directed graph as GraphML.

    `nodes` has url, each once, and what is known of each page; `edges` source and target (URLs) and what is known of
    each link. Missing numbers are left out; letters that XML forbids too.
    """
    graph: nx.DiGraph = nx.DiGraph()
    for node in nodes.to_dict("records"):
        graph.add_node(_plain(node.pop("url")), **_known(node))
    for edge in edges.to_dict("records"):
        graph.add_edge(_plain(edge.pop("source")), _plain(edge.pop("target")), **_known(edge))
    file = BytesIO()
    nx.write_graphml_xml(graph, file)
    return file.getvalue()


def _known(values: Mapping[Hashable, Any]) -> dict[str, object]:
    return {str(name): _plain(value) for name, value in values.items() if not pd.isna(value)}


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    return _NOT_IN_XML.sub("", value) if isinstance(value, str) else value


def similarity_matrix(
    urls: pd.Series,
    vectors: np.ndarray,
    sources: np.ndarray,
    targets: np.ndarray,
    nearest: Callable[[int], pd.DataFrame],
) -> bytes:
    """Return the labelled matrix of pages as csv; of a site too large for it, what `nearest` gives."""
    if len(urls) > MOST_PAGES:
        return write_csv(nearest(NEAREST))
    names = urls.to_numpy(dtype=object)
    return write_matrix(names[sources].tolist(), names[targets].tolist(), vectors[sources], vectors[targets])


def write_matrix(rows: Sequence[str], columns: Sequence[str], left: np.ndarray, right: np.ndarray) -> bytes:
    """Return the cosines of unit rows `left` with unit rows `right` as csv, with the names of rows and columns."""
    parts = [",".join(["URL", *map(_quoted, columns)])]
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        cosines = left[start : start + _ROWS_AT_A_TIME] @ right.T
        cells = _TEXTS[np.rint(cosines.clip(-1, 1) * 1000).astype(np.int64) + 1000]
        names = map(_quoted, rows[start : start + _ROWS_AT_A_TIME])
        parts.extend(",".join([name, *line]) for name, line in zip(names, cells, strict=True))
    return ("\n".join(parts) + "\n").encode("utf-8", errors="replace")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
