"""A zip of csv files, as Search Console gives it -> the csv files in it."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from backlink_audit.errors import UnreadableFile

TABLES = (".csv", ".tsv", ".txt")
LARGEST = 256 * 1024**2
"""Bytes that one file of a zip may unpack to: a thousand times what Search Console writes."""
MOST_FILES = 50
"""Search Console puts seven into a zip."""
_DAMAGED = (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zlib.error)


def has_tables(data: bytes) -> bool:
    """Return whether a zip has files of text tables and is no workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except _DAMAGED:
        return False
    return any(_is_table(name) for name in names) and not any(name.startswith("xl/") for name in names)


def tables_in(data: bytes, name: str) -> Iterator[bytes]:
    """Yield the text tables of a zip, in its order, each unpacked when it is asked for.

    Raises:
        UnreadableFile: the zip is damaged, locked, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for one in [one for one in archive.infolist() if _is_table(one.filename)][:MOST_FILES]:
                with archive.open(one) as file:
                    content = file.read(LARGEST + 1)
                if len(content) > LARGEST:
                    raise UnreadableFile(
                        name,
                        f"the file “{one.filename[:60]}” inside is too large; unpack the zip and upload that file.",
                    )
                yield content
    except _DAMAGED as error:
        raise UnreadableFile(
            name, "the zip file is damaged or has a password; unpack it and upload the file inside."
        ) from error


def _is_table(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in TABLES and not name.startswith("__MACOSX/")
