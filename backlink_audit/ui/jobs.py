"""Heavy work in the background: progress with time left, a Stop button, a preview, and results that stay.

A page calls `run(key, label, work)`. It shows the button, then the progress, and returns the last result. A result is
marked as belonging to earlier settings or files as soon as the key is no longer the one it was made with.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from backlink_audit.errors import AuditError
from backlink_audit.progress import Progress
from backlink_audit.ui import queue, session, show
from backlink_audit.ui.access import refuse_without_memory
from backlink_audit.ui.preview import Preview, mark_page
from backlink_audit.ui.queue import Job
from backlink_audit.ui.session import Key

T = TypeVar("T")

WAIT_SECONDS = 0.4
"""Seconds for which a click waits for its result before a progress bar is drawn. Tests wait as long as it takes."""


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
    previewed: Any = None  # The preview that the page was drawn with last

    def collect(self) -> None:
        """Take over what a finished job brought; a job without a result leaves the former one."""
        job = self.job
        if job is None or not job.finished:
            return
        self.job, self.problem, self.previewed = None, None, None
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
    at_once: bool = False,
    preview: Preview[T] | None = None,
    again_in: DeltaGenerator | None = None,
) -> T | None:
    """Show a button that runs `work` in the background, and return its last result, or None if there is none yet.

    While it works, a preview is returned as soon as there is one, and the page is marked as that (`ui.preview`).

    Args:
        key: Everything the result depends on: fingerprints of exports and frozen settings. When it is another than the
            one the last result was made with, the result is still returned, under a notice that says so.
        label: What the button says, and the name under which the result is kept for the session.
        work: Called with a Progress in a thread of its own. It must not use Streamlit. An AuditError it raises is
            shown as it is; any other exception goes to the server's log.
        automatic: Start without a click when there is no result for this key, and show no button: for work of a second
            or two.
        at_once: Start without a click, this time.
        preview: How to make the preview; None: no preview.
        again_in: Where the button stands while the result is of this key; None: where it always is. With the first
            result the page is drawn again, as it looks with one.
    """
    was_there = is_shown(label)
    slot = _slot(label)
    spot = again_in if again_in is not None and slot.is_fresh(key) else st.container()
    button = spot.empty()
    if slot.job is None and _is_wanted(slot, key, label, automatic, at_once, button):
        _start(slot, key, work, preview)
        if slot.job is not None and slot.job.wait(WAIT_SECONDS):
            slot.collect()
    if again_in is not None and not was_there and slot.result is not None:
        st.rerun()
    problem = slot.problem_of(key)
    if slot.job is not None:
        button.empty()
        slot.previewed = slot.job.previewed
        _watch(label)
    elif problem is not None:
        (st.info if problem.stopped else st.error)(show.plain(problem.sentence))
    if slot.job is not None and slot.previewed is not None:
        mark_page(slot.job.words_for_preview)
        found: T = slot.previewed
        return found
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
    """Return whether a result is kept under a label, or a preview of it is there while the work goes on."""
    slot = _slot(label)
    slot.collect()
    return slot.result is not None or (slot.job is not None and slot.job.previewed is not None)


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


def _start(slot: _Slot, key: Hashable, work: Callable[[Progress], Any], preview: Preview[Any] | None) -> None:
    context = get_script_run_ctx()
    job = Job(key, work, session=context.session_id if context and runtime.exists() else None, preview=preview)
    slot.problem = None
    try:
        refuse_without_memory()
    except AuditError as full:
        slot.problem = Problem(key, str(full))
        return
    if queue.submit(job):
        slot.job = job
    else:
        slot.problem = Problem(key, "Too many users are waiting. Please try again in a few minutes.")


@st.fragment(run_every=0.5)
def _watch(label: str) -> None:
    """Draw the progress of a label's job twice a second, without touching the rest of the page."""
    slot = _slot(label)
    job = slot.job
    if job is None or job.finished or job.previewed is not slot.previewed:
        st.rerun()
    with st.container(border=True):
        st.progress(job.share or 0.0, text=show.plain(queue.describe(job)))
        if st.button("Stop", key=f"stop:{label}"):
            job.stop()
