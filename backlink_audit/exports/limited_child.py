"""A child process for reading what may be made to harm: it limits its own memory and time, and ends alone.

The program of the child begins with `limit`; its last two arguments are the limits. `run` starts it and says how it
ended, by its exit code; a negative one is the signal that ended it.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType


def run(program: ModuleType, *arguments: str, memory: int, seconds: int) -> int:
    """Run a program of this package in a process of its own; return its exit code.

    Args:
        program: The module.
        arguments: Its own arguments.
        memory: Bytes of address space that it may take.
        seconds: Seconds of the processor that it may take; on the clock it may be twice as many, as the processor may
            be busy with other visitors' files.

    Raises:
        subprocess.TimeoutExpired: it took longer than that on the clock.
    """
    child = subprocess.run(
        [sys.executable, "-P", "-m", program.__name__, *arguments, str(memory), str(seconds)],
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=2 * seconds,
        check=False,
    )
    return child.returncode


def limit(memory: int, seconds: int) -> None:
    """Limit this process's address space in bytes and its processor time in seconds, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; there the parent's clock is the only one.
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (bound, bound))
        except (ValueError, OSError):  # macOS refuses some limits.
            continue


def _environment() -> dict[str, str]:
    """Return an environment in which the child finds this package and starts no pools of threads."""
    package_root = str(Path(__file__).parents[2])
    paths = [package_root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
