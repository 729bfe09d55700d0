"""The preview of a result by a quicker model: how it is marked on the page, so that nobody takes it for the result.

While one is shown, tables and charts offer no file (`download`, `show.chart`, `worktable.grid`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from backlink_audit.progress import Progress
from backlink_audit.ui import session
from backlink_audit.ui.session import Key
from backlink_audit.wording import time_in_words

T = TypeVar("T")

RENEWED_SECONDS = 2.0  # How often the time in a mark is brought up to date


@dataclass(frozen=True)
class Preview(Generic[T]):
    """How to make a preview: `work` makes it with the model `by`; the result by `model` comes after it."""

    work: Callable[[Progress], T]
    by: str
    model: str

    def sentence(self, seconds_left: float | None) -> str:
        """Say whose result is shown, and when the other comes, if that is known.

        >>> Preview(lambda _: 0, "Instant", "all-MiniLM-L6-v2").sentence(24.0)
        'Preview by Instant; all-MiniLM-L6-v2 follows in about 25 seconds'
        """
        when = "" if seconds_left is None else f" in about {time_in_words(seconds_left)}"
        return f"Preview by {self.by}; {self.model} follows{when}"


def mark_page(sentence: Callable[[], str]) -> None:
    session.keep(Key.PREVIEW, sentence)


def unmark_page() -> None:
    session.remove(Key.PREVIEW)


def is_shown() -> bool:
    return _sentence() is not None


def mark() -> None:
    """Say beside a figure, a chart or a table that it is a preview, if it is."""
    if is_shown():
        _mark()


@st.fragment(run_every=RENEWED_SECONDS)
def _mark() -> None:
    sentence = _sentence()
    if sentence is not None:
        st.caption(f"**{sentence()}**")


def _sentence() -> Callable[[], str] | None:
    return session.kept(Key.PREVIEW, lambda: None)
