"""Runs that take longer than an answer may: begun in a thread, one at a time, asked for by their names."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from backlink_audit.errors import OUT_OF_MEMORY, AuditError, Cancelled, is_out_of_memory
from backlink_audit.mcp.answers import State
from backlink_audit.progress import Progress

logger = logging.getLogger(__name__)

KEPT = 6
"""Finished results in memory; the oldest ones make room."""
WAITED = 2.0
"""Seconds that a tool waits for a run before it answers that it is under way."""
UNEXPECTED = "Something unexpected went wrong; the server's log has more."

Work = Callable[[Progress], Any]


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
        raise AuditError(f"There is no run {name!r}. Runs: {there}. The results of older runs are no longer kept.")

    def knows(self, name: str) -> bool:
        """Whether there is a run of that name."""
        return name in self._runs

    def close(self) -> None:
        """Stop what is under way."""
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
            run.problem, run.state = str(problem), "failed"
        except Exception as problem:
            run.problem = OUT_OF_MEMORY if is_out_of_memory(problem) else UNEXPECTED
            run.state = "failed"
            logger.exception("%s failed", run.name)
        finally:
            run.ended.set()
