"""Where a run takes place: in one piece, in parts, or on a cluster. An audit comes out the same from all three."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

Engine = Literal["auto", "memory", "parts", "ray"]
PageEngine = Literal["memory", "ray"]

PARTS_FROM = 100 * 1024**2
"""Bytes of all files from which `auto` audits in parts: a few hundred thousand rows."""


def choose_engine(engine: Engine, files: Sequence[Path]) -> Engine:
    """Return "memory", "parts" or "ray"."""
    if engine != "auto":
        return engine
    size = sum(path.stat().st_size for path in files if path.exists())
    return "parts" if size >= PARTS_FROM else "memory"
