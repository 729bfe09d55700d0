"""Making a static model of a network that is on this machine: done once, then kept in the cache folder.

Every word piece goes through the teacher alone; its vector, reduced by PCA and weighed by how rare the piece is, is
its vector from then on (model2vec). docs/decisions/instant-model.md.
"""

import hashlib
import json
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backlink_audit.embedding.cache import FOLDER_SETTING, cache_folder
from backlink_audit.embedding.catalogue import Model, find_in_catalogue
from backlink_audit.embedding.transformer import first_line, quiet, set_thread_waiting
from backlink_audit.embedding.weights import download, find_folder, fingerprint
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    from model2vec import StaticModel

PARAMETERS: dict[str, Any] = {"sif_coefficient": 1e-5, "pooling": "mean", "quantize_to": "float32"}
"""model2vec's, besides the dimensions, which are the catalogue's. How they were chosen: the decision named above."""

WEIGHTS = "model.safetensors"
"""The file of the vectors; the folder with it is complete."""

_distilling = threading.Lock()
_SECONDS_BETWEEN_LOOKS = 0.5


def find_distilled(model: Model) -> Path | None:
    """Return the folder of the static model if it has been made, by this version and from this very teacher."""
    teacher = find_folder(_teacher(model))
    if teacher is None:
        return None
    folder = _folder(model, teacher)
    return folder if (folder / WEIGHTS).is_file() else None


def distil(model: Model, on_progress: Progress = silent) -> Path:
    """Make the static model of its teacher and return its folder; who comes meanwhile waits for the first.

    Raises ModelUnavailable without the teacher or where the folder cannot be written, Cancelled.
    """
    what = f"Creating the model {model.name}"
    while not _distilling.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        on_progress(what, 0, 0)
    try:
        made = find_distilled(model)
        return made or _keep(model, find_folder(_teacher(model)) or download(_teacher(model)), on_progress)
    finally:
        _distilling.release()


def _teacher(model: Model) -> Model:
    return find_in_catalogue(model.teacher or model.name)


def _folder(model: Model, teacher: Path) -> Path:
    """Return where the model is kept: another teacher, version or parameter is another folder."""
    parts = [fingerprint(_teacher(model), teacher), version("model2vec"), model.dimensions, PARAMETERS]
    identity = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
    return cache_folder() / "distilled" / f"{model.name}-{identity}"


def _keep(model: Model, teacher: Path, on_progress: Progress) -> Path:
    """Distil into a folder beside the final one, which appears only when it is complete."""
    folder = _folder(model, teacher)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="unfinished-") as unfinished:
            _distilled(model, teacher, on_progress).save_pretrained(Path(unfinished, "model"))
            _move(Path(unfinished, "model"), folder)
    except OSError as problem:
        raise ModelUnavailable(
            f"{model.name} is created on this computer, but cannot be saved in {folder.parent} "
            f"({problem.strerror or first_line(problem)}); set {FOLDER_SETTING} to a folder with write access."
        ) from problem
    return folder


def _move(made: Path, folder: Path) -> None:
    """Rename the folder, unless another process has put its own there in the meantime: it is the same."""
    try:
        made.rename(folder)
    except OSError:
        if not (folder / WEIGHTS).is_file():
            raise


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
