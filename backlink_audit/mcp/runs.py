"""Runs that take longer than an answer may: begun in a thread, one at a time, asked for by their names."""

import logging
import os
import shutil
import stat
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from backlink_audit.errors import OUT_OF_MEMORY, AuditError, Cancelled, is_out_of_memory
from backlink_audit.mcp.results import State, without_folders
from backlink_audit.progress import Progress

logger = logging.getLogger(__name__)

MOST_WAITING = 8  # Runs that may wait or be under way: each keeps the tables that it was given
KEPT = 6  # Finished results in memory; the oldest ones make room
WAITED = 2.0  # Seconds that a tool waits for a run before it answers that it is under way
UNEXPECTED = "Something unexpected went wrong; the server's log has more."

Work = Callable[[Progress], Any]
LARGEST = 100 * 1024**2  # Bytes of a file that is read here; larger ones are for the terminal, which works in parts
LISTED, MOST_COUNTED = 100, 100_000  # Files that are listed at most, and counted at most
LONGEST_NAME, LONGEST_SHOWN = 255, 60
"""Bytes of a file's name, and letters of one that are quoted where there is no such file."""


@dataclass(eq=False)
class Run:
    """One run: what it does now, and at its end the result or what went wrong."""

    name: str
    key: tuple[object, ...]
    state: State = "waiting"
    doing: str = ""
    done: int = 0
    total: int = 0
    result: Any = None
    problem: str = ""
    ended: threading.Event = field(default_factory=threading.Event)


class Runs:
    """The runs of one server, whichever client asks. The same work asked for twice is one run."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._guard = threading.Lock()
        self._turn = threading.Lock()
        self._begun = 0
        self._closing = threading.Event()

    def start(self, key: tuple[object, ...], work: Work) -> Run:
        """Begin a run, or return the one of this key if it has not failed; wait for its end for a moment."""
        with self._guard:
            found = next((run for run in self._runs.values() if run.key == key and run.state != "failed"), None)
            if found is None:
                if sum(not run.ended.is_set() for run in self._runs.values()) >= MOST_WAITING:
                    raise AuditError(
                        f"{MOST_WAITING} runs are waiting or running; ask run_status, and try again later."
                    )
                self._begun += 1
                found = Run(f"run-{self._begun}", key)
                self._runs[found.name] = found
                threading.Thread(target=self._do, args=(found, work), daemon=True, name=found.name).start()
            self._make_room()
        found.ended.wait(WAITED)
        return found

    def get(self, name: str) -> Run:
        """Return the run of that name. Raises AuditError."""
        with self._guard:
            if name in self._runs:
                self._runs.move_to_end(name)
                return self._runs[name]
            there = ", ".join(self._runs) or "none yet"
        raise AuditError(
            f"There is no run {name[:LONGEST_SHOWN]!r}. Runs: {there}. The results of older runs are no longer kept."
        )

    def knows(self, name: str) -> bool:
        return name in self._runs

    def close(self) -> None:
        self._closing.set()

    def _make_room(self) -> None:
        ended = [name for name, run in self._runs.items() if run.ended.is_set()]
        for name in ended[: max(0, len(ended) - KEPT)]:
            del self._runs[name]

    def _do(self, run: Run, work: Work) -> None:
        def on_progress(what: str, done: int, total: int) -> None:
            if self._closing.is_set():
                raise Cancelled
            run.doing, run.done, run.total = what, done, total

        try:
            with self._turn:
                run.state = "running"
                run.result = work(on_progress)
            run.state = "finished"
        except AuditError as problem:
            run.problem, run.state = without_folders(str(problem)), "failed"
        except Exception as problem:
            run.problem = OUT_OF_MEMORY if is_out_of_memory(problem) else UNEXPECTED
            run.state = "failed"
            logger.exception("%s failed", run.name)
        finally:
            run.ended.set()


@dataclass(frozen=True)
class BaseFolder:
    """A folder as it was given when the server was started."""

    path: Path

    def read(self, name: str) -> bytes:
        """Return the bytes of a file. Raises AuditError for one that is not there, too large, or not inside."""
        path = self.place(name)
        try:
            with open(_opened(self.path, path.relative_to(self.path).parts), "rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    raise AuditError(f"{name}: this is not a file.")
                if found.st_size > LARGEST:
                    raise AuditError(
                        f"{name}: larger than {LARGEST // 1024**2} MB; use `backlink-audit audit` in the terminal."
                    )
                return file.read(LARGEST + 1)
        except OSError as error:
            raise AuditError(f"{name}: cannot be opened ({(error.strerror or 'unknown error').lower()}).") from error

    def place(self, name: str) -> Path:
        """Return where a file of that name is, or would be. Raises AuditError for a name that leads elsewhere.

        Hidden files are none of an agent's: they hold passwords.
        """
        if not _can_be_a_name(name):
            raise AuditError(f"{name[:LONGEST_SHOWN]!r} cannot be the name of a file.")
        parts = PurePath(name.replace("\\", "/") if os.name == "nt" else name).parts
        inside = PurePath(name)
        if not parts or inside.is_absolute() or inside.drive or ".." in parts:
            raise AuditError(f"{name}: only files in the folder of this server can be used; give a name inside it.")
        if any(part.startswith(".") for part in parts):
            raise AuditError(f"{name}: hidden files are not read or written here.")
        path = self.path
        for part in parts:
            path = path / part
            if path.is_symlink() or _is_junction(path):
                raise AuditError(f"{name}: links are not followed; copy the file into the folder of this server.")
        return path

    def new(self, name: str) -> Path:
        """Return where a new file of that name would be. Raises AuditError where there is one already."""
        path = self.place(name)
        if path.exists():
            raise AuditError(f"{name}: this file exists already and is never replaced; choose another name.")
        return path

    def write_new(self, name: str, source: Path) -> None:
        """Copy a file into the folder under a new name, in place of nothing. Raises AuditError."""
        parts = self.new(name).relative_to(self.path).parts
        try:
            with open(_opened(self.path, parts, new=True), "wb") as file, source.open("rb") as made:
                shutil.copyfileobj(made, file)
        except OSError as error:
            raise AuditError(f"{name}: cannot be written ({(error.strerror or 'unknown error').lower()}).") from error

    def files(self) -> tuple[list[str], int]:
        """Return the names of the files inside, LISTED at most, no links or hidden ones, and how many are left."""
        found: list[str] = []
        for folder, folders, names in os.walk(self.path, followlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inside = [Path(folder) / name for name in sorted(names) if not name.startswith(".")]
            found += [path.relative_to(self.path).as_posix() for path in inside if not path.is_symlink()]
            if len(found) > MOST_COUNTED:
                break
        return found[:LISTED], max(0, len(found) - LISTED)


def _can_be_a_name(name: str) -> bool:
    try:
        return "\0" not in name and all(len(part.encode()) <= LONGEST_NAME for part in name.split("/"))
    except UnicodeEncodeError:  # half of a character
        return False


def _opened(folder: Path, parts: tuple[str, ...], new: bool = False) -> int:
    """Open a file below a folder, each folder on the way by the handle of the one above; no link is followed.

    So none can be put in the place of a folder between the look at it and the opening. `new`: to be made, and written.
    Raises OSError.
    """
    links, text = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_BINARY", 0)
    last = (os.O_WRONLY | os.O_CREAT | os.O_EXCL if new else os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)) | links | text
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(folder.joinpath(*parts), last)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | links)
    for place, part in enumerate(parts):
        flags = last if place == len(parts) - 1 else os.O_RDONLY | os.O_DIRECTORY | links
        try:
            inner = os.open(part, flags, 0o666, dir_fd=handle)
        finally:
            os.close(handle)
        handle = inner
    return handle


def base_folder(path: Path) -> BaseFolder:
    """Return the base folder at a path. Raises AuditError where there is none, or a link is in its place."""
    if path.is_symlink() or _is_junction(path):
        raise AuditError(f"{path}: this is a link; name the folder itself: {path.resolve()}.")
    if not path.is_dir():
        raise AuditError(f"{path}: there is no such folder.")
    return BaseFolder(path.resolve())


def _is_junction(path: Path) -> bool:
    """Return whether a path is what Windows has besides links; Python tells since 3.12."""
    tells = getattr(path, "is_junction", None)
    return bool(tells and tells())
