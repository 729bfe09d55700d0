"""How exactly a network computes: with 16 bits (bf16) where the processor is built for that, else with 32.

Looked up without torch, as the cache of vectors has to know before anything is computed. docs/decisions/models.md.
"""

import os
import re
from functools import cache
from pathlib import Path
from typing import Literal

Precision = Literal["bf16", "fp32"]

PRECISION_SETTING = "BACKLINK_AUDIT_PRECISION"
"""Environment variable: "fp32" for 32 bits everywhere."""

_FLAGS = re.compile(r"\b(avx512_bf16|amx_bf16)\b")
"""What Linux calls the instructions of x86 processors that multiply bf16. Others are slower with it than without."""


def precision() -> Precision:
    """Return what this machine's networks compute with."""
    return "bf16" if os.environ.get(PRECISION_SETTING) != "fp32" and _has_bf16() else "fp32"


@cache
def _has_bf16(described: Path = Path("/proc/cpuinfo")) -> bool:
    """Return whether the processor has bf16; False where no file describes it, as on Windows and macOS."""
    try:
        return bool(_FLAGS.search(described.read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return False
