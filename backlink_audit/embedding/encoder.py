"""What an encoder is: texts in, unit vectors out; and the one in use, which computes only what the cache on disk lacks.

One sqlite file in WAL mode, used by any number of threads and processes at once and safe after a kill. Keys are
hashes of (weights, prompt, text); no text is stored. A damaged or unwritable file never stops a run: it is begun
again, or the run goes on without it, and the log says so.
"""

import logging
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np

from backlink_audit.progress import Progress, silent

logger = logging.getLogger(__name__)

FOLDER_SETTING = "BACKLINK_AUDIT_CACHE"  # environment variable: the folder of the cache

MAX_BYTES = 8 * 1024**3  # size above which the oldest vectors make room: about five million vectors of 384 dimensions

_KEY_BYTES = 16
_KEYS_PER_QUERY = 1_000
_BUSY_SECONDS = 30.0
_UNIT_TOLERANCE = 1e-3
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, sum INTEGER NOT NULL)"
_COLUMNS = ("key", "vector", "sum")
_TEXT_WORK = 20  # work of a text besides its letters, in letters

_SECONDS_BETWEEN_STORES = 2.0  # at most this much work is lost when the process is killed
Batch = tuple[np.ndarray, np.ndarray]  # positions in the texts asked for, and their float32 unit rows


def cache_folder() -> Path:
    """Return the folder for everything kept between runs (it need not exist yet)."""
    named = os.environ.get(FOLDER_SETTING)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("backlink-audit", appauthor=False)


def checks_file() -> Path:
    return cache_folder() / "checks.sqlite"


class VectorCache:
    """The cached unit vectors of one model.

    `identity` is all that decides a vector besides the text: weights, prompt, length limit and precision.
    """

    def __init__(self, identity: str, dimensions: int, path: Path | None = None) -> None:
        self.path = path or (cache_folder() / "vectors.sqlite")
        self.dimensions = dimensions
        self._hasher = blake2b(key=blake2b(identity.encode(), digest_size=32).digest(), digest_size=_KEY_BYTES)
        self._given_up = False

    def keys(self, texts: Iterable[str]) -> list[bytes]:
        """Return the 16-byte key of each text."""
        keys = []
        for text in texts:
            hasher = self._hasher.copy()
            hasher.update(text.encode("utf-8", "surrogatepass"))
            keys.append(hasher.digest())
        return keys

    def fill(self, keys: Sequence[bytes], vectors: np.ndarray) -> np.ndarray:
        """Write every known vector into its row of `vectors` (float32, (len(keys), dimensions)); keys are distinct.

        Returns which rows were found, as booleans. A stored vector that is not of length 1, or not the one that was
        stored under its key, counts as unknown.
        """
        found = np.zeros(len(keys), dtype=bool)
        if os.path.exists(self.path):  # Path.exists raises where a folder may not be entered
            self._attempt(lambda connection: self._read(connection, keys, vectors, found))
        return found

    def store(self, keys: Sequence[bytes], vectors: np.ndarray) -> None:
        """Add vectors (float32, (len(keys), dimensions)) in one transaction."""
        if not keys:
            return
        blobs = (row.tobytes() for row in np.ascontiguousarray(vectors, dtype="<f4"))
        rows = [(key, blob, _sum(key, blob)) for key, blob in zip(keys, blobs, strict=True)]
        self._attempt(lambda connection: _write(connection, rows))

    def _read(
        self, connection: sqlite3.Connection, keys: Sequence[bytes], vectors: np.ndarray, found: np.ndarray
    ) -> None:
        row_of = {key: row for row, key in enumerate(keys)}
        in_order = sorted(row_of)
        for start in range(0, len(in_order), _KEYS_PER_QUERY):
            part = in_order[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, vector, sum FROM vectors WHERE key IN ({marks}) AND length(vector) = ?"
            hits = connection.execute(query, [*part, 4 * self.dimensions]).fetchall()
            if hits:
                rows = np.array([row_of[key] for key, *_ in hits])
                known = np.frombuffer(b"".join(blob for _, blob, _ in hits), dtype="<f4").reshape(-1, self.dimensions)
                sound = np.abs(np.einsum("ij,ij->i", known, known) - 1) < _UNIT_TOLERANCE
                sound &= np.array([_sum(key, blob) == checksum for key, blob, checksum in hits])
                vectors[rows[sound]] = known[sound]
                found[rows[sound]] = True

    def _attempt(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do one piece of work on the file; whatever is wrong with the file is logged, not raised."""
        if self._given_up:
            return
        try:
            with closing(_open(self.path)) as connection, connection:
                work(connection)
        except (OSError, sqlite3.OperationalError) as problem:
            self._given_up = True
            logger.warning("Continuing without the vector cache %s: %s", self.path, problem)
        except sqlite3.DatabaseError as problem:
            logger.warning("The vector cache %s is damaged (%s) and will be rebuilt", self.path, problem)
            self._begin_anew()

    def _begin_anew(self) -> None:
        try:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        except OSError as problem:
            self._given_up = True
            logger.warning("Continuing without the vector cache %s: %s", self.path, problem)


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
    try:
        with suppress(sqlite3.OperationalError):  # never waited for: another process may be doing the same just now
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_TABLE)
        columns = tuple(name for _, name, *_ in connection.execute("PRAGMA table_info(vectors)"))
        if columns != _COLUMNS:
            raise sqlite3.DatabaseError(f"its columns are {', '.join(columns)}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _sum(key: bytes, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(key))


def _write(connection: sqlite3.Connection, rows: Sequence[tuple[bytes, bytes, int]]) -> None:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    if (pages - free) * size > MAX_BYTES:
        oldest, newest = connection.execute("SELECT min(rowid), max(rowid) FROM vectors").fetchone()
        connection.execute("DELETE FROM vectors WHERE rowid <= ?", [oldest + (newest - oldest) // 10])
    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)


class Encoder(Protocol):
    """Turns texts into vectors. Tests pass a toy; `load_encoder` gives the real ones."""

    name: str
    dimensions: int

    @property
    def device(self) -> str: ...

    @property
    def identity(self) -> str: ...

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return one unit row per text, float32 (len(texts), dimensions). May raise Cancelled through `on_progress`."""
        ...


class Embedder(Protocol):
    """A model at work. It has its own order and size of batches."""

    @property
    def device(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Iterator[Batch]: ...


def number_texts(texts: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Return the distinct texts in the order in which they are first met, and the number of each text among them."""
    number_of: dict[str, int] = {}
    numbers = np.fromiter((number_of.setdefault(text, len(number_of)) for text in texts), np.int64, len(texts))
    return list(number_of), numbers


class CachedEncoder:
    """An Encoder that computes only what no earlier run has computed."""

    def __init__(self, name: str, dimensions: int, embedder: Embedder, cache: VectorCache) -> None:
        self.name = name
        self.dimensions = dimensions
        self._embedder = embedder
        self._cache = cache

    @property
    def device(self) -> str:
        return self._embedder.device

    @property
    def identity(self) -> str:
        return self._cache.keys([""])[0].hex()

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return float32 unit rows, (len(texts), dimensions); see `Encoder`.

        Progress counts the distinct texts that had to be computed, a long one as more: embedders take the longest
        first. What is done when a run is stopped stays cached.
        """
        distinct, numbers = number_texts(texts)
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        keys = self._cache.keys(distinct)
        missing = np.flatnonzero(~self._cache.fill(keys, vectors))
        if len(missing):
            self._compute(distinct, keys, missing, vectors, on_progress)
        return vectors if len(distinct) == len(texts) else vectors[numbers]

    def _compute(
        self,
        texts: Sequence[str],
        keys: Sequence[bytes],
        missing: np.ndarray,
        vectors: np.ndarray,
        on_progress: Progress,
    ) -> None:
        """Embed the rows `missing` of `vectors`, and store them every few seconds and at the end, however it ends."""
        total, done = len(missing), 0.0
        work = np.array([_TEXT_WORK + len(texts[row]) for row in missing], dtype=np.float64)
        share = total / work.sum()
        unsaved: list[int] = []
        saved_at = time.monotonic()
        on_progress("Embedding texts", 0, total)
        try:
            for positions, batch in self._embedder.embed([texts[row] for row in missing]):
                rows = missing[positions]
                vectors[rows] = batch
                unsaved.extend(rows)
                done += work[positions].sum() * share
                if time.monotonic() - saved_at > _SECONDS_BETWEEN_STORES:
                    self._store(keys, unsaved, vectors)
                    unsaved, saved_at = [], time.monotonic()
                on_progress("Embedding texts", round(done), total)
        finally:
            self._store(keys, unsaved, vectors)

    def _store(self, keys: Sequence[bytes], rows: Sequence[int], vectors: np.ndarray) -> None:
        self._cache.store([keys[row] for row in rows], vectors[rows])
