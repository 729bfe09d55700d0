"""A file's bytes -> its raw table: every cell text, the columns as the file names them."""

import pandas as pd

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.archive import has_tables, tables_in
from backlink_audit.exports.decode import to_utf8
from backlink_audit.exports.delimited import read_delimited, refuse_long_cells
from backlink_audit.exports.formats import find_format
from backlink_audit.exports.json_lines import is_json_lines, read_json_lines
from backlink_audit.exports.layout import Format
from backlink_audit.exports.performance_formats import is_by_date
from backlink_audit.exports.sitemap import is_sitemap, read_sitemap
from backlink_audit.exports.spreadsheet import read_sheets

_NOT_TABLES = (
    (b"%PDF", "this is a PDF; export the table as csv or xlsx instead."),
    (b"\x89PNG", "this is an image; export the table as csv or xlsx instead."),
    (b"\xff\xd8\xff", "this is an image; export the table as csv or xlsx instead."),
    (b"GIF8", "this is an image; export the table as csv or xlsx instead."),
    (b"\x1f\x8b", "this is a gzip file; unpack it and upload the file inside."),
    (b"BZh", "this is a bzip2 archive; unpack it and upload the file inside."),
    (b"\xfd7zXZ", "this is an xz archive; unpack it and upload the file inside."),
    (b"7z\xbc\xaf", "this is a 7-Zip archive; unpack it and upload the file inside."),
    (b"Rar!", "this is a RAR archive; unpack it and upload the file inside."),
    (b"PAR1", "this is a Parquet file; save the table as csv or xlsx instead."),
    (b"SQLite format 3", "this is a database; export the table as csv or xlsx instead."),
)
"""How files without a table begin, and what to say of them."""
_WEB_PAGES = (b"<!doctype html", b"<html", b"<?xml")
_BLANK = b"\0\t\r\n ,;|\xef\xbb\xbf\xff\xfe"
_BLANK_AT_MOST = 64 * 1024
_FIRST_LINE = 16 * 1024**2
"""Bytes in which the first line of a file ends: a page with all its text."""
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_table(data: bytes, name: str) -> pd.DataFrame:
    """Return the raw table of a file, as `read_tables` does."""
    return read_tables(data, name)[0]


def read_tables(data: bytes, name: str, *, dates: bool = False) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the raw table of a csv, tsv, txt, xlsx or JSON lines file, or a zip of csv files, recognised by its bytes.

    Columns are the header's cells as they are ("Unnamed 5" where blank, "Title (2)" where repeated); every value is
    text, "" where blank; a RangeIndex counts the rows. With `dates` also its table of clicks by date, None where it has
    none: of a workbook or a zip the first such sheet or file, else the file itself where it is one.

    Raises:
        UnreadableFile: there is no table in the bytes.
    """
    if len(data) < _BLANK_AT_MOST and not data.strip(_BLANK):
        raise UnreadableFile(name, "the file is empty; export it again.")
    if data.startswith(_OLE):
        raise UnreadableFile(name, _about_ole(data))
    if data.startswith(_ZIP) and has_tables(data):
        return _of_zip(data, name, dates)
    if data.startswith(_ZIP):
        table, by_date = read_sheets(data, name, dates=dates)
        refuse_long_cells(table, name)
        return table, by_date
    if is_json_lines(data[:_FIRST_LINE]):
        table = read_json_lines(data, name)
        refuse_long_cells(table, name)
        return table, None
    if is_sitemap(data):
        return read_sitemap(data, name), None
    sentence = _not_a_table(data)
    if sentence:
        raise UnreadableFile(name, sentence)
    table = read_delimited(to_utf8(data, name), name)
    return table, table if dates and is_by_date(list(table.columns)) else None


def is_text(beginning: bytes) -> bool:
    """Whether a file that begins so is no workbook, nor anything else that `read_table` recognises by its beginning."""
    return not beginning.startswith((_ZIP, _OLE)) and _not_a_table(beginning) is None


def _of_zip(data: bytes, name: str, dates: bool) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the first table of a zip that is an export we can use, else its first, and that of clicks by date."""
    first: bytes | None = None
    export: pd.DataFrame | None = None
    by_date: pd.DataFrame | None = None
    for content in tables_in(data, name):
        first = content if first is None else first
        try:
            table = read_delimited(to_utf8(content, name), name)
        except UnreadableFile:  # another file of the zip may be the right one
            continue
        headers = list(table.columns)
        by_date = table if by_date is None and dates and is_by_date(headers) else by_date
        export = table if export is None and isinstance(find_format(headers), Format) else export
        if export is not None and (by_date is not None or not dates):
            break
    return read_delimited(to_utf8(first or b"", name), name) if export is None else export, by_date


def _about_ole(data: bytes) -> str:
    if _ENCRYPTED in data:
        return "the workbook has a password; save it without a password and upload it again."
    return "this is an old Excel or Office format (.xls); save it as xlsx or csv and upload that file."


def _not_a_table(data: bytes) -> str | None:
    for beginning, sentence in _NOT_TABLES:
        if data.startswith(beginning):
            return sentence
    start = data[:1024].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if start.startswith(_WEB_PAGES):
        return "this is a web page, not an export; download the csv or xlsx file instead."
    if start.startswith((b"{", b"[{")):
        return "this is JSON; export the table as csv or xlsx instead."
    return None
