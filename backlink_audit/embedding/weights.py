"""Where a model's files lie on this machine, how they get here, and which weights exactly they are."""

import hashlib
import importlib.util
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backlink_audit.embedding.catalogue import Model
from backlink_audit.embedding.encoder import cache_folder
from backlink_audit.embedding.made_models import find_unpacked
from backlink_audit.errors import ModelUnavailable

FOLDER_SETTING = "BACKLINK_AUDIT_MODELS"
"""Environment variable: a folder with one folder per model, named like the model."""

FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
"""What is fetched of a repository: settings, word lists and safetensors. Never code, never pickles."""

_DECIDING = (*FILES, "*.npz")  # what decides the vectors; NumPy's own files come in packages alone

REACH_SECONDS = 5.0  # how long the hub may take to answer before it counts as out of reach

_UNWANTED = ("onnx/*", "openvino/*")


def find_folder(model: Model) -> Path | None:
    """Return the folder of the model's files, or None if it would have to be downloaded. Never asks the network.

    Looked for in this order: the folder named, that of local models, the package that carries it, what was unpacked
    of one, the hub's cache.
    """
    package, unpacked = _package_folder(model), find_unpacked(model)
    for folder in (_own_folder(model), _local_folder(model), package, unpacked, _hub_folder(model)):
        if folder is not None and _fits(model, folder):
            return folder
    return None


def download(model: Model) -> Path:
    """Fetch the model's files from the hub into the hub's cache and return their folder; raises ModelUnavailable."""
    if model.repo is None:
        raise ModelUnavailable(
            f"The model {model.name} comes with the Python package {model.package}, which is not installed here; "
            "install the app again."
        )
    from huggingface_hub import snapshot_download
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    try:
        with _quiet():
            _reach_the_hub()
            folder = snapshot_download(
                model.repo, revision=model.revision, allow_patterns=list(FILES), ignore_patterns=list(_UNWANTED)
            )
    except Exception as problem:  # the network, the hub or the disk: to the user it is nearly the same news
        raise ModelUnavailable(
            f"The model {model.name} is not on this computer and could not be downloaded: "
            f"{_reason(problem, model)}; choose a model that is ready, or try again."
        ) from problem
    if not is_complete(Path(folder)):
        raise ModelUnavailable(
            f"{model.repo} has no safetensors weights, and other formats are not supported; put a converted copy "
            f"into a folder named {model.name} in the folder set in {FOLDER_SETTING}."
        )
    return Path(folder)


def fingerprint(model: Model, folder: Path) -> str:
    """Return a SHA-256 over all files that decide the vectors.

    Hashing is done once per state of the files (names, sizes, times): the result is remembered in the cache folder.
    Raises ModelUnavailable if the weights, or the tokenizer of the package, are not those that the catalogue expects.
    """
    state = json.dumps([[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in _files(folder)])
    memory = cache_folder() / "weights" / f"{hashlib.sha256(state.encode()).hexdigest()}.json"
    digests = _remembered(memory)
    if digests is None:
        digests = {path.relative_to(folder).as_posix(): _digest(path) for path in _files(folder)}
        _remember(memory, digests)
    expected = {"model.safetensors": model.sha256} if model.sha256 else {}
    if folder == _package_folder(model):
        expected |= dict(model.package_sha256)
    for name, hash_expected in expected.items():
        if digests.get(name) != hash_expected:
            raise ModelUnavailable(
                f"The file {name} of {model.name} in {folder} is not the expected one (SHA-256 {digests.get(name)}, "
                f"expected {hash_expected}); install the model again."
            )
    return hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()


def _reach_the_hub() -> None:
    from huggingface_hub import constants, get_session

    get_session().head(constants.ENDPOINT, timeout=REACH_SECONDS)


def _reason(problem: Exception, model: Model) -> str:
    from huggingface_hub import constants
    from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError

    if isinstance(problem, OfflineModeIsEnabled):
        return "downloads are switched off (HF_HUB_OFFLINE)"
    if isinstance(problem, GatedRepoError | RepositoryNotFoundError):
        return f"access to {model.repo} on Hugging Face is restricted, or it does not exist"
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.strerror.lower()} ({problem.filename or constants.HF_HUB_CACHE})"
    return f"{constants.ENDPOINT} does not respond"


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the hub's notices of each failed try off the terminal: how it ended is said once."""
    hub = logging.getLogger("huggingface_hub")
    level = hub.level
    hub.setLevel(logging.ERROR)
    try:
        yield
    finally:
        hub.setLevel(level)


def local_models() -> Path | None:
    """Return the folder of local models, which FOLDER_SETTING names; None where it names none."""
    root = os.environ.get(FOLDER_SETTING)
    return Path(root).expanduser() if root else None


def _own_folder(model: Model) -> Path | None:
    return Path(model.folder) if model.folder else None


def _local_folder(model: Model) -> Path | None:
    root = local_models()
    return root / model.name if root else None


def _package_folder(model: Model) -> Path | None:
    if model.package is None:
        return None
    spec = importlib.util.find_spec(model.package)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / model.package_folder


def _hub_folder(model: Model) -> Path | None:
    if model.repo is None:
        return None
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(model.repo, "config.json", revision=model.revision)
    return Path(config).parent if isinstance(config, str) else None


def _fits(model: Model, folder: Path) -> bool:
    if model.network == "universal":
        return all((folder / name).is_file() for name, _ in model.package_sha256)
    return is_complete(folder)


def is_complete(folder: Path) -> bool:
    return (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))


def _files(folder: Path) -> list[Path]:
    return sorted(path for pattern in _DECIDING for path in folder.rglob(pattern) if path.is_file())


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _remembered(memory: Path) -> dict[str, str] | None:
    try:
        return dict(json.loads(memory.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _remember(memory: Path, digests: dict[str, str]) -> None:
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps(digests))
    except OSError:
        return  # hashed again next time
