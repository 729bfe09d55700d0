"""Choosing and loading a model: names in, encoders out; and whether it knows the languages of the pages.

encoder = load_encoder("all-MiniLM-L6-v2")
vectors = encoder.encode(["running shoes", "trail shoes"])
"""

import json
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast

import pandas as pd

from backlink_audit.embedding.catalogue import MODELS, Model, Pooling, find_in_catalogue
from backlink_audit.embedding.distil import StaticEmbedder, UniversalSentenceEncoder, distil, find_distilled
from backlink_audit.embedding.encoder import CachedEncoder, VectorCache
from backlink_audit.embedding.made_models import packed_file, unpack
from backlink_audit.embedding.nearest import spread_evenly
from backlink_audit.embedding.transformer import Transformer, precision
from backlink_audit.embedding.weights import download, find_folder, fingerprint, is_complete, local_models
from backlink_audit.errors import InvalidSetting, ModelUnavailable
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import DEFAULT_MODEL
from backlink_audit.text.languages import is_in_other_script, known_texts, likeliest_languages

MULTILINGUAL = "multilingual-e5-small"  # what is offered where the chosen model does not know the languages of a file

UNKNOWN_BUT_NOT_ENGLISH = "und"  # ISO 639's word for an unknown language
LANGUAGES_NAMED = 3  # how many languages a warning names

Status = Literal["ready", "download", "created on this computer in about 15 s"]
"""15 s: what distilling takes on two quiet cores."""

_Loaded = Transformer | StaticEmbedder | UniversalSentenceEncoder
_loaded: dict[str, _Loaded] = {}
_loading = threading.Lock()
OWN = "Your own model."
_HUB_NAME = re.compile(
    r"(?!.*(?:--|\.\.|\.git\Z))[A-Za-z0-9](?:[\w.-]{0,46}\w)?/[A-Za-z0-9](?:[\w.-]{0,46}\w)?", re.ASCII
)
_USUAL_DIMENSIONS, _USUAL_INPUT = 768, 512  # taken for a model of the hub until its files are here
_POOLINGS: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "lasttoken",
}
TITLES_READ = 300  # titles of a file without languages that are read: enough to find which half is the larger
_TITLES = {"backlinks": ("referring_title",), "pages": ("title", "h1")}
"""The column by which a page's language is found, and the one used where that is blank."""


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


def find_model(name: str) -> Model:
    """Return the model of that name: of the catalogue, in a folder, or on the hub ("owner/name").

    A folder may be named by its path, or by its own name where it is in the folder of local models. Raises
    InvalidSetting where there is none.
    """
    try:
        return find_in_catalogue(name)
    except InvalidSetting:
        folder = _folder_of(name)
        if folder is None and not _HUB_NAME.fullmatch(name):
            raise
        if folder is not None:
            return described(Model(**_unknown(name)), folder)
        on_hub = Model(**_unknown(name) | {"repo": name})
        found = find_folder(on_hub)
        return on_hub if found is None else described(on_hub, found)


def own_models() -> tuple[Model, ...]:
    """Return the models in the folder of local models that the catalogue does not have."""
    root = local_models()
    if root is None or not root.is_dir():
        return ()
    known = {model.name for model in MODELS}
    folders = sorted(folder for folder in root.iterdir() if is_complete(folder))
    return tuple(described(Model(**_unknown(one.name)), one) for one in folders if one.name not in known)


def described(model: Model, folder: Path) -> Model:
    """Return a model with what its own files say: dimensions, pooling, longest input and size."""
    network, pooling = _read(folder / "config.json"), _read(folder / "1_Pooling" / "config.json")
    dense = [_first_number(_read(path), "out_features") for path in sorted(folder.glob("*_Dense/config.json"))]
    width = _first_number(network, "hidden_size", "dim", "d_model") or _USUAL_DIMENSIONS
    longest = _first_number(_read(folder / "sentence_bert_config.json"), "max_seq_length")
    longest = longest or _first_number(network, "max_position_embeddings") or _USUAL_INPUT
    weights = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    return Model(
        **_unknown(model.name)
        | {
            "repo": model.repo,
            "folder": str(folder),
            "dimensions": next((size for size in reversed(dense) if size), width),
            "size_mb": round(weights / 1e6),
            "longest_input": longest,
            "pooling": _pooling(pooling),
        }
    )


def _unknown(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "repo": None,
        "revision": None,
        "dimensions": _USUAL_DIMENSIONS,
        "size_mb": 0,
        "languages": "not known",
        "longest_input": _USUAL_INPUT,
        "good_for": OWN,
        "is_own": True,
    }


def _pooling(settings: dict[str, Any]) -> Pooling:
    if settings.get("pooling_mode") in _POOLINGS.values():
        return cast(Pooling, settings["pooling_mode"])
    return next((word for key, word in _POOLINGS.items() if settings.get(key)), "mean")


def _first_number(settings: dict[str, Any], *names: str) -> int:
    values = (settings.get(name) for name in names)
    return next((value for value in values if type(value) is int and value > 0), 0)


def _folder_of(name: str) -> Path | None:
    try:
        root = local_models()
        places = [Path(name).expanduser(), *([root / name] if root else [])]
        return next((place.resolve() for place in places if is_complete(place)), None)
    except (RuntimeError, OSError):  # "~somebody" who has no home here, or more letters than a path may have
        return None


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def warn_of_languages(model: str, exports: Sequence[Export]) -> str | None:
    """Return a sentence if the model knows few languages, and most pages of one of the files are in others."""
    known = find_model(model)
    if known.few_languages is None:
        return None
    return next(filter(None, (language_warning(known, page_languages(export)) for export in exports)), None)


def model_for(model: str, pages: Export) -> str:
    """Return the model for a crawl: where most pages are not in English, the multilingual in place of the default."""
    return MULTILINGUAL if model == DEFAULT_MODEL and warn_of_languages(model, [pages]) else model


def language_note(model: str, links: pd.DataFrame) -> str:
    """Return the same sentence on a table of links (language, referring_title), "" where no sentence is needed."""
    known = find_model(model)
    return (language_warning(known, _languages(links, "referring_title")) or "") if known.few_languages else ""


def page_languages(export: Export) -> pd.Series:
    """Return language codes of referring pages, or of the pages of a crawl.

    They are those that the file gives, else found from some titles ("und" in another script than ours); a page of a
    crawl without a title is asked by its H1. Of an export that lists domains or links inside a site nothing is known.
    """
    if export.kind not in _TITLES:
        return pd.Series([], dtype="str")
    return _languages(export.table, *_TITLES[export.kind])


def _languages(table: pd.DataFrame, title: str, otherwise: str = "") -> pd.Series:
    if (table["language"] != "").any():
        return table["language"]
    titles = table[title]
    return _detected(titles.where(titles != "", table[otherwise]) if otherwise else titles)


def _detected(titles: pd.Series) -> pd.Series:
    asked = titles[titles != ""].drop_duplicates()
    asked = asked.iloc[spread_evenly(len(asked), TITLES_READ)]
    found = likeliest_languages(asked).mask(known_texts(asked.tolist(), english_only=True), "en")
    return found.mask(asked.map(is_in_other_script).astype(bool), UNKNOWN_BUT_NOT_ENGLISH).reset_index(drop=True)
