"""The parts of a file of embeddings (NumPy's .npz), read within limits: headers are weighed before they are believed.

A few megabytes can claim to contain gigabytes, a header can lie about its array, and an array of objects would run
code.
"""

import re
import zipfile
import zlib
from io import BytesIO
from typing import IO

import numpy as np

from backlink_audit.errors import UnreadableFile

PARTS = ("urls", "vectors", "model", "text")
LARGEST_VECTORS = 4 * 1024**3
"""Bytes: a million pages of 1,024 numbers."""
MOST_DIMENSIONS = 16_384
"""Numbers of one vector; the largest models have about 8,000."""
PACKED_LITTLE = 16 * 1024**2
PACKED_AT_MOST = 10
"""Vectors of more than `PACKED_LITTLE` bytes may be packed by this factor; real ones look like noise and reach 2."""
LARGEST_URLS = 4 * 1024**3
"""Bytes. In the file each URL takes as much as the longest: 100,000 pages with one of 10,000 characters."""
MOST_LETTERS = 256 * 1024**2
"""Characters of all URLs together."""
_LARGEST_WORD = 64 * 1024
"""Bytes of the model's name, and of what the vectors were made of."""
_LARGEST_HEADER = 10_000
_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?[fiuU]\d{1,6})', 'fortran_order': (True|False), 'shape': \(([\d, ]{0,60})\), \}[ \n]*"
)
"""NumPy's own reading of a header is that of Python's words, which hostile ones lead astray."""
_BLOCK = 16 * 1024**2
_NOT_OURS = "this is not an .npz file with embeddings saved by this app."
_TOO_LARGE = (
    "its embeddings need more memory than this computer has, or the file is malicious; create the embeddings again."
)


_DAMAGED = (
    *(OSError, EOFError, ValueError, TypeError, KeyError, RuntimeError, MemoryError, OverflowError),
    *(zipfile.BadZipFile, zlib.error),
)
"""What zipfile, zlib and NumPy raise over bytes that are no such file."""


class _TooLarge(Exception):
    """A part unpacks to more than any real one."""


def read_npz(name: str, data: bytes) -> tuple[list[str], np.ndarray, str, str]:
    """Return URLs, vectors (float32, not scaled), the model's name, and the text mode. Raises UnreadableFile."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = {entry.filename: entry for entry in archive.infolist()}
            missing = [part for part in PARTS if f"{part}.npy" not in entries]
            if missing and any(f"{part}.npy" in entries for part in PARTS):
                raise UnreadableFile(name, f"this .npz file is incomplete: {missing[0]}")
            if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries.values()):
                raise ValueError("NumPy compresses it differently")
            urls, vectors, model, text = (entries[f"{part}.npy"] for part in PARTS)
            return _texts(archive, urls), _vectors(archive, vectors), _word(archive, model), _word(archive, text)
    except _TooLarge as problem:
        raise UnreadableFile(name, _TOO_LARGE) from problem
    except _DAMAGED as problem:
        raise UnreadableFile(name, _NOT_OURS) from problem


def _vectors(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    packed_too_well = entry.file_size > PACKED_LITTLE and entry.file_size > PACKED_AT_MOST * entry.compress_size
    if entry.file_size > LARGEST_VECTORS or packed_too_well:
        raise _TooLarge
    with archive.open(entry) as file:
        shape, by_columns, kind, size = _header(file, entry, "fiu")
        if len(shape) == 2 and shape[1] > MOST_DIMENSIONS:
            raise _TooLarge
        numbers = np.frombuffer(_whole(file, size), kind)
    with np.errstate(over="ignore"):  # what is too large becomes inf, and is refused as no number
        return np.asarray(numbers.reshape(shape, order="F" if by_columns else "C"), dtype=np.float32)


def _texts(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> list[str]:
    """Return an array of texts as a list. They are padded to the longest: only a block of them is unpacked at once."""
    if entry.file_size > LARGEST_URLS:
        raise _TooLarge
    with archive.open(entry) as file:
        shape, _, kind, _ = _header(file, entry, "U")
        if len(shape) != 1 or not kind.itemsize:
            raise ValueError("the URLs must be a one-dimensional list")
        texts: list[str] = []
        letters, rows = 0, max(1, _BLOCK // kind.itemsize)
        for start in range(0, shape[0], rows):
            texts += np.frombuffer(_whole(file, min(rows, shape[0] - start) * kind.itemsize), kind).tolist()
            letters += sum(map(len, texts[start:]))
            if letters > MOST_LETTERS:
                raise _TooLarge
    return texts


def _word(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    with archive.open(entry) as file:
        shape, _, kind, size = _header(file, entry, "U")
        if shape != () or size > _LARGEST_WORD:
            raise ValueError("one text is expected")
        return str(np.frombuffer(_whole(file, size), kind)[0]) if size else ""


def _header(file: IO[bytes], entry: zipfile.ZipInfo, kinds: str) -> tuple[tuple[int, ...], bool, np.dtype, int]:
    """Return an array's shape, whether it goes by columns, its type, and its bytes. Raises ValueError where it lies."""
    width = {b"\x93NUMPY\1\0": 2, b"\x93NUMPY\2\0": 4}[file.read(8)]
    length = int.from_bytes(_whole(file, width), "little")
    found = _HEADER.fullmatch(_whole(file, length)) if length <= _LARGEST_HEADER else None
    if found is None:
        raise ValueError("no NumPy header")
    kind, by_columns = np.dtype(found[1].decode()), found[2] == b"True"
    shape = tuple(int(number) for number in found[3].split(b",") if number.strip())
    if kind.kind not in kinds or (kind.kind != "U" and kind.itemsize > 8):
        raise ValueError(f"an array of {kind}")
    size = kind.itemsize
    for count in shape:
        size *= count
    if size != entry.file_size - file.tell():
        raise ValueError("the header does not match the data")
    return shape, by_columns, kind, size


def _whole(file: IO[bytes], size: int) -> bytes:
    found = file.read(size)
    if len(found) != size:
        raise ValueError("the array is cut off")
    return found
