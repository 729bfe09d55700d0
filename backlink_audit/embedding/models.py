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
from backlink_audit.embedding.own_models import described, find_model, own_models
from backlink_audit.embedding.static import StaticEmbedder
from backlink_audit.embedding.transformer import Transformer
from backlink_audit.embedding.weights import download, find_folder, fingerprint
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress, silent

__all__ = ["MODELS", "MULTILINGUAL", "Model", "find_model", "language_warning", "load_encoder", "own_models", "status"]

MULTILINGUAL = "paraphrase-multilingual-MiniLM-L12-v2"
"""What is offered where the chosen model knows English only: the smallest download that knows the others."""

Status = Literal["ready", "download", "created on this computer in about 15 s"]
"""15 s: what distilling takes on two quiet cores."""

_loaded: dict[str, Transformer | StaticEmbedder] = {}
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
    kind = StaticEmbedder if model.teacher else Transformer
    with _loading:
        embedder = _loaded.setdefault(weights, kind(model, folder))
    identity = "\0".join((weights, model.pooling, model.prompt, str(embedder.longest_input)))
    return CachedEncoder(model.name, model.dimensions, embedder, VectorCache(identity, model.dimensions))


def status(model: Model) -> Status:
    """Return whether the model can be used at once, or would be downloaded or made first. Never asks the network."""
    try:
        found = _find(model)
    except ModelUnavailable:  # its teacher is not the expected one; said when the model is chosen
        found = None
    if found is not None:
        return "ready"
    return "created on this computer in about 15 s" if model.teacher else "download"


def _find(model: Model) -> Path | None:
    return find_distilled(model) if model.teacher else find_folder(model)


def _fetch(model: Model, on_progress: Progress) -> Path:
    if model.teacher:
        return distil(model, on_progress)
    size = f" ({model.size_mb} MB)" if model.size_mb else ""
    on_progress(f"Downloading {model.name}{size}", 0, 1)
    return download(model)


def language_warning(model: Model, languages: pd.Series) -> str | None:
    """Return a sentence if an English-only model meets a mostly non-English export, else None.

    `languages` has one language code per row ("es", "pt-BR"; of "es, en" the first counts); blanks are left out.
    """
    codes = (
        languages.dropna().astype(str).str.strip().str.lower().str.extract(r"^([a-z]{2,3})\b", expand=False).dropna()
    )
    others = codes[codes != "en"]
    if not model.english_only or len(others) * 2 <= len(codes):
        return None
    return (
        f"{len(others) / len(codes):.0%} of the {len(codes):,} pages with a known language are not in English, but "
        f"{model.name} only supports English: choose a multilingual model for reliable scores."
    )
