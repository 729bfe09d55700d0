"""A command and its children, watched from outside: how long, with how much memory, and where they connect to.

Linux alone: it reads /proc, and strace where it is installed.
"""

import ipaddress
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
EVERY_SECONDS = 0.1
"""How often the memory is looked at. Each process's own peak, which the system keeps, is seen between looks too."""
STRACE = shutil.which("strace")
_CALLS = "connect,sendto,sendmsg,sendmmsg"
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_SESSION, _PAGES = 3, 21
"""Where /proc/…/stat has them, counted behind the name of the program."""


@dataclass(frozen=True)
class Run:
    """What a command did: its exit code, the lines it wrote, seconds, and the most memory of it and its children."""

    code: int
    lines: tuple[str, ...]
    seconds: float
    peak: int
    """Bytes, of all processes together; what they share is counted for each."""
    outside: tuple[str, ...]
    """The addresses beyond this machine that it connected to; () without strace, too."""


def run(command: Sequence[str], environment: Mapping[str, str], seconds: float) -> Run:
    """Run a command and watch it; it is ended after so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        calls, start = Path(folder) / "calls.txt", time.monotonic()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                watched(command, calls), env=environment, cwd=ROOT, stderr=said, stdout=said, start_new_session=True
            )
            peak = Peak(process.pid)
            while process.poll() is None:
                peak.look()
                if time.monotonic() - start > seconds:
                    end(process)
                time.sleep(EVERY_SECONDS)
            took = time.monotonic() - start
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").strip().splitlines()
        return Run(process.returncode, tuple(lines), took, peak.bytes, outside(calls))


class Peak:
    """The most memory that the processes of a session took at once."""

    def __init__(self, session: int) -> None:
        self.session, self.bytes = session, 0
        self._lock = threading.Lock()

    def look(self) -> None:
        """Look at them now."""
        with self._lock:
            now = memory(self.session)
            self.bytes = max(self.bytes, sum(now.values()), *map(_highest, now), 0)

    def begin(self) -> None:
        """Forget what was seen, and let the system forget it too."""
        with self._lock:
            self.bytes = 0
            for process in memory(self.session):
                with suppress(OSError):
                    Path(f"/proc/{process}/clear_refs").write_text("5")


def memory(session: int) -> dict[int, int]:
    """Return the bytes that each process of a session takes, by its number; strace itself is left out."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            name, _, rest = (folder / "stat").read_text(errors="replace").rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        if int(fields[_SESSION]) == session and not name.endswith("(strace"):
            found[int(folder.name)] = int(fields[_PAGES]) * os.sysconf("SC_PAGE_SIZE")
    return found


def _highest(process: int) -> int:
    try:
        status = Path(f"/proc/{process}/status").read_text(errors="replace")
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def watched(command: Sequence[str], calls: Path) -> list[str]:
    """Return the command as it is run under strace, which writes its connections to a file; as it is without one."""
    if STRACE is None:
        return list(command)
    return [STRACE, "--seccomp-bpf", "-f", "-qq", "-e", f"trace={_CALLS}", "-o", str(calls), *command]


def outside(calls: Path) -> tuple[str, ...]:
    """Return the addresses beyond this machine in what strace wrote, each once, in order."""
    text = calls.read_text(errors="replace") if calls.exists() else ""
    found = dict.fromkeys(one or other for one, other in _ADDRESS.findall(text))
    return tuple(address for address in found if not ipaddress.ip_address(address).is_loopback)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a command that leads a session of its own, with its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
