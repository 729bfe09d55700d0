"""Where an audit runs: in one piece, in parts, or on a cluster. The result is the same; memory and time are not."""

import hashlib
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from backlink_audit.errors import AuditError
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings

if TYPE_CHECKING:
    from backlink_audit.exports.parts import PartedExport
    from backlink_audit.exports.recognise import Export

Engine = Literal["auto", "memory", "parts", "ray"]

PARTS_FROM = 100 * 1024**2
"""Bytes of all files from which `auto` audits in parts: a few hundred thousand rows."""
KEPT_SECONDS = 30 * 24 * 3600
"""A run that was stopped can be taken up again for so long; then its folder is deleted."""


def choose_engine(engine: Engine, files: Sequence[Path], out: Path) -> Engine:
    """Return "memory", "parts" or "ray". Raises AuditError where a workbook is asked for in parts.

    A workbook is sorted and has sheets about the whole, so it is always made in one piece.
    """
    workbook = out.suffix.lower() == ".xlsx"
    if engine in ("parts", "ray") and workbook:
        raise AuditError(f"{out}: a workbook is made in one piece; ask for .csv or .parquet, or for --engine memory.")
    if engine != "auto":
        return engine
    size = sum(path.stat().st_size for path in files if path.exists())
    return "parts" if size >= PARTS_FROM and not workbook else "memory"


def split_files(files: Sequence[Path], runs: Path, on_progress: Progress = silent) -> "PartedExport":
    """Return the files as an export in parts, kept in a folder of its own in `runs`; what is there is not read again.

    Raises FileProblem.
    """
    from backlink_audit.exports.parts import split

    _delete_old(runs)
    paths = "\0".join(str(path.resolve()) for path in files)
    return split(files, runs / hashlib.sha256(paths.encode()).hexdigest()[:16], on_progress)


def run_folder(export: "PartedExport", settings: AuditSettings, weights: str, crawl: "Export | None" = None) -> Path:
    """Return the folder of this audit of the export: another one for other settings, `weights` or crawl.

    `weights` tells the model's apart (`CachedEncoder.identity`).
    """
    made_of = (export.fingerprint, settings, weights, crawl.fingerprint if crawl else "")
    return export.folder / hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]


def forget(export: "PartedExport") -> None:
    """Delete what was kept of a run that has come to its end."""
    shutil.rmtree(export.folder, ignore_errors=True)


def _delete_old(runs: Path) -> None:
    for folder in runs.glob("*"):
        if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
