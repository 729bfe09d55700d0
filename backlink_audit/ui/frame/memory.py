"""The memory of the server's process: few heaps, and free memory goes back to the system."""

import ctypes
import gc
from contextlib import suppress

HEAPS = 2
"""Of the process; glibc would make eight for each core."""
WITHOUT_GLIBC = (OSError, AttributeError, TypeError)
"""What asking glibc ends in where there is none; TypeError: Windows, whose CDLL takes no None."""
_ARENA_MAX = -8
"""M_ARENA_MAX of glibc's malloc.h."""


def share_heaps() -> None:
    """Let all threads share few heaps, before there are many threads.

    A heap of its own for each thread keeps the memory of ended visits from new ones: measured by `make memory`.
    """
    with suppress(*WITHOUT_GLIBC):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, HEAPS)


def give_back() -> None:
    """Collect what is no longer used, and give free memory back to the system."""
    gc.collect()
    with suppress(*WITHOUT_GLIBC):
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(ImportError):
        import pyarrow as pa

        pa.default_memory_pool().release_unused()
