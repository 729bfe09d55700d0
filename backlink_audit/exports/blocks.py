"""The columns that are wanted of a large file, block by block, so that the file need not fit into the memory."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from backlink_audit.errors import AuditError, UnreadableFile
from backlink_audit.exports.layout import Format
from backlink_audit.exports.mapped import map_rows
from backlink_audit.exports.parts import WHOLE_BELOW
from backlink_audit.exports.read_parts import raw_blocks
from backlink_audit.exports.recognise import recognise_columns
from backlink_audit.progress import Progress, silent


@dataclass(frozen=True)
class Blocks:
    """The rows of a file under our names, `columns` filled and the others blank; iterated once, it reads the file."""

    path: Path
    table: str
    columns: Sequence[str]
    on_progress: Progress = silent

    @property
    def name(self) -> str:
        """What the user calls the file."""
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
        """Return the file's format, and which of its headers has each of the wanted columns."""
        layout, columns = recognise_columns(raw, self.name, {}, self.table)
        return layout, {ours: header for ours, header in columns.items() if ours in self.columns}
