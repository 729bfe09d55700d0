"""What one server gives at most, as its environment says: docs/deploy.md lists it."""

import os
from dataclasses import dataclass, fields

from backlink_audit.errors import AuditError

PREFIX = "BACKLINK_AUDIT_"


@dataclass(frozen=True)
class Limits:
    """Each limit is the environment variable of its name behind `BACKLINK_AUDIT_`, in capitals."""

    visitors: int = 50
    """Browsers that are connected at once; 0: any number."""
    rows: int = 2_000_000
    """Rows of one upload; 0: any number."""
    memory_mb: int = 0
    """Megabytes of the server's process, above which no more files are read and no more runs begun; 0: no limit."""
    runs: int = max(2, (os.cpu_count() or 1) // 4)
    """Runs at once. Embedding uses every core by itself; the second place lets a small file overtake."""
    waiting: int = 20
    """Runs that may wait; visitors who come then are asked to come back."""
    previews: int = 1
    """1: while a slower model works, the page shows a preview by Instant, which is made ready beforehand; 0: none."""
    readings: int = 2
    """Uploads that are read at once; the others wait."""
    link_checks: int = 0
    """1: visitors may let this server ask referring pages; 0: only where it serves this machine alone."""
    shared: int = 0
    """1: projects are kept without sign-in too, the same ones for everybody who reaches the server."""


def limits() -> Limits:
    """Return the limits of this server. Raises ValueError for one that is no whole number from 0 on."""
    given = {field.name: os.environ.get(PREFIX + field.name.upper(), "") for field in fields(Limits)}
    wrong = [name for name, value in given.items() if value and not value.isdecimal()]
    if wrong:
        raise ValueError(f"{PREFIX}{wrong[0].upper()} must be a whole number, not {given[wrong[0]]!r}.")
    return Limits(**{name: int(value) for name, value in given.items() if value})


def memory_mb() -> int:
    """Return the megabytes that this process takes; 0 where the system does not say (only Linux does)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024**2
    except OSError:
        return 0


def refuse_without_memory() -> None:
    """Raise AuditError where the server takes more than it may: better one visitor waits than all lose their work."""
    most = limits().memory_mb
    if most and memory_mb() > most:
        raise AuditError("The server has no free memory at the moment. Please try again in a few minutes.")
