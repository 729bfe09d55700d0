"""Bytes of a text file, whatever its encoding -> UTF-8 without byte order mark."""

import codecs
import re
from collections.abc import Iterator

from charset_normalizer import from_bytes

from backlink_audit.errors import UnreadableFile

SAMPLE = 256 * 1024
"""Bytes looked at to tell an encoding or to tell text from garbage."""
STRAY_BYTES = 0.02
"""Up to this share of broken bytes among the non-ASCII ones, a file is still UTF-8 (cut or edited by hand)."""
_CHUNK = 4 * 1024 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE = 0.002
"""Text holds next to no control characters; random bytes hold about 11 %."""


def to_utf8(data: bytes, name: str) -> bytes:
    """Return the text of a file as UTF-8 without byte order mark and without NUL.

    Raises:
        UnreadableFile: the bytes are not text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _transcode(data[len(mark) :], encoding, name)
    return _transcode(data, _wide_encoding(data[:SAMPLE]) or _narrow_encoding(data), name)


def _wide_encoding(sample: bytes) -> str | None:
    """Tell UTF-16 without a mark: every other byte of mostly Latin text is zero."""
    pairs = len(sample) // 2
    if pairs < 2:
        return None
    odd, even = sample[1::2].count(0) / pairs, sample[0::2].count(0) / pairs
    if odd > 0.3 and even < 0.02:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 and odd < 0.02 else None


def _narrow_encoding(data: bytes) -> str:
    """Return utf-8 if the bytes are (all but) valid, else the likeliest of the older encodings."""
    try:
        for _ in _decoded(data, "utf-8", "strict"):
            pass
        return "utf-8"
    except UnicodeDecodeError:
        pass
    sample = data[:SAMPLE]
    beyond_ascii = sum(1 for byte in sample if byte > 0x7F)
    broken = sample.decode("utf-8", "replace").count("\ufffd")
    if beyond_ascii and broken / beyond_ascii <= STRAY_BYTES:
        return "utf-8"
    best = from_bytes(_interesting_lines(data)).best()
    return best.encoding if best else "cp1252"


def _interesting_lines(data: bytes) -> bytes:
    """Return the lines that hold other than ASCII: the only ones that tell encodings apart."""
    lines = (line for line in data[: 8 * SAMPLE].splitlines() if not line.isascii())
    return b"\n".join(line for line, _ in zip(lines, range(400), strict=False))[:SAMPLE]


def _transcode(data: bytes, encoding: str, name: str) -> bytes:
    if encoding != "utf-8":
        data = b"".join(text.encode() for text in _decoded(data, encoding, "replace"))
    elif not _is_valid(data):
        data = data.decode("utf-8", "replace").encode()
    sample = data[:SAMPLE]
    garbage = len(_CONTROL.findall(sample)) + max(0, sample.count(0) - 8)
    if garbage > 8 + _CONTROL_SHARE * len(sample):
        raise UnreadableFile(name, "this is not a table but binary data; upload the export as csv or xlsx.")
    return data.replace(b"\0", b"") if b"\0" in data else data


def _is_valid(data: bytes) -> bool:
    try:
        for _ in _decoded(data, "utf-8", "strict"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _decoded(data: bytes, encoding: str, errors: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    view = memoryview(data)
    for start in range(0, len(data), _CHUNK):
        yield decoder.decode(view[start : start + _CHUNK])
    yield decoder.decode(b"", final=True)
