"""Exports larger than the memory: read once, kept as numbered parts in a folder, mapped part by part.

A file is there whole or not at all; what an earlier call has read is not read again.

    parts = split([Path("backlinks.csv")], folder)
    for number in range(len(parts)):
        raw, table = parts.raw(number), parts.table(number)

What only the whole file shows (the format, decimal marks, the order of day and month) is read from all parts, so that
the rows are those of `exports.load.load`.

`Blocks` gives the columns that are wanted of a file, block by block, and keeps nothing.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pandas as pd

from backlink_audit.errors import AuditError, UnreadableFile, WrongExport
from backlink_audit.exports.delimited import Choice, is_even, read_delimited_parts, refuse_long_cells
from backlink_audit.exports.formats import Format, distinct_names
from backlink_audit.exports.load import merged_name, with_rows, with_source
from backlink_audit.exports.read import is_text, read_table, utf8_file
from backlink_audit.exports.recognise import (
    VALUES_LOOKED_AT,
    fingerprint,
    is_filled,
    notes,
    recognise_columns,
    refuse_blank,
    several_sites,
)
from backlink_audit.exports.search_console import site_given, with_site
from backlink_audit.exports.values import columns_read_whole, known_values, map_rows, odd_cells
from backlink_audit.progress import Progress, silent
from backlink_audit.schema import BACKLINKS, TABLES
from backlink_audit.text.urls import registrable_domains

_MANIFEST = "read.json"
RAW = "raw"  # what the parts are called in their folder
_BEGINNING = 1024  # bytes that distinguish a workbook or an archive from text
ROWS_PER_PART = 50_000  # rows in memory at a time: with their vectors about 300 MB
WHOLE_BELOW = 32 * 1024**2  # files of fewer bytes are read in one piece, as in the browser


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
            yield with_rows(read_table(path.read_bytes(), name), name)
        else:
            done = 0
            for block in read_delimited_parts(text, start, name, wanted):
                yield with_rows(block, name, done)
                done += len(block)
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


@dataclass(frozen=True, eq=False)
class Source:
    """One file of the export: its name, what it was recognised as, and the values that only the whole file shows."""

    name: str
    format: Format
    columns: dict[str, str]
    known: dict[str, pd.Series]


@dataclass(frozen=True)
class Part:
    """Consecutive rows of one file: the number of the file, the place of the first among all rows, and how many."""

    source: int
    first: int
    rows: int

    @property
    def index(self) -> pd.RangeIndex:
        return pd.RangeIndex(self.first, self.first + self.rows)


@dataclass(frozen=True, eq=False)
class PartedExport:
    """An export of backlinks in parts. `headers`: those of the user's own columns, of all files."""

    name: str
    folder: Path
    sources: tuple[Source, ...]
    parts: tuple[Part, ...]
    headers: tuple[str, ...]
    fingerprint: str
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)

    @property
    def format(self) -> Format:
        return self.sources[0].format

    def raw(self, number: int) -> pd.DataFrame:
        """Return a part's rows under the headers of all files, text; with the file's name where there are several."""
        part = self.parts[number]
        raw = read_part(self.folder, RAW, number).set_axis(part.index)
        if len(self.sources) > 1:
            raw = with_source(raw, self.sources[part.source].name)
        return raw.reindex(columns=list(self.headers), fill_value="")

    def table(self, number: int) -> pd.DataFrame:
        """Return a part's rows under our names."""
        part = self.parts[number]
        source = self.sources[part.source]
        wanted = None if source.format.flags else list(dict.fromkeys(source.columns.values()))
        raw = read_part(self.folder, RAW, number, wanted).set_axis(part.index)
        return map_rows(raw, source.name, source.format, source.columns, source.known)


def split(
    paths: Sequence[Path],
    folder: Path,
    on_progress: Progress = silent,
    rows_per_part: int = ROWS_PER_PART,
    whole_below: int = WHOLE_BELOW,
    *,
    site: str = "",
) -> PartedExport:
    """Return the backlinks of the files in parts, kept in `folder`; what an earlier call has read is not read again.

    No other process may write to `folder` meanwhile. `site`: as for `exports.load.load`. Raises UnreadableFile,
    WrongExport, MissingColumns, InvalidSetting (as `exports.load.load`).
    """
    site = site_given(site) if site else ""
    folder.mkdir(parents=True, exist_ok=True)
    distinct: dict[str, Path] = {}
    said: list[str] = []
    for path in paths:
        digest = digest_of(path)
        if digest in distinct:
            said.append(f"{path.name} is the same file as {distinct[digest].name}; it is counted once.")
        else:
            distinct[digest] = path
    files = dict(zip(distinct_names([path.name for path in distinct.values()]), distinct.values(), strict=True))
    mark = fingerprint(list(distinct), {"site": site} if site else {}, BACKLINKS.name)
    parts = _numbered(read_in_parts(files, folder, mark, on_progress, rows_per_part, whole_below, site))
    sources = tuple(_source(name, folder, parts, number) for number, name in enumerate(files))
    refuse_several_tools(sources)
    headers, more = _headers(folder, parts, sources)
    return PartedExport(
        name=merged_name([source.name for source in sources]),
        folder=folder,
        sources=sources,
        parts=parts,
        headers=headers,
        fingerprint=mark,
        notes=(*more, *said),
    )


def refuse_several_tools(sources: Sequence[Source]) -> None:
    """Raise WrongExport for files of several tools: their links are merged, and no part has those of another."""
    tools = {source.format.tool or source.name: source.name for source in sources}
    if len(tools) > 1:
        one, other, *_ = tools
        raise WrongExport(
            tools[other],
            f"files of several tools ({one}, {other}) cannot be merged with --engine parts or ray; use --engine "
            "memory, or audit the files of each tool separately.",
        )


def _numbered(counts: list[list[int]]) -> tuple[Part, ...]:
    sizes = [(source, rows) for source, rows_of_parts in enumerate(counts) for rows in rows_of_parts]
    firsts = accumulate((rows for _, rows in sizes), initial=0)
    return tuple(Part(source, first, rows) for (source, rows), first in zip(sizes, firsts, strict=False))


def _source(name: str, folder: Path, parts: Sequence[Part], source: int) -> Source:
    """Recognise a file by its first part, and learn from all of its parts what only the whole shows."""
    numbers = [number for number, part in enumerate(parts) if part.source == source]
    layout, columns = recognise_columns(_rows_to_recognise_by(name, folder, numbers), name, {}, BACKLINKS.name)
    required = TABLES[layout.table].required
    blank = [column for column in required if not _filled_anywhere(folder, numbers, columns[column])]
    refuse_blank(name, layout, columns, blank)
    known = {
        column.name: known_values(_distinct(folder, numbers, columns[column.name]), column, layout)
        for column in columns_read_whole(layout, columns)
    }
    return Source(name, layout, columns, known)


def _rows_to_recognise_by(name: str, folder: Path, numbers: Sequence[int]) -> pd.DataFrame:
    """Return rows that show what a file is: its headers, and the first link types, wherever in it they are.

    Some tools write there whether a link is followed, which only the values show.
    """
    rows = read_part(folder, RAW, numbers[0])
    layout, _ = recognise_columns(rows, name, {}, BACKLINKS.name)
    header = layout.columns(rows.columns).get("link_type")
    if header is None:
        return rows
    types: list[str] = []
    for number in numbers:
        values = read_part(folder, RAW, number, [header])[header]
        types.extend(values[values.ne("")].head(VALUES_LOOKED_AT - len(types)))
        if len(types) == VALUES_LOOKED_AT:
            break
    return pd.DataFrame({column: types if column == header else "" for column in rows.columns}, dtype="str")


def _filled_anywhere(folder: Path, numbers: Sequence[int], header: str) -> bool:
    return any(is_filled(read_part(folder, RAW, number, [header])[header]) for number in numbers)


def _distinct(folder: Path, numbers: Sequence[int], header: str) -> pd.Series:
    parts = [read_part(folder, RAW, number, [header])[header].drop_duplicates() for number in numbers]
    return pd.concat(parts, ignore_index=True).drop_duplicates(ignore_index=True)


def _headers(folder: Path, parts: Sequence[Part], sources: Sequence[Source]) -> tuple[tuple[str, ...], list[str]]:
    """Return the user's headers, those of all files, and what should be said of each file."""
    headers: dict[str, None] = {}
    said: list[str] = []
    for number, source in enumerate(sources):
        first = next(place for place, part in enumerate(parts) if part.source == number)
        raw = read_part(folder, RAW, first).iloc[:0]
        said.extend(notes(raw, _odd_cells(folder, parts, number, source)))
        headers |= dict.fromkeys(raw.columns if len(sources) == 1 else with_source(raw, source.name).columns)
    targets = [(place, sources[part.source].columns["target_url"]) for place, part in enumerate(parts)]
    links = [registrable_domains(read_part(folder, RAW, place, [name])[name]).value_counts() for place, name in targets]
    return tuple(headers), said + several_sites(pd.concat(links).groupby(level=0).sum())


def _odd_cells(folder: Path, parts: Sequence[Part], number: int, source: Source) -> Counter[tuple[str, str]]:
    wanted = list(dict.fromkeys(source.columns.values()))
    rows = (read_part(folder, RAW, place, wanted) for place, part in enumerate(parts) if part.source == number)
    return sum((odd_cells(raw, source.format, source.columns) for raw in rows), Counter())


@dataclass(frozen=True)
class Blocks:
    """The rows of a file under our names, `columns` filled and the others blank; iterated once, it reads the file."""

    path: Path
    table: str
    columns: Sequence[str]
    on_progress: Progress = silent

    @property
    def name(self) -> str:
        return self.path.name

    def __iter__(self) -> Iterator[pd.DataFrame]:
        """Yield the mapped rows in blocks. Raises UnreadableFile, WrongExport, MissingColumns."""
        layout: Format | None = None
        columns: dict[str, str] = {}

        def wanted(headers: pd.DataFrame) -> Collection[str]:
            nonlocal layout, columns
            try:
                layout, columns = self._columns(headers)
            except AuditError:  # said when rows are there: some formats are recognised by their values
                return list(headers.columns)
            return columns.values()

        rows = 0
        with TemporaryDirectory() as folder:
            for raw in raw_blocks(self.name, self.path, Path(folder) / "text", WHOLE_BELOW, wanted):
                if layout is None:
                    layout, columns = self._columns(raw)
                self.on_progress("Reading the links", rows, 0)
                rows += len(raw)
                yield map_rows(raw, self.name, layout, columns)
        if not rows:
            raise UnreadableFile(self.name, "the file has a header but no rows; export it again.")

    def _columns(self, raw: pd.DataFrame) -> tuple[Format, dict[str, str]]:
        layout, columns = recognise_columns(raw, self.name, {}, self.table)
        return layout, {ours: header for ours, header in columns.items() if ours in self.columns}
