"""A sentence-transformers model at work. torch is imported when the first text has to be computed, not before."""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from backlink_audit.embedding.catalogue import Model
from backlink_audit.errors import ModelUnavailable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

FROM_CACHE = "cache"
"""The device named while nothing had to be computed."""

_MOST_TOKENS = 512
"""Longest input used, whatever the model could take: titles and anchors are shorter, and pages come in chunks."""

_computing = threading.Lock()
"""One batch at a time in this process, so that sessions take turns instead of fighting for the cores."""


class Transformer:
    """The weights in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
        """Remember what to load from where."""
        self.model = model
        self.folder = folder
        self._loaded: SentenceTransformer | None = None

    @property
    def longest_input(self) -> int:
        """Tokens of a text that count; the rest is cut."""
        return min(self.model.longest_input, _MOST_TOKENS)

    @property
    def device(self) -> str:
        """Where it computes: "cuda", "mps" or "cpu"; "cache" while nothing had to be computed."""
        return FROM_CACHE if self._loaded is None else str(self._loaded.device.type)

    def lengths(self, texts: Sequence[str]) -> np.ndarray:
        """Return the number of tokens of each text, at most `longest_input`."""
        tokenizer = self._network().tokenizer
        with _computing:  # a tokenizer is not to be shared between threads
            tokens = tokenizer(
                _sound(texts), truncation=True, max_length=self.longest_input, return_attention_mask=False
            )["input_ids"]
        return np.fromiter(map(len, tokens), np.int64, len(texts))

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 unit rows, (len(texts), dimensions)."""
        network = self._network()
        with _computing:
            return np.asarray(
                network.encode(
                    _sound(texts),
                    prompt=self.model.prompt or None,
                    batch_size=len(texts),
                    normalize_embeddings=True,
                    show_progress_bar=False,
                ),
                dtype=np.float32,
            )

    def _network(self) -> "SentenceTransformer":
        with _computing:
            if self._loaded is None:
                self._loaded = _load(self.model, self.folder)
                self._loaded.max_seq_length = self.longest_input
            return self._loaded


def best_device() -> str:
    """Return "cuda", "mps" or "cpu": the quickest this machine has."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _load(model: Model, folder: Path) -> "SentenceTransformer":
    """Load the weights and see that they are those of the catalogue; raises ModelUnavailable."""
    from safetensors import SafetensorError

    try:
        with _quiet():
            network = _assemble(model, folder)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as problem:
        raise ModelUnavailable(
            f"The model {model.name} in {folder} cannot be loaded: {_first_line(problem)}"
        ) from problem
    _check(model, network)
    return network


def _assemble(model: Model, folder: Path) -> "SentenceTransformer":
    """Put the network together from safetensors, without remote code; a bare encoder gets the catalogue's pooling."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    settings = {"use_safetensors": True, "local_files_only": True}
    if (folder / "modules.json").is_file():
        return SentenceTransformer(
            str(folder), device=best_device(), local_files_only=True, trust_remote_code=False, model_kwargs=settings
        )
    words = Transformer(str(folder), model_kwargs=settings)
    pooling = Pooling(words.get_embedding_dimension(), pooling_mode=model.pooling)
    return SentenceTransformer(modules=[words, pooling], device=best_device())


def _check(model: Model, network: "SentenceTransformer") -> None:
    """Raise ModelUnavailable if what was loaded is not what the catalogue describes."""
    dimensions = network.get_embedding_dimension()
    if dimensions != model.dimensions:
        raise ModelUnavailable(
            f"The files of {model.name} give vectors of {dimensions} dimensions instead of {model.dimensions}; "
            f"they are those of another model."
        )
    modes = [module.pooling_mode for module in network if hasattr(module, "pooling_mode")]
    if modes != [model.pooling]:
        raise ModelUnavailable(f"The files of {model.name} pool by {modes} instead of {model.pooling!r}.")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the libraries' progress bars and notices of loading off the terminal."""
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    levels = {name: logging.getLogger(name).level for name in ("transformers", "sentence_transformers")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _sound(texts: Sequence[str]) -> list[str]:
    """Replace lone surrogates, which no tokenizer takes."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def _first_line(problem: BaseException) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]
