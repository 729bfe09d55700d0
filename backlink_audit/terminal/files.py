"""What the commands share: files in, progress and sentences on standard error, files out."""

import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from backlink_audit.errors import AuditError, Cancelled
from backlink_audit.feature import read_bytes
from backlink_audit.progress import Progress

if TYPE_CHECKING:
    from backlink_audit.exports.recognise import Export

OBEYED_AS = "\N{REPLACEMENT CHARACTER}"
TURNS = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)), "\u200e", "\u200f", "\u061c"}
"""What makes the rest of a line run the other way, so that it reads as another."""

SECONDS_BETWEEN_LINES = 20.0  # Where standard error is a file, a line says so often how far the run is

errors = Console(stderr=True, highlight=False, soft_wrap=True)
NEEDS_YES = "To send these requests from a script, add --yes."
NOT_SENT = "No request was sent."


def say(*sentences: str) -> None:
    """Print each sentence on a line of standard error, as `shown` makes it."""
    for sentence in sentences:
        errors.print(shown(sentence), markup=False, emoji=False)


def shown(text: str) -> str:
    r"""Return text on one line without anything that a terminal would obey: its codes, and turns of the direction.

    >>> shown("a\x1b[2Jb\n c \u202ed")
    'a�[2Jb c �d'
    """
    line = " ".join(text.split())
    return "".join(
        OBEYED_AS if unicodedata.category(letter) in ("Cc", "Cs") or letter in TURNS else letter for letter in line
    )


def load(paths: list[Path], table: str, site: str | None = None) -> "Export":
    """Read the files as one export of that table; `site` as in `exports.load.load`. Raises FileProblem."""
    from backlink_audit.exports.load import load as load_exports

    return load_exports([(path.name, read_bytes(path)) for path in paths], table, site=site or "")


def load_any(path: Path) -> "Export":
    """Read a file as whatever export it is. Raises FileProblem."""
    from backlink_audit.exports.load import recognise_file

    return recognise_file(path.name, read_bytes(path))


def notes_of(*exports: "Export | None") -> list[str]:
    return [note for export in exports if export is not None for note in export.notes]


@contextmanager
def progress() -> Iterator[Progress]:
    """Show on standard error how far the stages are and how long still; in a file a line now and then."""
    if not errors.is_terminal:
        yield lines_now_and_then(time.monotonic)
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=errors, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def on_progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                for earlier in bars.tasks:  # the last step of a stage is never reported
                    bars.update(earlier.id, total=earlier.total or 1, completed=earlier.total or 1)
                tasks[what] = bars.add_task(what, total=None)
            if total > 1:  # of a single step the bar moves to and fro
                bars.update(tasks[what], completed=done, total=total)

        yield on_progress


def lines_now_and_then(clock: Callable[[], float]) -> Progress:
    """Return a progress that says a line every SECONDS_BETWEEN_LINES by the clock (seconds): nothing of a short run."""
    said = clock()

    def on_progress(what: str, done: int, total: int) -> None:
        nonlocal said
        if clock() - said >= SECONDS_BETWEEN_LINES:
            said = clock()
            say(f"{what}: {done:,} of {total:,}" if total > 1 else f"{what} …")

    return on_progress


@contextmanager
def message_when_stopped(sentence: str) -> Iterator[None]:
    """Say the sentence if the user stops what is done here with Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        say(sentence)
        raise


def ask_first() -> None:
    """Ask the user. Raises Cancelled without a yes, and AuditError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise AuditError(f"{NOT_SENT} {NEEDS_YES}")
    if not typer.confirm("Send these requests?", err=True):
        raise Cancelled(NOT_SENT)
