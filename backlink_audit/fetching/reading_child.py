"""The child process that takes pages apart: `python -m …reading_child`, one page after the other on standard input.

HTML can be made so that any parser takes hours over it. That ends this process then, and nothing else.
A page is a line of JSON and so many bytes of its body; the answer is a line of JSON.
"""

import json
import logging
import signal
import sys
from dataclasses import asdict
from typing import Any, BinaryIO

MOST_MEMORY = 2 * 1024**3
"""Bytes. A page of 2 MB takes about 0.1 GB, the libraries 0.5."""


def limit_memory() -> None:
    """Limit this process's address space, where the system can."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except (ImportError, ValueError, OSError):
        return


def limit_time(seconds: float) -> None:
    """End this process after so many seconds of the processor, where the system can; 0: no more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def serve(pages: BinaryIO, answers: BinaryIO) -> None:
    """Read pages until there are no more."""
    import trafilatura  # noqa: F401 (loading it is not the first page's time)

    from backlink_audit.fetching.reading import read_page
    from backlink_audit.fetching.site_page import read_site_page

    def read(body: bytes, **told: Any) -> dict[str, Any]:
        return asdict(read_page(body, **told)) if "sites" in told else read_site_page(body, **told)

    logging.disable()
    for line in iter(pages.readline, b""):
        told = json.loads(line)
        body = pages.read(told.pop("bytes"))
        limit_time(told.pop("seconds"))
        try:
            found = read(body, **told)
        except (MemoryError, RecursionError, ValueError, AssertionError):
            found = {"wall": "HTML that cannot be read"}
        limit_time(0)
        answers.write(json.dumps(found).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
