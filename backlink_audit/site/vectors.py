"""Vectors of pages: embedded in chunks and pooled, taken from the crawl, or loaded from an earlier run.

The file is NumPy's .npz with four arrays: urls, vectors (float32, pages x dimensions), model, and text (the page text
mode).
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import IO

import numpy as np
import pandas as pd

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.nearest import spread_evenly
from backlink_audit.errors import EmbeddingMismatch, MissingColumns, UnreadableFile
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress, silent
from backlink_audit.text.page_texts import PageTexts, split_into_chunks
from backlink_audit.text.sentences import without_repeats
from backlink_audit.text.text_vectors import unit_rows
from backlink_audit.text.urls import normalise_urls

MADE_BY_CRAWLER = "the crawler"
"""The model's name where the crawl brought its own vectors: which model it was, nobody knows."""
LONGEST_PAGE = 8
"""Chunks of a page that are embedded; of a longer page so many, evenly spread from its first to its last."""
PARTS = ("urls", "vectors", "model", "text")
LARGEST_VECTORS = 4 * 1024**3  # bytes: a million pages of 1,024 numbers
MOST_DIMENSIONS = 16_384  # numbers of one vector; the largest models have about 8,000
PACKED_LITTLE = 16 * 1024**2
PACKED_AT_MOST = 10
"""Vectors of more than `PACKED_LITTLE` bytes may be packed by this factor; real ones look like noise and reach 2."""
LARGEST_URLS = 4 * 1024**3
"""Bytes. In the file each URL takes as much as the longest: 100,000 pages with one of 10,000 characters."""
MOST_LETTERS = 256 * 1024**2  # characters of all URLs together
_LARGEST_WORD = 64 * 1024  # bytes of the model's name, and of what the vectors were made of
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


@dataclass(frozen=True, eq=False)
class PageVectors:
    """One unit vector per page (float32, pages x dimensions), and what they were made of."""

    urls: tuple[str, ...]
    vectors: np.ndarray
    model: str
    text: str | None  # What of the pages, as `PageTexts.mode`. None: unknown.

    @cached_property
    def fingerprint(self) -> str:
        """A hash that changes with the pages and their vectors."""
        content = hashlib.sha256(repr((self.urls, self.model, self.text)).encode())
        content.update(np.ascontiguousarray(self.vectors).data)
        return content.hexdigest()

    def to_npz(self) -> bytes:
        """Return the vectors as a file that `read_page_vectors` reads."""
        file = BytesIO()
        np.savez_compressed(
            file,
            urls=np.array(self.urls, dtype=str),
            vectors=self.vectors,
            model=np.array(self.model),
            text=np.array(self.text or ""),
        )
        return file.getvalue()


def page_vectors(
    pages: pd.DataFrame, texts: PageTexts, encoder: Encoder, given: PageVectors | None, on_progress: Progress = silent
) -> PageVectors:
    """Return a unit vector for each page (url, url_key): the given ones, or the encoder's. Raises EmbeddingMismatch."""
    if given is None:
        vectors, model = embed_pages(texts, encoder, on_progress), encoder.name
    else:
        vectors = fit_vectors(given, pages, encoder.name, encoder.dimensions, texts.mode)
        model = given.model
    return PageVectors(tuple(pages["url"]), vectors, model, texts.mode)


def embed_pages(pages: PageTexts, encoder: Encoder, on_progress: Progress = silent) -> np.ndarray:
    """Return a unit vector for each page, float32 (pages, dimensions): the mean over its chunks' vectors."""
    chunked = chunk_pages(pages)
    vectors = encoder.encode([chunk for chunks in chunked for chunk in chunks], on_progress)
    starts = np.cumsum([0, *map(len, chunked[:-1])])
    return unit_rows(np.add.reduceat(vectors, starts, axis=0))


def chunk_pages(pages: PageTexts) -> list[list[str]]:
    """Return for each page the pieces that are embedded, at least one and at most LONGEST_PAGE.

    Menus and notices that many pages have in their content are left out: they say nothing of any page.
    """
    texts = without_repeats(pages.texts) if any(pages.bodies) else pages.texts
    pieces = (split_into_chunks(text, name) for text, name in zip(texts, pages.names, strict=True))
    return [[chunks[place] for place in spread_evenly(len(chunks), LONGEST_PAGE)] for chunks in pieces]


def read_page_vectors(name: str, data: bytes) -> PageVectors:
    """Return the vectors of an .npz file. Raises UnreadableFile, and EmbeddingMismatch where its parts do not fit."""
    urls, vectors, model, text = read_npz(name, data)
    if vectors.ndim != 2 or len(vectors) != len(urls):
        raise EmbeddingMismatch(f"{name}: it has {len(urls):,} URLs, but {len(vectors):,} vectors.")
    return PageVectors(tuple(urls), _checked(name, vectors), model, text or None)


def crawl_vectors(pages: Export) -> PageVectors:
    """Return the vectors in the crawl's own column, where a page has one. Raises MissingColumns, EmbeddingMismatch."""
    cells = pages.table["embedding"].str.strip()
    filled = cells != ""
    if not filled.any():
        raise MissingColumns(pages.name, "it has no column with embeddings; choose a model to create them.")
    rows = [_parse(pages.name, cell) for cell in cells[filled]]
    sizes = sorted({len(row) for row in rows})
    if len(sizes) > 1:
        raise EmbeddingMismatch(
            f"{pages.name}: its embeddings have different sizes, from {sizes[0]:,} to {sizes[-1]:,} numbers."
        )
    vectors = _checked(pages.name, np.array(rows, dtype=np.float32))
    return PageVectors(tuple(pages.table["url"][filled]), vectors, MADE_BY_CRAWLER, None)


def fit_vectors(given: PageVectors, pages: pd.DataFrame, model: str, dimensions: int, text: str) -> np.ndarray:
    """Return the given vectors in the order of the pages (columns url, url_key), float32 (pages, dimensions).

    Raises EmbeddingMismatch, with both sides named: another model, size or text, or pages without a vector.
    """
    if given.model != MADE_BY_CRAWLER:
        _require_same(given, model, dimensions, text)
    rows = pd.Series(range(len(given.urls)), index=normalise_urls(pd.Series(given.urls, dtype="str")))
    rows = rows[~rows.index.duplicated()].reindex(pages["url_key"])
    missing = pages["url"][rows.isna().to_numpy()]
    if len(missing):
        raise EmbeddingMismatch(
            f"The embeddings are for {len(given.urls):,} pages, but {len(pages):,} are needed; {len(missing):,} "
            f"have none, for instance {missing.iloc[0]}. Load the embeddings of this crawl, or let the model create "
            "them again."
        )
    return given.vectors[rows.to_numpy(dtype=np.int64)]


def _require_same(given: PageVectors, model: str, dimensions: int, text: str) -> None:
    size = given.vectors.shape[1]
    if given.model != model or size != dimensions:
        raise EmbeddingMismatch(
            f"The embeddings were created with {given.model} ({size:,} dimensions), but you chose {model} "
            f"({dimensions:,} dimensions). Choose {given.model}, or let the model create them again."
        )
    if given.text is not None and given.text != text:
        raise EmbeddingMismatch(
            f"The embeddings were created from “{given.text}”, but you chose “{text}”. Choose “{given.text}”, or "
            "let the model create them again."
        )


def _parse(name: str, cell: str) -> np.ndarray:
    """Return the numbers of a cell, "[0.1, 0.2]" or without brackets, as float32. Raises EmbeddingMismatch."""
    start = cell if len(cell) <= 40 else f"{cell[:40]}…"
    try:
        numbers = np.fromstring(cell.removeprefix("[").removesuffix("]"), dtype=np.float32, sep=",")
    except ValueError as problem:
        raise EmbeddingMismatch(f"{name}: an embedding is not a list of numbers: {start}") from problem
    if len(numbers) > MOST_DIMENSIONS:
        raise EmbeddingMismatch(f"{name}: an embedding has {len(numbers):,} numbers, more than any model creates.")
    return numbers


def _checked(name: str, vectors: np.ndarray) -> np.ndarray:
    """Return the vectors scaled to length 1. Raises EmbeddingMismatch for numbers that are none, and empty vectors."""
    with np.errstate(over="ignore"):  # a length that is too large becomes inf, and is refused
        lengths = np.linalg.norm(vectors, axis=1)
    bad = int(np.count_nonzero(~np.isfinite(lengths) | (lengths == 0)))
    if bad or not vectors.size:
        raise EmbeddingMismatch(f"{name}: {bad:,} of its {len(vectors):,} embeddings are empty or not valid numbers.")
    return unit_rows(vectors)


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


def encode_columns(encoder: Encoder, columns: Sequence[pd.Series], on_progress: Progress = silent) -> list[np.ndarray]:
    """Return for each text Series a float32 matrix (rows, dimensions) of unit rows; blank texts give zeros."""
    texts = pd.concat(columns, ignore_index=True).to_numpy(object)
    vectors = np.zeros((len(texts), encoder.dimensions), np.float32)
    filled = np.flatnonzero(texts != "")
    if len(filled):
        vectors[filled] = encoder.encode(texts[filled].tolist(), on_progress)
    return np.split(vectors, np.cumsum([len(column) for column in columns])[:-1])
