"""A zip of csv files, as Search Console gives it -> the one csv in it that is an export we can use."""

import io
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePosixPath

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.decode import to_utf8
from backlink_audit.exports.delimited import read_delimited
from backlink_audit.exports.formats import Format, find_format

TABLES = (".csv", ".tsv", ".txt")
LARGEST = 256 * 1024**2
"""Bytes that one file of a zip may unpack to: a thousand times what Search Console writes."""
MOST_FILES = 50
"""Search Console puts seven into a zip."""
_DAMAGED = (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zlib.error)


def _is_known(headers: list[str]) -> bool:
    return isinstance(find_format(headers), Format)


def holds_tables(data: bytes) -> bool:
    """Return whether a zip holds files of text tables and is no workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except _DAMAGED:
        return False
    return any(_is_table(name) for name in names) and not any(name.startswith("xl/") for name in names)


def unpack_table(data: bytes, name: str, fits: Callable[[list[str]], bool] = _is_known) -> bytes:
    """Return the first file of a zip whose headers fit, else the first table in it; by default an export we can use.

    Raises:
        UnreadableFile: the zip is damaged, locked, or unpacks to too much.
    """
    first = b""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            tables = [one for one in archive.infolist() if _is_table(one.filename)][:MOST_FILES]
            for one in tables:
                with archive.open(one) as file:
                    content = file.read(LARGEST + 1)
                if len(content) > LARGEST:
                    raise UnreadableFile(name, f"“{one.filename[:60]}” in it is too large; unpack it and upload that.")
                if _fits(content, one.filename, fits):
                    return content
                first = first or content
    except _DAMAGED as error:
        raise UnreadableFile(name, "the zip is damaged or locked; unpack it and upload the file inside.") from error
    return first


def _fits(content: bytes, name: str, fits: Callable[[list[str]], bool]) -> bool:
    with suppress(UnreadableFile):
        return fits(list(read_delimited(to_utf8(content, name), name).columns))
    return False


def _is_table(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in TABLES and not name.startswith("__MACOSX/")
