"""Tables in a folder, one file for each part of a stage, and files on disk -> such parts of raw rows.

A file is there whole or not at all; what an earlier call has read is not read again.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pandas as pd

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.decode import utf8_file
from backlink_audit.exports.delimited import Choice, is_even, read_delimited_parts, refuse_long_cells
from backlink_audit.exports.read import is_text, read_table
from backlink_audit.exports.recognise import recognise_columns
from backlink_audit.exports.search_console import with_site
from backlink_audit.progress import Progress
from backlink_audit.schema import BACKLINKS


def place(folder: Path, stage: str, number: int) -> Path:
    return folder / f"{stage}-{number:05}.parquet"


def has_part(folder: Path, stage: str, number: int) -> bool:
    return place(folder, stage, number).exists()


def read_part(folder: Path, stage: str, number: int, columns: list[str] | None = None) -> pd.DataFrame:
    return pd.read_parquet(place(folder, stage, number), columns=columns)


def write_part(table: pd.DataFrame, folder: Path, stage: str, number: int) -> None:
    """Write a part of a stage."""
    with drafted(place(folder, stage, number)) as draft:
        table.to_parquet(draft)


def read_parts(folder: Path, stage: str, parts: int, columns: list[str] | None = None) -> list[pd.DataFrame]:
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


_MANIFEST = "read.json"
RAW = "raw"  # what the parts are called in their folder
_BEGINNING = 1024  # bytes that distinguish a workbook or an archive from text


def read_in_parts(
    files: Mapping[str, Path],
    folder: Path,
    fingerprint: str,
    on_progress: Progress,
    rows_per_part: int,
    whole_below: int,
    site: str,
) -> list[list[int]]:
    """Write every file's rows as parts, unless that was done before, and return how many rows each part has.

    `files`: by the names they go by. `fingerprint`: that of all of them, by which an earlier reading is known. Files of
    fewer than `whole_below` bytes are read in one piece. `site`: where Search Console's links lead whose file's name
    does not say it; "" for none. Raises UnreadableFile, WrongExport, MissingColumns.
    """
    counts = _counts_of_earlier(folder, fingerprint, rows_per_part)
    if counts is None:
        counts = _read_all(files, folder, on_progress, rows_per_part, whole_below, site)
        manifest = {"fingerprint": fingerprint, "rows_per_part": rows_per_part, "counts": counts}
        (folder / _MANIFEST).write_text(json.dumps(manifest))
    return counts


def digest_of(path: Path) -> str:
    """Return the hash of a file. Raises UnreadableFile where it cannot be opened."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be opened ({(error.strerror or 'unknown error').lower()}).") from error


def _counts_of_earlier(folder: Path, mark: str, rows_per_part: int) -> list[list[int]] | None:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text())
    except (OSError, ValueError):
        return None
    same = manifest["fingerprint"] == mark and manifest["rows_per_part"] == rows_per_part
    return manifest["counts"] if same else None


def _read_all(
    files: Mapping[str, Path], folder: Path, on_progress: Progress, rows_per_part: int, whole_below: int, site: str
) -> list[list[int]]:
    """Write every file's rows as parts, and return how many each part has. `files`: by the names they go by."""
    (folder / _MANIFEST).unlink(missing_ok=True)  # from here on the parts are no longer those that it lists
    counts: list[list[int]] = []
    number = 0
    for done, (name, path) in enumerate(files.items()):
        on_progress("Reading", done, len(files))
        rows_of_parts: list[int] = []
        for block in _regrouped(raw_blocks(name, path, folder / "text", whole_below), rows_per_part):
            raw = with_site(block, name, site)
            refuse_long_cells(raw, name)
            if not rows_of_parts:
                recognise_columns(raw, name, {}, BACKLINKS.name)  # a file of another kind is refused before it is read
            write_part(raw, folder, RAW, number)
            rows_of_parts.append(len(raw))
            number += 1
        if not rows_of_parts:
            raise UnreadableFile(name, "the file has a header but no rows; export it again.")
        counts.append(rows_of_parts)
    return counts


def raw_blocks(
    name: str, path: Path, copy: Path, whole_below: int, wanted: Choice | None = None
) -> Iterator[pd.DataFrame]:
    """Yield a file's raw table in blocks of rows; in one where it is small, no text, or not evenly written.

    `copy`: where the text may be kept meanwhile. `wanted`: the columns that blocks need to have; a file read in one
    piece has them all.
    """
    with path.open("rb") as file:
        whole = path.stat().st_size < whole_below or not is_text(file.read(_BEGINNING))
    try:
        text, start = (None, 0) if whole else utf8_file(path, name, copy)
        if text is None or not is_even(text, start, name):
            yield read_table(path.read_bytes(), name)
        else:
            yield from read_delimited_parts(text, start, name, wanted)
    finally:
        copy.unlink(missing_ok=True)


def _regrouped(blocks: Iterator[pd.DataFrame], rows: int) -> Iterator[pd.DataFrame]:
    """Yield the rows in parts of `rows`, the last one shorter."""
    waiting: list[pd.DataFrame] = []
    for block in blocks:
        waiting.append(block)
        if sum(map(len, waiting)) >= rows:
            together = pd.concat(waiting, ignore_index=True)
            whole = len(together) - len(together) % rows
            for start in range(0, whole, rows):
                yield together.iloc[start : start + rows]
            waiting = [together.iloc[whole:]]
    rest = pd.concat(waiting, ignore_index=True) if waiting else pd.DataFrame()
    if len(rest):
        yield rest
