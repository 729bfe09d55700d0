"""Choosing and loading a model: the catalogue's names in, encoders out.

encoder = load_encoder("all-MiniLM-L6-v2")
vectors = encoder.encode(["running shoes", "trail shoes"])
"""

import threading
from pathlib import Path
from typing import Literal

import pandas as pd

from backlink_audit.embedding.cache import VectorCache
from backlink_audit.embedding.catalogue import MODELS, Model
from backlink_audit.embedding.distil import distil, find_distilled
from backlink_audit.embedding.encoder import CachedEncoder
from backlink_audit.embedding.four_bits import packed_file, unpack
from backlink_audit.embedding.own_models import described, find_model, own_models
from backlink_audit.embedding.precision import precision
from backlink_audit.embedding.static import StaticEmbedder
from backlink_audit.embedding.transformer import Transformer
from backlink_audit.embedding.universal import UniversalSentenceEncoder
from backlink_audit.embedding.weights import download, find_folder, fingerprint
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress, silent

__all__ = ["MODELS", "MULTILINGUAL", "Model", "find_model", "language_warning", "load_encoder", "own_models", "status"]

MULTILINGUAL = "multilingual-e5-small"
"""What is offered where the chosen model does not know the languages of a file."""

UNKNOWN_BUT_NOT_ENGLISH = "und"
"""ISO 639's word for an unknown language."""
LANGUAGES_NAMED = 3
"""How many languages a warning names."""

Status = Literal["ready", "download", "created on this computer in about 15 s"]
"""15 s: what distilling takes on two quiet cores."""

_Loaded = Transformer | StaticEmbedder | UniversalSentenceEncoder
_loaded: dict[str, _Loaded] = {}
_loading = threading.Lock()


def load_encoder(name: str, *, on_progress: Progress = silent) -> CachedEncoder:
    """Return the encoder of that name, of the catalogue or one's own, downloading or making its files if need be.

    The weights themselves are read when the first text has to be computed, once per process.
    Raises InvalidSetting for a name that is neither, and ModelUnavailable.
    """
    model = find_model(name)
    folder = _find(model) or _fetch(model, on_progress)
    model = described(model, folder) if model.is_own else model
    weights = fingerprint(model, folder)
    if model.needs_torch and precision() == "bf16":
        weights += "\0bf16"
    with _loading:
        embedder = _loaded.setdefault(weights, _kind(model)(model, folder))
    identity = "\0".join((weights, model.pooling, model.prompt, str(embedder.longest_input)))
    return CachedEncoder(model.name, model.dimensions, embedder, VectorCache(identity, model.dimensions))


def _kind(model: Model) -> type[_Loaded]:
    if model.teacher:
        return StaticEmbedder
    return UniversalSentenceEncoder if model.network == "universal" else Transformer


def status(model: Model) -> Status:
    """Return whether the model can be used at once, or would be downloaded or made first. Never asks the network."""
    try:
        found = _find(model)
    except ModelUnavailable:  # its teacher is not the expected one; said when the model is chosen
        found = None
    if found is not None or packed_file(model):  # unpacking takes no longer than loading
        return "ready"
    return "created on this computer in about 15 s" if model.teacher else "download"


def _find(model: Model) -> Path | None:
    return find_distilled(model) if model.teacher else find_folder(model)


def _fetch(model: Model, on_progress: Progress) -> Path:
    if model.teacher:
        return distil(model, on_progress)
    packed = packed_file(model)
    if packed:
        return unpack(model, packed, on_progress)
    size = f" ({model.size_mb} MB)" if model.size_mb else ""
    on_progress(f"Downloading {model.name}{size}", 0, 1)
    return download(model)


def language_warning(model: Model, languages: pd.Series) -> str | None:
    """Return a sentence if a model of few languages meets an export mostly in others, else None.

    `languages` has one language code per row ("es", "pt-BR"; of "es, en" the first counts); blanks are left out, and
    for a model that knows more than English also "und", a language that is not English and not known.
    """
    known = model.few_languages
    if known is None:
        return None
    codes = (
        languages.dropna().astype(str).str.strip().str.lower().str.extract(r"^([a-z]{2,3})\b", expand=False).dropna()
    )
    codes = codes if model.english_only else codes[codes != UNKNOWN_BUT_NOT_ENGLISH]
    others = codes[~codes.isin(known)]
    if len(others) * 2 <= len(codes):
        return None
    pages = f"{len(others) / len(codes):.0%} of the {len(codes):,} pages with a known language"
    if model.english_only:
        return (
            f"{pages} are not in English, but {model.name} only supports English: choose a multilingual model for "
            "reliable scores."
        )
    most = ", ".join(others.value_counts().index[:LANGUAGES_NAMED])
    return (
        f"{pages} are in languages that {model.name} does not support (most: {most}): {MULTILINGUAL} gives better "
        "scores."
    )
