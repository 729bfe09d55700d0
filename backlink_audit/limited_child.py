"""One child process for every foreign file or page that has to be unpacked: it limits its own memory and time.

Whatever such bytes are made to do ends that process, and nothing else. `LIMITS` is the one table of what each may take.
"""

import importlib
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from backlink_audit.errors import AuditError

GB = 1024**3
TOO_LARGE, REFUSED = 5, 7  # exit codes of a child that had too little memory, and of one that raised an AuditError


@dataclass(frozen=True)
class Limit:
    """What a child may take: bytes of address space, seconds of the processor (0: as many as it is asked for)."""

    memory: int
    seconds: int
    why: str


LIMITS: Mapping[str, Limit] = MappingProxyType(
    {
        "workbook": Limit(3 * GB, 120, "100,000 rows of 34 columns take a fifth of the memory, and 2 seconds"),
        "own workbook": Limit(
            3 * GB, 240, "openpyxl keeps every cell: 50,000 rows of 33 columns take 1 GB, 30 seconds"
        ),
        "page": Limit(2 * GB, 0, "a page of 2 MB takes 0.1 GB, the libraries 0.5"),
    }
)
"""By what is read; docs/deploy.md has the table."""


class ChildEnded(Exception):
    """A child did not end well: its exit code; None where it took too long on the clock."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


def run(task: str, limit: str, *given: object) -> bytes:
    """Run a function of this package in a process of its own, and return the bytes that it returns.

    `task`: `package.module:function`, which returns bytes, or an exit code where it found something wrong; `limit`: a
    name of LIMITS; `given`: its arguments. Raises the AuditError that it raised, or ChildEnded where it ended
    otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="backlink-audit-") as folder:
        (Path(folder) / "given").write_bytes(pickle.dumps(given))
        try:
            child = subprocess.run(
                command(task, limit, folder),
                env=environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=2 * LIMITS[limit].seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ChildEnded(None) from None
        result = Path(folder) / "result"
        if child.returncode == REFUSED and result.exists():
            raise AuditError(result.read_text("utf-8"))
        if child.returncode:
            raise ChildEnded(child.returncode)
        return result.read_bytes()


def command(task: str, limit: str, folder: str = "") -> list[str]:
    """Return how a child is begun; without a folder it reads standard input and answers on standard output."""
    most = LIMITS[limit]
    return [sys.executable, "-P", "-m", __name__, task, str(most.memory), str(most.seconds), folder]


def environment() -> dict[str, str]:
    """Return an environment in which the child finds this package and starts no pools of threads."""
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def limit_oneself(memory: int, seconds: int) -> None:
    """Limit this process's address space and processor time, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; there the parent's clock is the only one.
        return
    limits = [(resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)]
    for what, most in [*limits, *([(resource.RLIMIT_CPU, seconds)] if seconds else [])]:
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (bound, bound))
        except (ValueError, OSError):  # macOS refuses some limits.
            continue


def main(task: str, memory: str, seconds: str, folder: str) -> int:
    """Run a function within its limits; return the exit code."""
    limit_oneself(int(memory), int(seconds))
    given = pickle.loads((Path(folder) / "given").read_bytes()) if folder else ()  # our own parent wrote it
    module, _, name = task.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)(*given)
    except MemoryError:
        return TOO_LARGE
    except AuditError as problem:
        (Path(folder) / "result").write_text(str(problem), "utf-8")
        return REFUSED
    if isinstance(found, bytes):
        (Path(folder) / "result").write_bytes(found)
        return 0
    return int(found or 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
