"""What embedding texts will cost, estimated from a sample of them before it is begun."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from backlink_audit.embedding.cache import vectors_file
from backlink_audit.embedding.models import Model, find_model, load_encoder, status
from backlink_audit.embedding.transformer import sound_text
from backlink_audit.embedding.weights import find_folder
from backlink_audit.settings import DEFAULT_MODEL

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PIECES_PER_SECOND = 3_400
"""Word pieces that the default model embeds in a second of one core's time; measured on titles and anchors of 26 pieces
(3,430) and on pieces of pages of 900 characters (3,500)."""
LOADING_SECONDS = 6
"""To load torch and a model, once; measured."""
DISTILLING_SECONDS = 25
"""One core's time to make Instant; measured."""
LIBRARIES_BYTES = 0.12e9
"""Python, pandas and NumPy, loaded."""
NETWORK_BYTES = 0.45e9
"""torch and transformers, loaded; measured, with little text."""
TEXT_BYTES = 400
"""A text, its place among the distinct ones and its key in the cache, besides its vector."""
CHARACTERS_PER_PIECE = 2.7
"""Measured on a multilingual export; used only where the default model is not on this machine."""
SAMPLE = 500
"""Texts that are looked up and cut into word pieces."""


@dataclass(frozen=True)
class Cost:
    """How many texts have no vector yet, and what it takes to make them: seconds on this machine, bytes of memory.

    `bytes` counts all texts and their vectors, and the libraries.
    """

    texts: int
    seconds: float
    bytes: float


def embedding_cost(sample: Sequence[str], texts: int, model: Model) -> Cost:
    """Return the cost of `texts` texts that are like those of the sample. Never asks the network."""
    some = list(dict.fromkeys(sample[:: max(1, len(sample) // SAMPLE)]))
    ready = status(model) == "ready"
    new = _unknown(some, model) if ready else some
    share = texts / max(1, len(some))
    core_seconds = _pieces(new, model) * share * model.cost / PIECES_PER_SECOND
    if model.teacher and not ready:
        core_seconds += DISTILLING_SECONDS
    memory = LIBRARIES_BYTES + texts * (TEXT_BYTES + 4 * model.dimensions) + model.size_mb * 1e6
    seconds = core_seconds / (os.cpu_count() or 1)
    if new and model.needs_torch:
        memory += NETWORK_BYTES
        seconds += LOADING_SECONDS
    return Cost(round(len(new) * share), seconds, memory)


def _unknown(texts: list[str], model: Model) -> list[str]:
    if not os.path.exists(vectors_file()):  # Path.exists raises where a folder may not be entered
        return texts
    known = load_encoder(model.name).known(texts)
    return [text for text, is_known in zip(texts, known.tolist(), strict=True) if not is_known]


def _pieces(texts: Sequence[str], model: Model) -> float:
    """Return about how many word pieces the texts have, by the default model's tokenizer, which needs no torch."""
    tokenizer = _tokenizer()
    if tokenizer is None:
        return sum(map(len, texts)) / CHARACTERS_PER_PIECE
    encoded = tokenizer.encode_batch([sound_text(text) for text in texts])
    return sum(min(model.longest_input, len(one.ids)) for one in encoded)


@cache
def _tokenizer() -> "Tokenizer | None":
    from tokenizers import Tokenizer

    folder = find_folder(find_model(DEFAULT_MODEL))
    if folder is None:
        return None
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
