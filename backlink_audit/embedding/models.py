"""Choosing and loading a model: the catalogue's names in, encoders out.

encoder = load_encoder("all-MiniLM-L6-v2")
vectors = encoder.encode(["running shoes", "trail shoes"])
"""

import threading
from typing import Literal

import pandas as pd

from backlink_audit.embedding.cache import VectorCache
from backlink_audit.embedding.catalogue import MODELS, Model, find_model
from backlink_audit.embedding.encoder import CachedEncoder
from backlink_audit.embedding.transformer import Transformer
from backlink_audit.embedding.weights import download, find_folder, fingerprint
from backlink_audit.progress import Progress, silent

__all__ = ["MODELS", "Model", "find_model", "language_warning", "load_encoder", "status"]

Status = Literal["ready", "download"]

_loaded: dict[str, Transformer] = {}
_loading = threading.Lock()


def load_encoder(name: str, *, on_progress: Progress = silent) -> CachedEncoder:
    """Return the encoder of that name, downloading its files if need be.

    The weights themselves are read when the first text has to be computed, once per process.
    Raises InvalidSetting for a name that is not in the catalogue, and ModelUnavailable.
    """
    model = find_model(name)
    folder = find_folder(model)
    if folder is None:
        on_progress(f"Downloading {model.name} ({model.size_mb} MB)", 0, 1)
        folder = download(model)
    weights = fingerprint(model, folder)
    with _loading:
        transformer = _loaded.setdefault(weights, Transformer(model, folder))
    identity = "\0".join((weights, model.pooling, model.prompt, str(transformer.longest_input)))
    return CachedEncoder(model.name, model.dimensions, transformer, VectorCache(identity, model.dimensions))


def status(model: Model) -> Status:
    """Return whether the model can be used at once, or would be downloaded first. Never asks the network."""
    return "download" if find_folder(model) is None else "ready"


def language_warning(model: Model, languages: pd.Series) -> str | None:
    """Return a sentence if an English-only model meets a mostly non-English export, else None.

    `languages` holds one language code per row ("es", "pt-BR"; of "es, en" the first counts); blanks are left out.
    """
    codes = (
        languages.dropna().astype(str).str.strip().str.lower().str.extract(r"^([a-z]{2,3})\b", expand=False).dropna()
    )
    others = codes[codes != "en"]
    if not model.english_only or len(others) * 2 <= len(codes):
        return None
    return (
        f"{len(others) / len(codes):.0%} of the {len(codes):,} pages with a known language are not in English, "
        f"and {model.name} knows English only: choose a multilingual model for trustworthy scores."
    )
