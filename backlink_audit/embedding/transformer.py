"""A sentence-transformers model at work. torch is imported when the first text has to be computed, not before."""

import logging
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from backlink_audit.embedding.catalogue import Model
from backlink_audit.embedding.encoder import Batch
from backlink_audit.errors import ModelUnavailable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

FROM_CACHE = "cache"  # the device named while nothing had to be computed

_MOST_TOKENS = 512
"""Longest input used, whatever the model could take: titles and anchors are shorter, and pages come in chunks."""

TOKENS_PER_BATCH = {"cpu": 1024}
TOKENS_PER_GPU_BATCH = 32 * 1024
"""Tokens in a batch, padding included: about what keeps the device busy without growing the memory."""

TEXTS_SORTED_AT_ONCE = 16_384
"""Texts tokenised at a time: enough for batches of like length, and bounded memory for any number of texts."""

_PADDING = 1.06  # A batch ends where a further text would make it grow to this many times its own tokens by padding

_THREAD_WAITING = {"OMP_WAIT_POLICY": "PASSIVE"}
"""Threads that sleep while they wait for each other. By default they spin, which on a machine that is busy with other
work makes short batches ten times slower; read once, when torch is first imported."""

_TALKATIVE = ("transformers", "sentence_transformers", "model2vec", "skeletoken")
"""Loggers that warn of what is as it should be."""

_computing = threading.Lock()
"""One batch at a time in this process, so that sessions take turns instead of fighting for the cores."""
Precision = Literal["bf16", "fp32"]

PRECISION_SETTING = "BACKLINK_AUDIT_PRECISION"  # environment variable: "fp32" for 32 bits everywhere

_FLAGS = re.compile(r"\b(avx512_bf16|amx_bf16)\b")
"""What Linux calls the instructions of x86 processors that multiply bf16. Others are slower with it than without."""


class Transformer:
    """The weights in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.model = model
        self.folder = folder
        self._loaded: SentenceTransformer | None = None

    @property
    def longest_input(self) -> int:
        return min(self.model.longest_input, _MOST_TOKENS)

    @property
    def device(self) -> str:
        return FROM_CACHE if self._loaded is None else str(self._loaded.device.type)

    def embed(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batch after batch of (positions in `texts`, their float32 unit rows), longest texts first."""
        network = self._network()
        budget = TOKENS_PER_BATCH.get(self.device, TOKENS_PER_GPU_BATCH)
        for start in range(0, len(texts), TEXTS_SORTED_AT_ONCE):
            ids = self._tokenise(network, texts[start : start + TEXTS_SORTED_AT_ONCE])
            for rows in cut_batches(np.fromiter(map(len, ids), np.int64, len(ids)), budget):
                yield rows + start, self._forward(network, [ids[row] for row in rows])

    def _tokenise(self, network: "SentenceTransformer", texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's word pieces, prompt in front, at most `longest_input` of them."""
        with _computing:  # a tokenizer must not be used by two threads at once
            return network.tokenizer(
                [self.model.prompt + sound_text(text) for text in texts],
                truncation=True,
                max_length=self.longest_input,
                return_attention_mask=False,
                return_token_type_ids=False,
            )["input_ids"]

    def _forward(self, network: "SentenceTransformer", ids: Sequence[Sequence[int]]) -> np.ndarray:
        """Return the float32 unit rows of one batch, padded to its longest text."""
        import torch

        longest = max(map(len, ids))
        padding = network.tokenizer.pad_token_id or 0
        padded = torch.tensor([[*row, *[padding] * (longest - len(row))] for row in ids], device=network.device)
        lengths = torch.tensor([len(row) for row in ids], device=network.device)
        mask = (torch.arange(longest, device=network.device) < lengths[:, None]).long()
        with _computing, torch.inference_mode():
            vectors = network({"input_ids": padded, "attention_mask": mask})["sentence_embedding"]
            return torch.nn.functional.normalize(vectors.float(), dim=1).cpu().numpy()

    def _network(self) -> "SentenceTransformer":
        with _computing:
            if self._loaded is None:
                self._loaded = _load(self.model, self.folder)
                self._loaded.max_seq_length = self.longest_input
            return self._loaded


def cut_batches(lengths: np.ndarray, budget: int) -> Iterator[np.ndarray]:
    """Yield the positions of texts in batches: longest first, little padding, at most `budget` tokens (or one text).

    >>> [batch.tolist() for batch in cut_batches(np.array([2, 9, 2, 9, 1]), budget=18)]
    [[1, 3], [0, 2], [4]]
    """
    order = np.argsort(-lengths, kind="stable")
    start = tokens = 0
    for end, row in enumerate(order):
        padded = lengths[order[start]] * (end + 1 - start)
        if end > start and (padded > budget or padded > _PADDING * (tokens + lengths[row])):
            yield order[start:end]
            start, tokens = end, 0
        tokens += int(lengths[row])
    if len(order):
        yield order[start:]


def best_device() -> str:
    """Return "cuda", "mps" or "cpu": the quickest this machine has."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _load(model: Model, folder: Path) -> "SentenceTransformer":
    set_thread_waiting()
    try:
        with quiet():
            network = _assemble(model, folder)
    except Exception as problem:  # a folder that is no such model makes the libraries raise whatever they like
        raise ModelUnavailable(
            f"The model {model.name} in {folder} cannot be loaded: {first_line(problem)}"
        ) from problem
    _check(model, network)
    return _in_16_bits(network) if precision() == "bf16" else network


def _in_16_bits(network: "SentenceTransformer") -> "SentenceTransformer":
    import torch

    able = network.device.type != "cuda" or torch.cuda.is_bf16_supported(including_emulation=False)
    return network.to(torch.bfloat16) if able else network


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
    dimensions = network.get_embedding_dimension()
    if dimensions != model.dimensions:
        raise ModelUnavailable(
            f"The files of {model.name} give vectors with {dimensions} dimensions instead of {model.dimensions}, so "
            "they are from another model."
        )
    modes = [module.pooling_mode for module in network if hasattr(module, "pooling_mode")]
    if modes != [model.pooling]:
        raise ModelUnavailable(f"The files of {model.name} use {modes} pooling instead of {model.pooling!r} pooling.")


def set_thread_waiting() -> None:
    """Set how torch's threads wait, unless the user has; called before torch is imported."""
    for name, value in _THREAD_WAITING.items():
        os.environ.setdefault(name, value)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' progress bars and notices of loading off the terminal."""
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    levels = {name: logging.getLogger(name).level for name in _TALKATIVE}
    for name in levels:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def sound_text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def first_line(problem: BaseException) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]


def precision() -> Precision:
    return "bf16" if os.environ.get(PRECISION_SETTING) != "fp32" and _has_bf16() else "fp32"


@cache
def _has_bf16(described: Path = Path("/proc/cpuinfo")) -> bool:
    try:
        return bool(_FLAGS.search(described.read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return False
