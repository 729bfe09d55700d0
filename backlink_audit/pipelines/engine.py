"""Where an audit runs: in one piece, in parts, or on a cluster. The result is the same; memory and time are not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from backlink_audit.errors import AuditError

Engine = Literal["auto", "memory", "parts", "ray"]

PARTS_FROM = 100 * 1024**2
"""Bytes of all files from which `auto` audits in parts: a few hundred thousand rows."""


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
