"""Heavy work in the background: a bounded queue, progress with time left, a Stop button, and results that stay.

A page calls `run(key, label, work)`. It shows the button, then the progress, and returns the last result. A result is
marked as belonging to earlier settings or files as soon as the key is no longer the one it was made with.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from backlink_audit.errors import OUT_OF_MEMORY, AuditError, Cancelled, is_out_of_memory
from backlink_audit.pipelines.estimate import in_words
from backlink_audit.progress import Progress
from backlink_audit.ui import session, show
from backlink_audit.ui.limits import limits, refuse_without_memory
from backlink_audit.ui.pace import Pace
from backlink_audit.ui.session import Key

T = TypeVar("T")

PATIENCE = 0.4
"""Seconds for which a click waits for its result before a progress bar is drawn. Tests wait as long as it takes."""

ABANDONED = 120
"""Seconds after which the job of a visitor who has closed the page is stopped."""

SORRY = (
    "Something went wrong on our side, and the details are in the server's log. "
    "Your files are still loaded, so you can try again or change a setting."
)

_log = logging.getLogger(__name__)
_pool = ThreadPoolExecutor(max(1, limits().runs), thread_name_prefix="job")
_waiting: list["Job"] = []
_lock = threading.Lock()


@dataclass
class Job:
    """One run of `work`: how far it is, and in the end its result or the sentence that says why there is none."""

    key: Hashable
    work: Callable[[Progress], Any]
    session: str | None = None
    what: str = "Starting"
    share: float | None = None
    result: Any = None
    problem: str | None = None
    stopped: bool = False
    _pace: Pace = field(default_factory=Pace)
    _last_seen: float = field(default_factory=time.monotonic)
    _stop: threading.Event = field(default_factory=threading.Event)
    _finished: threading.Event = field(default_factory=threading.Event)

    @property
    def finished(self) -> bool:
        """Whether there is a result or a problem."""
        return self._finished.is_set()

    @property
    def place(self) -> int:
        """How many jobs are before this one in the queue, plus one; 0 once it runs."""
        with _lock:
            return _waiting.index(self) + 1 if self in _waiting else 0

    @property
    def seconds_left(self) -> float | None:
        """How long the present stage still takes; None while that cannot be told."""
        return self._pace.seconds_left(time.monotonic())

    def stop(self) -> None:
        """Ask the job to end; it does at its next sign of progress."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end at most that long; return whether it has come."""
        return self._finished.wait(seconds)

    def progress(self, what: str, done: int, total: int) -> None:
        """Note how far the job is. Raises Cancelled when it was stopped or its visitor is gone."""
        if self._stop.is_set() or self._abandoned():
            raise Cancelled
        if what != self.what:
            self.what, self._pace = what, Pace()
        self.share = min(done / total, 1.0) if total else None
        self._pace.report(self.share, time.monotonic())

    def perform(self) -> None:
        """Do the work. Never raises: what went wrong is kept as a sentence."""
        with _lock:
            _waiting.remove(self)
        try:
            self.progress("Starting", 0, 0)
            self.result = self.work(self.progress)
        except Cancelled as cancelled:
            self.problem, self.stopped = str(cancelled), True
        except AuditError as problem:
            self.problem = str(problem)
        except Exception as problem:
            _log.exception("A job failed.")
            self.problem = OUT_OF_MEMORY if is_out_of_memory(problem) else SORRY
        finally:
            self._finished.set()

    def _abandoned(self) -> bool:
        now = time.monotonic()
        if self.session is None or runtime.get_instance().is_active_session(self.session):
            self._last_seen = now
        return now - self._last_seen > ABANDONED


@dataclass(frozen=True)
class Problem:
    """Why a run brought no result, in a sentence, and the key it was started with."""

    key: Hashable
    sentence: str
    stopped: bool = False


@dataclass
class _Slot:
    """What one label has in the session: the job under way, the last result, and the last problem if it came later.

    Result and problem belong to the key they were made with.
    """

    job: Job | None = None
    key: Hashable = None
    result: Any = None
    problem: Problem | None = None

    def collect(self) -> None:
        """Take over what a finished job brought; a job without a result leaves the former one."""
        job = self.job
        if job is None or not job.finished:
            return
        self.job, self.problem = None, None
        if job.problem is None:
            self.key, self.result = job.key, job.result
        else:
            self.problem = Problem(job.key, job.problem, job.stopped)

    def is_fresh(self, key: Hashable) -> bool:
        """Whether there is a result, and it was made with this key."""
        return self.result is not None and self.key == key

    def problem_of(self, key: Hashable) -> Problem | None:
        """Return why the last run with this key brought no result, if that was so."""
        return self.problem if self.problem is not None and self.problem.key == key else None


def run(
    key: Hashable,
    label: str,
    work: Callable[[Progress], T],
    *,
    automatic: bool = False,
    at_once: bool = False,
    note: str = "",
) -> T | None:
    """Show a button that runs `work` in the background, and return its last result, or None if there is none yet.

    Args:
        key: Everything the result depends on: fingerprints of exports and frozen settings. When it is another than the
            one the last result was made with, the result is still returned, under a notice that says so.
        label: What the button says, and the name under which the result is kept for the session.
        work: Called with a Progress in a thread of its own. It must not use Streamlit. An AuditError it raises is
            shown as it is; any other exception goes to the server's log.
        automatic: Start without a click when there is no result for this key, and show no button: for work of a second
            or two.
        at_once: Start without a click, this time.
        note: Shown beside the button, for instance an estimate.
    """
    slot = _slot(label)
    slot.collect()
    if slot.job is None and _is_wanted(slot, key, label, automatic, at_once, note):
        _start(slot, key, work)
        if slot.job is not None and slot.job.wait(PATIENCE):
            slot.collect()
    problem = slot.problem_of(key)
    if slot.job is not None:
        _watch(label)
    elif problem is not None:
        (st.info if problem.stopped else st.error)(show.plain(problem.sentence))
    if slot.result is not None and not slot.is_fresh(key):
        st.warning(f"These figures belong to the earlier file or settings. {label} again to renew them.")
    return slot.result


def _is_wanted(slot: _Slot, key: Hashable, label: str, automatic: bool, at_once: bool, note: str) -> bool:
    """Show the button where one is needed, and return whether the work is to be started now."""
    failed = slot.problem_of(key) is not None
    wanted = (automatic or at_once) and not failed and not slot.is_fresh(key)
    if automatic and not failed:
        return wanted
    with st.container(horizontal=True, vertical_alignment="center"):
        clicked = st.button(label, key=f"run:{label}", type="primary")
        if note:
            st.caption(show.plain(note))
    return clicked or wanted


def last(label: str, key: Hashable = None) -> Any:
    """Return the last result kept under a label, or None; with `key`, only if it was made with that key."""
    slot = _slot(label)
    slot.collect()
    return slot.result if key is None or slot.key == key else None


def put(label: str, key: Hashable, result: Any) -> None:
    """Keep a result that was made before under a label, as if it had been made with this key just now."""
    slot = _slot(label)
    slot.key, slot.result, slot.problem = key, result, None


def _slot(label: str) -> _Slot:
    slots: dict[str, _Slot] = session.kept(Key.JOBS, dict)
    return slots.setdefault(label, _Slot())


def _start(slot: _Slot, key: Hashable, work: Callable[[Progress], Any]) -> None:
    context = get_script_run_ctx()
    job = Job(key, work, session=context.session_id if context and runtime.exists() else None)
    slot.problem = None
    try:
        refuse_without_memory()
    except AuditError as full:
        slot.problem = Problem(key, str(full))
        return
    with _lock:
        if len(_waiting) >= limits().waiting:
            slot.problem = Problem(key, "Many visitors are waiting already. Please try again in a few minutes.")
            return
        _waiting.append(job)
    slot.job = job
    _pool.submit(job.perform)


@st.fragment(run_every=0.5)
def _watch(label: str) -> None:
    """Draw the progress of a label's job twice a second, without touching the rest of the page."""
    slot = _slot(label)
    job = slot.job
    if job is None or job.finished:
        st.rerun()
    with st.container(border=True):
        st.progress(job.share or 0.0, text=show.plain(describe(job)))
        if st.button("Stop", key=f"stop:{label}"):
            job.stop()


def describe(job: Job) -> str:
    """Say what a job does, how far it is and how long it still takes."""
    if job.place:
        return f"Waiting: number {job.place} in the queue."
    text = job.what if not job.share else f"{job.what}: {job.share:.0%}"
    left = job.seconds_left
    return text if left is None else f"{text}, about {in_words(left)} left"
