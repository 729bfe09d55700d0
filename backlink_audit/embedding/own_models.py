"""Models that are not in the catalogue: a folder on this machine or a name on the hub, described by their files."""

import json
import re
from pathlib import Path
from typing import Any, cast

from backlink_audit.embedding.catalogue import MODELS, Model, Pooling, find_in_catalogue
from backlink_audit.embedding.weights import find_folder, is_complete, local_models
from backlink_audit.errors import InvalidSetting

OWN = "Your own model."
_HUB_NAME = re.compile(
    r"(?!.*(?:--|\.\.|\.git\Z))[A-Za-z0-9](?:[\w.-]{0,46}\w)?/[A-Za-z0-9](?:[\w.-]{0,46}\w)?", re.ASCII
)
_USUAL_DIMENSIONS, _USUAL_INPUT = 768, 512
"""Taken for a model of the hub until its files are here."""
_LAYERS, _WIDTH = 6, 384
"""Of the default model, whose cost is 1."""
_POOLINGS: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "lasttoken",
}


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
    """Return a model with what its own files say: dimensions, pooling, longest input, size and cost."""
    network, pooling = _read(folder / "config.json"), _read(folder / "1_Pooling" / "config.json")
    dense = [_first_number(_read(path), "out_features") for path in sorted(folder.glob("*_Dense/config.json"))]
    width = _first_number(network, "hidden_size", "dim", "d_model") or _USUAL_DIMENSIONS
    layers = _first_number(network, "num_hidden_layers", "n_layers") or _LAYERS
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
            "cost": layers * width**2 / (_LAYERS * _WIDTH**2),
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
        "cost": 12 * _USUAL_DIMENSIONS**2 / (_LAYERS * _WIDTH**2),
        "good_for": OWN,
        "is_own": True,
    }


def _pooling(settings: dict[str, Any]) -> Pooling:
    """Return how a model pools, by its settings in the older words or the newer one; mean where they do not say."""
    if settings.get("pooling_mode") in _POOLINGS.values():
        return cast(Pooling, settings["pooling_mode"])
    return next((word for key, word in _POOLINGS.items() if settings.get(key)), "mean")


def _first_number(settings: dict[str, Any], *names: str) -> int:
    """Return the first of these settings that is a positive whole number, 0 without one."""
    values = (settings.get(name) for name in names)
    return next((value for value in values if type(value) is int and value > 0), 0)


def _folder_of(name: str) -> Path | None:
    """Return the folder that a name means, None where there is no model in it."""
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
