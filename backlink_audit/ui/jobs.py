"""Heavy work in the background: one queue for all, progress with time left, a Stop button, and results that stay.

A page calls `run(key, label, work)`. It shows the button, then the progress, and returns the last result. A result is
marked as belonging to earlier settings or files as soon as the key is no longer the one it was made with.
"""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from backlink_audit.errors import OUT_OF_MEMORY, AuditError, Cancelled, is_out_of_memory
from backlink_audit.progress import Progress
from backlink_audit.ui import session, show, upload_state
from backlink_audit.ui.access import limits, refuse_without_memory
from backlink_audit.ui.session import Key
from backlink_audit.wording import time_in_words

LEAST_SHARE = 0.05
LEAST_SECONDS = 3.0  # Before so much is done, and so long is worked on, nothing is promised
FOLLOWING_SECONDS = 15.0  # A changed speed moves the promised end two thirds of the way in so many seconds
ABANDONED = 120  # Seconds after which the job of a visitor who has closed the page is stopped
SORRY = (
    "Something went wrong in the app; the server log has the details. Your files are still loaded, so you can try "
    "again or change a setting."
)

_log = logging.getLogger(__name__)
_pool = ThreadPoolExecutor(max(1, limits().runs), thread_name_prefix="job")
_waiting: list["Job"] = []
_running: list["Job"] = []
_lock = threading.Lock()
T = TypeVar("T")
WAIT_SECONDS = 0.4
"""Seconds for which a click waits for its result before a progress bar is drawn. Tests wait as long as it takes."""


class TimeLeft:
    """The pace of one stage. Shares are 0 to 1; times are seconds of any clock that only goes on.

    It is measured from the first step that was done, so that what comes before, such as loading a model, is no part of
    it, and over the later half of the time since, so that a lasting change is followed.
    """

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float]] = deque()
        self._first: tuple[float, float] | None = None
        self._end: float | None = None  # When the stage is promised to end

    def report(self, share: float | None, now: float) -> None:
        """Note how much is done; None or 0: it is not known yet."""
        if not share:
            self._steps.clear()
            self._first = self._end = None
            return
        if self._first is None:
            self._first = (share, now)
        elif share <= self._steps[-1][0]:
            return
        first, began = self._first
        before = self._steps[-1][1] if self._steps else now
        self._steps.append((share, now))
        while len(self._steps) > 2 and self._steps[1][1] <= (began + now) / 2:
            self._steps.popleft()
        if share - first < LEAST_SHARE or now - began < LEAST_SECONDS:
            return
        earlier, then = self._steps[0]
        end = now + (1 - share) * (now - then) / (share - earlier)
        followed = 1 - math.exp((before - now) / FOLLOWING_SECONDS)
        self._end = end if self._end is None else self._end + followed * (end - self._end)

    def seconds_left(self, now: float) -> float | None:
        return None if self._end is None else max(0.0, self._end - now)


@dataclass(eq=False)
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
    _time_left: TimeLeft = field(default_factory=TimeLeft)
    _last_seen: float = field(default_factory=time.monotonic)
    _stop: threading.Event = field(default_factory=threading.Event)
    _finished: threading.Event = field(default_factory=threading.Event)

    @property
    def finished(self) -> bool:
        return self._finished.is_set()

    @property
    def place(self) -> int:
        """How many jobs are before this one in the queue, plus one; 0 once it runs."""
        with _lock:
            return _waiting.index(self) + 1 if self in _waiting else 0

    @property
    def seconds_left(self) -> float | None:
        return self._time_left.seconds_left(time.monotonic())

    def stop(self) -> None:
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        return self._finished.wait(seconds)

    def progress(self, what: str, done: int, total: int) -> None:
        """Note how far the job is. Raises Cancelled when it was stopped or its visitor is gone."""
        if self._stop.is_set() or self._abandoned():
            raise Cancelled
        if what != self.what:
            self.what, self._time_left = what, TimeLeft()
        self.share = min(done / total, 1.0) if total else None
        self._time_left.report(self.share, time.monotonic())

    def perform(self) -> None:
        """Do the work. Never raises: what went wrong is kept as a sentence."""
        with _lock:
            _waiting.remove(self)
            _running.append(self)
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
            with _lock:
                _running.remove(self)
            self._finished.set()

    def _abandoned(self) -> bool:
        now = time.monotonic()
        gone = not runtime.exists()  # as in a test of pages alone, between two runs
        if self.session is None or gone or runtime.get_instance().is_active_session(self.session):
            self._last_seen = now
        return now - self._last_seen > ABANDONED


def submit(job: Job) -> bool:
    """Put a job at the end of the queue; return whether there was a place for it."""
    with _lock:
        if len(_waiting) >= limits().waiting:
            return False
        _waiting.append(job)
    _pool.submit(job.perform)
    return True


def describe(job: Job) -> str:
    """Say what a job does, how far it is and how long it still takes."""
    if job.place:
        return f"Waiting: position {job.place} in the queue."
    text = job.what if not job.share else f"{job.what}: {job.share:.0%}"
    left = job.seconds_left
    return text if left is None else f"{text}, about {time_in_words(left)} left"


@dataclass(frozen=True)
class Problem:
    """Why a run brought no result, in a sentence, and the key it was started with."""

    key: Hashable
    sentence: str
    stopped: bool = False


@dataclass
class _Slot:
    """What one label has in the session: the job under way, the last result, and the last problem if it came later."""

    job: Job | None = None
    key: Hashable = None
    result: Any = None
    problem: Problem | None = None

    def collect(self) -> None:
        job = self.job
        if job is None or not job.finished:
            return
        self.job, self.problem = None, None
        if job.problem is None:
            self.key, self.result = job.key, job.result
        else:
            self.problem = Problem(job.key, job.problem, job.stopped)

    def is_fresh(self, key: Hashable) -> bool:
        return self.result is not None and self.key == key

    def problem_of(self, key: Hashable) -> Problem | None:
        return self.problem if self.problem is not None and self.problem.key == key else None


def run(
    key: Hashable,
    label: str,
    work: Callable[[Progress], T],
    *,
    automatic: bool = False,
    at_once: bool | None = None,
    again_in: DeltaGenerator | None = None,
) -> T | None:
    """Show a button that runs `work` in the background, and return its last result, or None if there is none yet.

    `key`: everything the result depends on: fingerprints of exports and frozen settings. A result of another key is
    still returned, under a notice that says so. `label`: what the button says, and the name under which the result is
    kept for the session. `work` is called in a thread of its own, without Streamlit; an AuditError it raises is shown
    as it is, any other goes to the server's log. `automatic`: start without a click, and show no button: for work of a
    second or two. `at_once`: start without a click, this time; None: for the sample project. `again_in`: where the
    button stands while the result is of this key; with the first result the page is drawn again, as it looks with one.
    """
    was_there = is_shown(label)
    if at_once is None:
        at_once = again_in is not None and upload_state.starts_by_itself(label)
    slot = _slot(label)
    spot = again_in if again_in is not None and slot.is_fresh(key) else st.container()
    button = spot.empty()
    if slot.job is None and _is_wanted(slot, key, label, automatic, at_once, button):
        _start(slot, key, work)
        if slot.job is not None and slot.job.wait(WAIT_SECONDS):
            slot.collect()
    if again_in is not None and not was_there and slot.result is not None:
        st.rerun()
    problem = slot.problem_of(key)
    if slot.job is not None:
        button.empty()
        _watch(label)
    elif problem is not None:
        (st.info if problem.stopped else st.error)(show.plain(problem.sentence))
    if slot.result is not None and not slot.is_fresh(key):
        st.warning(f"These results are for the earlier file or settings. Click “{label}” again to update them.")
    return slot.result


def _is_wanted(slot: _Slot, key: Hashable, label: str, automatic: bool, at_once: bool, place: DeltaGenerator) -> bool:
    failed = slot.problem_of(key) is not None
    wanted = (automatic or at_once) and not failed and not slot.is_fresh(key)
    if automatic and not failed:
        return wanted
    return place.button(label, key=f"run:{label}", type="primary") or wanted


def last(label: str, key: Hashable = None) -> Any:
    """Return the last result kept under a label, or None; with `key`, only if it was made with that key."""
    slot = _slot(label)
    slot.collect()
    return slot.result if key is None or slot.key == key else None


def is_shown(label: str) -> bool:
    """Return whether a result is kept under a label."""
    slot = _slot(label)
    slot.collect()
    return slot.result is not None


def is_of(label: str, fingerprint: str) -> bool:
    """Return whether the last result kept under a label is of this file, the first in its key, with any settings."""
    slot = _slot(label)
    slot.collect()
    return slot.result is not None and isinstance(slot.key, tuple) and slot.key[:1] == (fingerprint,)


def put(label: str, key: Hashable, result: Any) -> None:
    """Keep a result that was made before under a label, as if it had been made with this key just now."""
    slot = _slot(label)
    slot.key, slot.result, slot.problem = key, result, None


def clear() -> None:
    """Stop all work of this visitor and remove its results: other files are loaded in place of theirs."""
    slots: dict[str, _Slot] = session.kept(Key.JOBS, dict)
    for slot in slots.values():
        if slot.job is not None:
            slot.job.stop()
    session.remove(Key.JOBS)


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
    if submit(job):
        slot.job = job
    else:
        slot.problem = Problem(key, "Too many users are waiting. Please try again in a few minutes.")


@st.fragment(run_every=0.5)
def _watch(label: str) -> None:
    slot = _slot(label)
    job = slot.job
    if job is None or job.finished:
        st.rerun()
    with st.container(border=True):
        st.progress(job.share or 0.0, text=show.plain(describe(job)))
        if st.button("Stop", key=f"stop:{label}"):
            job.stop()
