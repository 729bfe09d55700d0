"""Making a static model of a network that is on this machine: done once, then kept in the cache folder.

Every word piece goes through the teacher alone; its vector, reduced by PCA and weighed by how rare the piece is, is
its vector from then on (model2vec). docs/decisions/instant-model.md.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backlink_audit.embedding.cache import cache_folder
from backlink_audit.embedding.catalogue import Model, find_in_catalogue
from backlink_audit.embedding.made_models import is_made, make_model
from backlink_audit.embedding.transformer import first_line, quiet, set_thread_waiting
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
    """Return where the model is kept: another teacher, version or parameter is another folder."""
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
