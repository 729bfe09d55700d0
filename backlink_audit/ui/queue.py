"""The queue of all visitors' work: jobs one after the other, bounded, each with its progress and its preview."""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from streamlit import runtime

from backlink_audit.errors import OUT_OF_MEMORY, AuditError, Cancelled, is_out_of_memory
from backlink_audit.progress import Progress
from backlink_audit.ui.access import limits
from backlink_audit.ui.preview import Preview
from backlink_audit.wording import time_in_words

LEAST_SHARE = 0.05
LEAST_SECONDS = 3.0  # Before so much is done, and so long is worked on, nothing is promised
FOLLOWING_SECONDS = 15.0  # A changed speed moves the promised end two thirds of the way in so many seconds


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


@dataclass(eq=False)
class Job:
    """One run of `work`: how far it is, and in the end its result or the sentence that says why there is none."""

    key: Hashable
    work: Callable[[Progress], Any]
    session: str | None = None
    preview: Preview[Any] | None = None  # How to make a preview before the work itself; None: there is none
    previewed: Any = None  # The preview, once it is made
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

    def words_for_preview(self) -> str:
        return self.preview.sentence(self.seconds_left) if self.preview is not None else ""

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
            self._make_preview()
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

    def _make_preview(self) -> None:
        """Make the preview, if there is to be one; without it the work goes on. Raises Cancelled."""
        if self.preview is None:
            return
        by = self.preview.by
        try:
            self.previewed = self.preview.work(lambda what, *done: self.progress(f"Preview by {by}: {what}", *done))
        except Cancelled:
            raise
        except AuditError:
            return  # the work itself will say it, if it concerns that too
        except Exception:
            _log.exception("A preview failed.")

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


def is_idle() -> bool:
    """Whether no job runs or waits, of any visitor."""
    with _lock:
        return not _waiting and not _running


def describe(job: Job) -> str:
    """Say what a job does, how far it is and how long it still takes."""
    if job.place:
        return f"Waiting: position {job.place} in the queue."
    text = job.what if not job.share else f"{job.what}: {job.share:.0%}"
    left = job.seconds_left
    return text if left is None else f"{text}, about {time_in_words(left)} left"
