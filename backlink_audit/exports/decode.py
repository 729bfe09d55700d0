"""Bytes of a text file, whatever its encoding -> UTF-8 without byte order mark."""

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from charset_normalizer import CharsetMatch, from_bytes

from backlink_audit.errors import UnreadableFile

SAMPLE = 256 * 1024  # bytes that are read to find an encoding, or to distinguish text from garbage
STRAY_BYTES = 0.02
"""Up to this share of broken bytes among the non-ASCII ones, a file is still UTF-8 (cut or edited by hand)."""
CONTROL_SHARE = 0.002  # text has next to no control characters; random bytes have about 11 %
WESTERN = "cp1252"
LATIN = (WESTERN, "cp1250", "cp1254", "cp1257", "mac_roman")
OTHER_SCRIPTS = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr")
"""What spreadsheets still write where they do not write Unicode."""
NEAR_CHAOS = 0.01
NEAR_COHERENCE = 0.05
"""Differences in charset-normalizer's two measures, 0-1, within which two readings of a text are equally plausible."""
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
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


def to_utf8(data: bytes, name: str) -> bytes:
    """Return the text of a file as UTF-8 without byte order mark, NUL, and codes without a character.

    Raises:
        UnreadableFile: the bytes are not text.
    """
    mark, encoding = next(((mark, found) for mark, found in _BOMS if data.startswith(mark)), (b"", ""))
    data = data[len(mark) :] if mark else data
    encoding = encoding or _wide_encoding(data[:SAMPLE])
    if encoding not in ("", "utf-8") or not is_utf8(data):
        data = b"".join(text.encode() for text in _decoded(_pieces(data), encoding or _older_encoding(data), "replace"))
    sample = data[:SAMPLE]
    if len(_CONTROL.findall(sample)) > 8 + CONTROL_SHARE * len(sample):
        raise UnreadableFile(name, "this file is not a table; upload the export as csv or xlsx.")
    return _without_nothing(data)


def utf8_file(path: Path, name: str, copy: Path) -> tuple[Path, int]:
    """Return a file with the text of `path` as `to_utf8` gives it, and at which byte it begins.

    That is `path` itself where it can be read as it is; else `copy` is written. Files of any size.

    Raises:
        UnreadableFile: the bytes are not text.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
    to_utf8(head, name)
    mark, encoding = next(((mark, found) for mark, found in _BOMS if head.startswith(mark)), (b"", ""))
    encoding = encoding or _wide_encoding(head)
    if encoding in ("", "utf-8") and _is_sound_utf8(path):
        return path, len(mark)
    encoding = encoding or (
        "utf-8" if _is_utf8_but_for_its_end(_pieces_of(path)) else _older_encoding_of(_lines_beyond_ascii_of(path))
    )
    with copy.open("wb") as target:
        for text in _decoded(_pieces_of(path, len(mark)), encoding, "replace"):
            target.write(_without_nothing(text.encode()))
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


def _without_nothing(data: bytes) -> bytes:
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
    found = from_bytes(lines, cp_isolation=[*LATIN, *(OTHER_SCRIPTS if _in_runs(lines) else ())])
    best = found.best()
    if best is None or any(WESTERN in match.could_be_from_charset and _near(match, best) for match in found):
        return WESTERN
    return best.encoding


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
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for piece in pieces:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)
