"""A file's bytes -> its raw table: every cell text, the columns as the file names them.

Text with delimiters, workbooks, a zip of text tables as Search Console gives it, JSON lines, and sitemaps.
"""

import codecs
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd
from charset_normalizer import CharsetMatch, from_bytes

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.delimited import LONGEST_CELL, is_sparse, read_delimited, refuse_long_cells
from backlink_audit.exports.formats import Format, find_format, is_by_date
from backlink_audit.exports.search_console import names_of
from backlink_audit.exports.spreadsheet import read_sheets

SAMPLE = 256 * 1024  # bytes that are read to find an encoding, or to distinguish text from garbage
STRAY_BYTES = 0.02
"""Up to this share of broken bytes among the non-ASCII ones, a file is still UTF-8 (cut or edited by hand)."""
LINES_OF_ONE = 0.9  # of the lines beyond ASCII: with fewer that are no UTF-8, the others are, and the file has both
CONTROL_SHARE = 0.002  # text has next to no control characters; random bytes have about 11 %
WESTERN = "cp1252"
LATIN = (WESTERN, "cp1250", "cp1254", "cp1257", "mac_roman")
OTHER_SCRIPTS = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr")
"""What spreadsheets still write where they do not write Unicode."""
NEAR_CHAOS = 0.01
NEAR_COHERENCE = 0.05
"""Differences in charset-normalizer's two measures, 0-1, within which two readings of a text are equally plausible."""
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_UTF_16 = re.compile(rb"(?:[\x20-\x7e]\0){20}")  # ASCII in UTF-16 among text of one byte a letter
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_NO_CHARACTERS = (b"\0", "\ufffe".encode(), "\uffff".encode())
"""Excel repairs or refuses a workbook that has one of them."""
_CHUNK = 4 * 1024 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINES_READ = 400
_LINE = 1_000  # bytes of a line that are looked at before and after what is not ASCII
_TABLES = (".csv", ".tsv", ".txt")
LARGEST = 256 * 1024**2  # bytes that one file of a zip may unpack to: a thousand times what Search Console writes
MOST_FILES = 50  # search Console puts seven into a zip
_DAMAGED = (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zlib.error)
BETWEEN = "@@"  # between several values of a cell, as advertools writes them in its csv
MOST_KEYS = 5_000  # different keys of JSON lines: a crawl with everything in it has some hundred
_AGAIN = "export the file again with one page per line."
_HALVES = re.compile("[\ud800-\udfff]")
_NOTHING = re.compile("[\x00\ufffe\uffff]")
_ROOT = re.compile(rb"<(?:[\w-]+:)?(urlset|sitemapindex)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"<(?:sm:)?loc>\s*(?:<!\[CDATA\[([^\]<]*)\]\]>|([^<]*))\s*</(?:sm:)?loc>")
"""Of pages alone: those of their images have a tag of their own."""
BEGINNING = 4_096  # bytes in which the root of a sitemap begins
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
_FIRST_LINE = 16 * 1024**2  # bytes in which the first line of a file ends: a page with all its text
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def to_utf8(data: bytes, name: str) -> bytes:
    """Return the text of a file as UTF-8 without byte order mark, NUL, and codes without a character.

    Raises UnreadableFile (the bytes are not text).
    """
    mark, encoding = next(((mark, found) for mark, found in _BOMS if data.startswith(mark)), (b"", ""))
    data = data[len(mark) :] if mark else data
    encoding = encoding or _wide_encoding(data[:BEGINNING])
    if encoding not in ("", "utf-8") or not is_utf8(data):
        data = b"".join(text.encode() for text in _decoded(_pieces(data), encoding or _older_encoding(data), "replace"))
    text, sample = _without_nothing(data, name), data[:SAMPLE]
    if len(_CONTROL.findall(sample)) > 8 + CONTROL_SHARE * len(sample):
        raise UnreadableFile(name, "this file is not a table; upload the export as csv or xlsx.")
    return text


def utf8_file(path: Path, name: str, copy: Path) -> tuple[Path, int]:
    """Return a file with the text of `path` as `to_utf8` gives it, and at which byte it begins.

    That is `path` itself where it can be read as it is; else `copy` is written. Files of any size. Raises
    UnreadableFile (the bytes are not text).
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
    to_utf8(head, name)
    mark, encoding = next(((mark, found) for mark, found in _BOMS if head.startswith(mark)), (b"", ""))
    encoding = encoding or _wide_encoding(head[:BEGINNING])
    if encoding in ("", "utf-8") and _is_sound_utf8(path):
        return path, len(mark)
    encoding = encoding or (
        "utf-8" if _is_utf8_but_for_its_end(_pieces_of(path)) else _older_encoding_of(_lines_beyond_ascii_of(path))
    )
    with copy.open("wb") as target:
        for text in _decoded(_pieces_of(path, len(mark)), encoding, "replace"):
            target.write(_without_nothing(text.encode(), name))
    return copy, 0


def _is_utf8_but_for_its_end(pieces: Iterable[bytes | memoryview]) -> bool:
    """Whether bytes are UTF-8, if need be but for a last character that they end within."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        for piece in pieces:
            decoder.decode(piece)
    except UnicodeDecodeError:
        return False
    return True


def _is_sound_utf8(path: Path) -> bool:
    """Whether a file is UTF-8 throughout, and has nothing that `to_utf8` would take away."""
    try:
        return not any(
            nothing.decode() in text
            for text in _decoded(_pieces_of(path), "utf-8", "strict")
            for nothing in _NO_CHARACTERS
        )
    except UnicodeDecodeError:
        return False


def _without_nothing(data: bytes, name: str) -> bytes:
    if _UTF_16.search(data):
        raise UnreadableFile(name, "a part of it is in UTF-16, as if two files were joined; save each as a file.")
    for nothing in _NO_CHARACTERS:
        data = data.replace(nothing, b"")
    return data


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are valid UTF-8, read piece by piece: decoded at once they could take four times the memory."""
    try:
        return data.isascii() or all(text is not None for text in _decoded(_pieces(data), "utf-8", "strict"))
    except UnicodeDecodeError:
        return False


def _wide_encoding(sample: bytes) -> str:
    pairs = max(len(sample) // 2, 1)
    odd, even = sample[1::2].count(0) / pairs, sample[0::2].count(0) / pairs
    if odd > 0.3 and even < 0.02:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 and odd < 0.02 else ""


def _older_encoding(data: bytes) -> str:
    if _is_utf8_but_for_its_end(_pieces(data)):
        return "utf-8"
    return _older_encoding_of(_lines_beyond_ascii(data))


def _older_encoding_of(lines: bytes) -> str:
    """Return the likeliest encoding of lines that have other than ASCII and are not all valid UTF-8.

    Windows' western encoding is by far the most frequent, so among near equals it is the one.
    """
    beyond_ascii = sum(1 for byte in lines if byte > 0x7F)
    if lines.decode("utf-8", "replace").count("\ufffd") <= STRAY_BYTES * beyond_ascii:
        return "utf-8"
    others = [line for line in lines.split(b"\n") if not is_utf8(line)]
    is_mixed = len(others) < LINES_OF_ONE * (lines.count(b"\n") + 1)
    lines = b"\n".join(others)
    found = from_bytes(lines, cp_isolation=[*LATIN, *(OTHER_SCRIPTS if _in_runs(lines) else ())])
    best = found.best()
    western = best is None or any(WESTERN in one.could_be_from_charset and _near(one, best) for one in found)
    encoding = WESTERN if best is None or western else best.encoding
    return f"utf-8+{encoding}" if is_mixed and encoding in LATIN else encoding


def _in_runs(text: bytes) -> bool:
    runs = [len(run) for run in _BEYOND_ASCII.findall(text)]
    return sum(length for length in runs if length > 1) > sum(runs) / 2


def _near(match: CharsetMatch, best: CharsetMatch) -> bool:
    return match.chaos <= best.chaos + NEAR_CHAOS and match.coherence >= best.coherence - NEAR_COHERENCE


def _lines_beyond_ascii(data: bytes) -> bytes:
    """Return the first lines with other than ASCII: only they show which encoding it is."""
    lines: list[bytes] = []
    position = 0
    while len(lines) < _LINES_READ and (found := _BEYOND_ASCII.search(data, position)):
        start = max(data.rfind(b"\n", position, found.start()) + 1, position, found.start() - _LINE)
        end = data.find(b"\n", found.end(), found.end() + _LINE)
        position = end if end >= 0 else min(found.end() + _LINE, len(data))
        lines.append(data[start:position])
    return b"\n".join(lines)[:SAMPLE]


def _lines_beyond_ascii_of(path: Path) -> bytes:
    lines = b""
    with path.open("rb") as file:
        while (piece := file.read(_CHUNK) + file.readline(_LINE)) and lines.count(b"\n") < _LINES_READ:
            lines = b"\n".join(filter(None, [lines, _lines_beyond_ascii(piece)]))
    return lines[:SAMPLE]


def _pieces(data: bytes) -> Iterator[memoryview]:
    view = memoryview(data)
    return (view[start : start + _CHUNK] for start in range(0, len(data), _CHUNK))


def _pieces_of(path: Path, start: int = 0) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while piece := file.read(_CHUNK):
            yield piece


def _decoded(pieces: Iterable[bytes | memoryview], encoding: str, errors: str) -> Iterator[str]:
    encoding, _, other = encoding.partition("+")
    if other:
        codecs.register_error(errors := f"as {other}", partial(_by_another, other))
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for piece in pieces:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _by_another(encoding: str, problem: UnicodeError) -> tuple[str, int]:
    """Read what is no UTF-8 as another encoding: rows of two programs in one file."""
    if not isinstance(problem, UnicodeDecodeError):
        raise problem
    return problem.object[problem.start : problem.end].decode(encoding, "replace"), problem.end


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

    Raises UnreadableFile (the zip is damaged, locked, or unpacks to too much).
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
    return PurePosixPath(name).suffix.lower() in _TABLES and not name.startswith("__MACOSX/")


def is_json_lines(beginning: bytes) -> bool:
    """Whether a file that begins so has a whole JSON object on its first line."""
    line, end, _ = beginning.lstrip(b"\xef\xbb\xbf \r\n\t").partition(b"\n")
    return line.startswith(b"{") and (bool(end) or line.rstrip().endswith(b"}")) and len(line.strip()) > 1


def read_json_lines(data: bytes, name: str) -> pd.DataFrame:
    """Return the objects as rows of text, "" where one lacks a key. Raises UnreadableFile, which names the line."""
    columns: dict[str, list[str]] = {}
    rows = 0
    for number, line in enumerate(data.decode("utf-8-sig", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        if len(line) > LONGEST_CELL:
            raise UnreadableFile(name, f"line {number:,} has more than {LONGEST_CELL:,} characters; {_AGAIN}")
        try:
            found = json.loads(line)
            row = {_sound(key): _as_text(value) for key, value in found.items()} if isinstance(found, dict) else None
        except ValueError:
            row = None
        except RecursionError:
            raise UnreadableFile(
                name, f"line {number:,} has arrays or objects inside each other, too many to be read; {_AGAIN}"
            ) from None
        if row is None:
            raise UnreadableFile(name, f"line {number:,} is not a JSON object; {_AGAIN}")
        for key, value in row.items():
            column = columns.setdefault(key, [])
            column += [""] * (rows - len(column))
            column.append(value)
        rows += 1
        if len(columns) > MOST_KEYS or is_sparse(rows * len(columns), len(data)):
            raise UnreadableFile(
                name, f"up to line {number:,} it has {len(columns):,} different keys, too many for one table; {_AGAIN}"
            )
    return pd.DataFrame({key: column + [""] * (rows - len(column)) for key, column in columns.items()}, dtype="str")


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return BETWEEN.join(map(_as_text, value))
    return _sound(value) if isinstance(value, str) else json.dumps(value)


def _sound(text: str) -> str:
    r"""Return text without halves of characters, which JSON can name and no text can have, and what Excel refuses.

    >>> _sound("a\ud800b\x00")
    'a�b'
    """
    return text if text.isprintable() else _NOTHING.sub("", _HALVES.sub("\ufffd", text))


def read_sitemap(data: bytes, name: str) -> pd.DataFrame:
    """Return the addresses of a sitemap as a table with the column URL; no entity of the file is ever resolved.

    Raises UnreadableFile for an index of sitemaps, and for one without addresses.
    """
    root = _ROOT.search(data[:BEGINNING])
    if root is not None and root[1].lower() == b"sitemapindex":
        raise UnreadableFile(name, "this is an index of sitemaps; load one of the sitemaps that it names.")
    text = data.decode("utf-8", "replace")
    found = [(wrapped or unescape(address)).strip() for wrapped, address in _ADDRESS.findall(text)]
    if not found:
        raise UnreadableFile(name, "this sitemap has no addresses.")
    return pd.DataFrame({"URL": list(dict.fromkeys(found))}, dtype="str")


def read_table(data: bytes, name: str) -> pd.DataFrame:
    return read_tables(data, name)[0]


def read_tables(data: bytes, name: str, *, dates: bool = False) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the raw table of a csv, tsv, txt, xlsx or JSON lines file, or a zip of csv files, recognised by its bytes.

    Columns are the header's cells as they are ("Unnamed 5" where blank, "Title (2)" where repeated); every value is
    text, "" where blank; a RangeIndex counts the rows. With `dates` also its table of clicks by date, None where it has
    none: of a workbook or a zip the first such sheet or file, else the file itself where it is one. Raises
    UnreadableFile (there is no table in the bytes).
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
        return table, None if by_date is None else _in_english(by_date)
    if is_json_lines(data[:_FIRST_LINE]):
        table = read_json_lines(data, name)
        refuse_long_cells(table, name)
        return table, None
    if _ROOT.search(data[:BEGINNING]) is not None:
        return read_sitemap(data, name), None
    sentence = _not_a_table(data)
    if sentence:
        raise UnreadableFile(name, sentence)
    table = read_delimited(to_utf8(data, name), name)
    return table, _in_english(table) if dates and is_by_date(names_of(table)) else None


def is_text(beginning: bytes) -> bool:
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
        headers = names_of(table)
        by_date = _in_english(table) if by_date is None and dates and is_by_date(headers) else by_date
        export = table if export is None and isinstance(find_format(headers), Format) else export
        if export is not None and (by_date is not None or not dates):
            break
    return read_delimited(to_utf8(first or b"", name), name) if export is None else export, by_date


def _in_english(table: pd.DataFrame) -> pd.DataFrame:
    return table.set_axis(names_of(table), axis=1)


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
