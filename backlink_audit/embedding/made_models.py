"""Models that are made on this machine: each once, kept in the cache folder, there as a whole or not at all."""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from backlink_audit.embedding.cache import FOLDER_SETTING
from backlink_audit.embedding.transformer import first_line
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress

WEIGHTS = "model.safetensors"  # the file of the vectors; the folder with it is complete

_UNFINISHED = "unfinished-"
_SECONDS_BETWEEN_LOOKS = 0.5
_GIVEN_UP_SECONDS = 3_600  # age above which an unfinished folder is one that a kill has left

_making = threading.Lock()


def is_made(folder: Path) -> bool:
    return (folder / WEIGHTS).is_file()


def make_model(name: str, folder: Path, make: Callable[[Path], None], on_progress: Progress) -> Path:
    """Return the folder, its files written by `make` if they are not there; who comes meanwhile waits for the first.

    `make` gets a folder beside the final one, which appears only when it is complete; two processes may both make it,
    and the first one's stays. Raises ModelUnavailable where it cannot be saved, and whatever `make` raises.
    """
    while not _making.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        on_progress(f"Creating the model {name}", 0, 0)
    try:
        if not is_made(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            _clear(folder.parent)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=_UNFINISHED) as unfinished:
                make(Path(unfinished, "model"))
                _move(Path(unfinished, "model"), folder)
        return folder
    except OSError as problem:
        raise ModelUnavailable(
            f"{name} is created on this computer, but cannot be saved in {folder.parent} "
            f"({problem.strerror or first_line(problem)}); set {FOLDER_SETTING} to a folder with write access."
        ) from problem
    finally:
        _making.release()


def _move(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        if not is_made(folder):
            raise


def _clear(parent: Path) -> None:
    for left in parent.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):  # another process has just done the same
            if time.time() - left.stat().st_mtime > _GIVEN_UP_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
