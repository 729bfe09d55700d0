"""Files on disk -> numbered parts of raw rows in a folder; what an earlier call has read is not read again."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.decode import utf8_file
from backlink_audit.exports.delimited import Choice, is_even, read_delimited_parts, refuse_long_cells
from backlink_audit.exports.part_files import write_part
from backlink_audit.exports.read import is_text, read_table
from backlink_audit.exports.recognise import recognise_columns
from backlink_audit.exports.search_console import with_site
from backlink_audit.progress import Progress
from backlink_audit.schema import BACKLINKS

_MANIFEST = "read.json"
RAW = "raw"
"""What the parts are called in their folder."""
_BEGINNING = 1024
"""Bytes that distinguish a workbook or an archive from text."""


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
    """Return how many rows each part of each file has, if an earlier call has read these files to the end."""
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
