"""Every distinct text of an audit in parts: numbered once, embedded in chunks, found again by number.

parts' texts -> chunks of distinct texts -> a matrix of vectors per chunk -> the vectors of each part's texts
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.part_files import drafted, has_part, read_part, write_part
from backlink_audit.pipelines.audit.part_stages import AuditRun, LinkedSites
from backlink_audit.progress import Progress, silent

TEXTS, NUMBERS, CHUNKS, VECTORS = "texts", "numbers", "chunk", "vectors"
TEXTS_PER_CHUNK = 2_048
"""Texts embedded by one worker at a time, and lost with it: seconds of work."""


def write_texts(run: AuditRun, number: int, sites: LinkedSites) -> None:
    """Write the distinct texts of a part, in the order in which comparing it asks for them."""
    if not has_part(run.folder, TEXTS, number):
        texts = run.texts(number, sites)
        write_part(pd.DataFrame({"text": pd.Series(texts, dtype="str")}), run.folder, TEXTS, number)


def chunk_texts(run: AuditRun, texts_per_chunk: int = TEXTS_PER_CHUNK) -> int:
    """Number the distinct texts of all parts, write them in chunks, and return how many chunks there are.

    A text is known by a hash of 64 bits: two in a million are taken for one about once in forty million audits.
    """
    hashes = [pd.util.hash_array(_texts(run, number).to_numpy(object), categorize=False) for number in range(run.parts)]
    codes, _ = pd.factorize(np.concatenate(hashes))
    is_first = np.zeros(len(codes), dtype=bool)
    is_first[np.unique(codes, return_index=True)[1]] = True
    ends = np.cumsum([len(part) for part in hashes])[:-1]
    waiting: list[str] = []
    chunks = 0
    for number, (numbers, first) in enumerate(zip(np.split(codes, ends), np.split(is_first, ends), strict=True)):
        chunk, row = np.divmod(numbers, texts_per_chunk)
        write_part(pd.DataFrame({"chunk": chunk, "row": row}), run.folder, NUMBERS, number)
        waiting.extend(_texts(run, number)[first])
        while len(waiting) >= texts_per_chunk or (waiting and number == run.parts - 1):
            write_chunk(run.folder, chunks, waiting[:texts_per_chunk])
            waiting, chunks = waiting[texts_per_chunk:], chunks + 1
    return chunks


def write_chunk(folder: Path, chunk: int, texts: list[str]) -> None:
    """Write the texts of a chunk, if they are not there."""
    if not has_part(folder, CHUNKS, chunk):
        write_part(pd.DataFrame({"text": pd.Series(texts, dtype="str")}), folder, CHUNKS, chunk)


def embed_chunk(folder: Path, chunk: int, encoder: Encoder) -> None:
    """Write the vectors of a chunk's texts, if they are not there; whole or not at all."""
    target = vectors_of(folder, chunk)
    if not target.exists():
        vectors = encoder.encode(read_part(folder, CHUNKS, chunk)["text"].tolist())
        with drafted(target) as draft, draft.open("wb") as file:
            np.save(file, vectors)


def vectors_of(folder: Path, chunk: int) -> Path:
    """Return the file of the vectors of a chunk: float32 unit rows, (texts, dimensions)."""
    return folder / f"{VECTORS}-{chunk:05}.npy"


class StoredVectors:
    """An Encoder for the texts of one part, all of which have been embedded."""

    name = identity = "stored"
    device = "cluster"

    def __init__(self, folder: Path, part: int) -> None:
        """Look up the length of a vector; nothing else is read yet."""
        self._folder = folder
        self._part = part
        self.dimensions = int(np.load(vectors_of(folder, 0), mmap_mode="r").shape[1])

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return the vectors of all of the part's texts, in the order in which they were numbered."""
        numbers = read_part(self._folder, NUMBERS, self._part)
        if len(numbers) != len(texts):
            raise ValueError(f"The part has {len(numbers)} texts, but {len(texts)} were expected.")
        vectors = np.empty((len(numbers), self.dimensions), np.float32)
        chunks, rows = numbers["chunk"].to_numpy(), numbers["row"].to_numpy()
        for chunk in np.unique(chunks):
            here = np.flatnonzero(chunks == chunk)
            vectors[here] = np.load(vectors_of(self._folder, int(chunk)), mmap_mode="r")[rows[here]]
        return vectors


def _texts(run: AuditRun, number: int) -> pd.Series:
    return read_part(run.folder, TEXTS, number)["text"]
