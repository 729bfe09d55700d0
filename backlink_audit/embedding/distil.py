"""Making a static model of a network that is on this machine: done once, then kept in the cache folder.

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

from backlink_audit.embedding.cache import cache_folder
from backlink_audit.embedding.catalogue import Model, find_in_catalogue
from backlink_audit.embedding.encoder import Batch
from backlink_audit.embedding.made_models import is_made, make_model
from backlink_audit.embedding.transformer import FROM_CACHE, first_line, quiet, set_thread_waiting, sound_text
from backlink_audit.embedding.weights import download, find_folder, fingerprint
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    from model2vec import StaticModel

PARAMETERS: dict[str, Any] = {"sif_coefficient": 1e-5, "pooling": "mean", "quantize_to": "float32"}
"""model2vec's, besides the dimensions, which are the catalogue's. How they were chosen: the decision named above."""


def find_distilled(model: Model) -> Path | None:
    """Return the folder of the static model if it has been made, by this version and from this very teacher."""
    teacher = find_folder(_teacher(model))
    if teacher is None:
        return None
    folder = _folder(model, teacher)
    return folder if is_made(folder) else None


def distil(model: Model, on_progress: Progress = silent) -> Path:
    """Make the static model of its teacher and return its folder; who comes meanwhile waits for the first.

    Raises ModelUnavailable without the teacher or where the folder cannot be written, Cancelled.
    """
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

TEXTS_AT_ONCE = 8_192  # texts of a batch: a third of a second's work, between two reports of progress

_loading = threading.Lock()


class StaticEmbedder:
    """The vectors in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
        """Remember what to load from where."""
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
    """Load the vectors and see that they are those of the catalogue; raises ModelUnavailable."""
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
