"""The folders of long runs: one run in each at a time, kept when it stops, deleted when it ends or is old."""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from backlink_audit.errors import AuditError
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.wording import what_helps

if TYPE_CHECKING:
    from backlink_audit.exports.parts import PartedExport

PACKAGE = Path(__file__).parent.parent
KEPT_SECONDS = 7 * 24 * 3600  # A run that was stopped can be taken up again for so long; then its folder is deleted
_NAME = "run-{}"
_NAMES = re.compile(r"run-[0-9a-f]{16}")


@contextmanager
def open_folder(files: Sequence[Path], runs: Path) -> Iterator[Path]:
    """Give the folder in `runs` for runs over these files to this process alone; other folders past their time go.

    Raises AuditError where another process has it, and in place of an OSError: no right to write, a full disk.
    """
    from filelock import FileLock, Timeout

    folder = runs / _NAME.format(digest(_code(), *(str(path.resolve()) for path in files)))
    try:
        runs.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)  # it has the user's links until the run has ended
        os.utime(folder)
        lock = FileLock(_lock_of(folder), timeout=0)
        with suppress(NotImplementedError):  # a file system without locks
            lock.acquire()
        try:
            _delete_old(runs)
            yield folder
        finally:
            with suppress(OSError):  # while the lock is ours, so that nobody else's is taken away
                _lock_of(folder).unlink()
            lock.release()
    except Timeout as taken:
        raise AuditError(
            f"{', '.join(path.name for path in files)}: another run is using {folder}; wait until it ends, or "
            "choose another folder with --folder."
        ) from taken
    except OSError as error:
        cure = what_helps(error, "choose another folder with --folder")
        raise AuditError(
            f"{folder}: the folder cannot be used ({error.strerror or error}); {cure}. Finished parts are saved."
        ) from error


def stages_folder(export: "PartedExport", settings: AuditSettings, weights: str, sources: Sources = NO_SOURCES) -> Path:
    """Return the folder of this audit of the export: another one for other settings, `weights` or sources.

    `weights`: which model's they are (`CachedEncoder.identity`).
    """
    return export.folder / digest(export.fingerprint, repr(settings), weights, repr(sources.key))


def delete_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _lock_of(folder: Path) -> Path:
    return folder.with_suffix(".lock")


def digest(*parts: str) -> str:
    """Return a short hash of these texts, as the name of a folder: other texts have another."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return whole.hexdigest()[:16]


@cache
def _code() -> str:
    files = sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".csv"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _delete_old(runs: Path) -> None:
    for folder in runs.glob(_NAME.format("*")):
        if _NAMES.fullmatch(folder.name) and time.time() - folder.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
            _lock_of(folder).unlink(missing_ok=True)
