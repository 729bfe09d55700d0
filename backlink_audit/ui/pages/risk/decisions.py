"""The decisions of this session: asked about where they are many, changed, undone."""

from collections.abc import Collection, Mapping

import streamlit as st

from backlink_audit.pipelines.risk.question import Question
from backlink_audit.pipelines.risk.result import Review
from backlink_audit.ui import session
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show
from backlink_audit.wording import count

STEPS = 20
"""How many changes can be undone."""
Former = tuple[Review, str]
"""A review before a change, and the sentence that says what the change was."""
SHORT_LIST, LIST_HEIGHT = 8, 240
"""Domains that are named without scrolling, and the height in pixels of a longer list."""
MOST_TICKS = 200
"""Domains that can be ticked at once; the rest are left out."""
EXCLUDED = "Excluded unless you select them"


def current() -> Review:
    """Return what was decided in this session; at first nothing."""
    return session.kept(Key.REVIEW, Review)


def turn() -> int:
    """Return how often the review was drawn again."""
    return session.kept(Key.REVIEW_TURN, int)


def decide(question: Question) -> None:
    """Set the state of the question's rows at once, or ask first where they are many or one looks worth keeping."""
    if question.is_needed:
        session.keep(Key.REVIEW_QUESTION, question)
    else:
        _answer(question, question.with_ticked())


def ticked() -> frozenset[str]:
    """Return the domains that were ticked to be disavowed though they look worth keeping."""
    return session.kept(Key.TICKED, frozenset)


def tick_list(worth: Mapping[str, str], key: str, before: Collection[str] = ()) -> list[str]:
    """Show domains that look worth keeping, each with its reasons and a box, and return the ticked ones."""
    shown = list(worth.items())[:MOST_TICKS]
    with st.container(height=LIST_HEIGHT if len(shown) > SHORT_LIST else "content", border=True):
        chosen = [
            site
            for site, why in shown
            if st.checkbox(f"**{show.plain(site)}**: {show.plain(why)}", site in before, key=f"{key}:{site}")
        ]
    if len(worth) > MOST_TICKS:
        st.caption(
            f"{count(len(worth) - MOST_TICKS, 'more domain')} of this kind: excluded. Select fewer rows to see them."
        )
    return chosen


def change(review: Review, what: str) -> None:
    """Put another review in place of this one, and keep the former one with the sentence on what was changed."""
    former = _former()
    session.keep(Key.FORMER_REVIEWS, (*former, (current(), what))[-STEPS:])
    _put(review)


def offer_undo() -> None:
    """Say what was changed last, with a button that undoes it; nothing at first."""
    former = _former()
    if not former:
        return
    review, what = former[-1]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(show.plain(what), width="content")
        if st.button("Undo", key="review:undo", icon=":material/undo:"):
            session.keep(Key.FORMER_REVIEWS, former[:-1])
            _put(review)


def ask() -> None:
    """Show the question that waits for an answer, if there is one."""
    question = session.kept(Key.REVIEW_QUESTION, lambda: None)
    if question is not None:
        _dialog(question)


def _former() -> tuple[Former, ...]:
    first: tuple[Former, ...] = ()
    return session.kept(Key.FORMER_REVIEWS, lambda: first)


def _cancel() -> None:
    session.remove(Key.REVIEW_QUESTION)


@st.dialog("Apply this state?", on_dismiss=_cancel)
def _dialog(question: Question) -> None:
    st.write(f"**{show.plain(question.sentence)}**")
    chosen: list[str] = []
    worth = question.worth_keeping
    if len(worth):
        st.warning(f"{count(len(worth), 'domain')} that may be worth keeping. {EXCLUDED}:")
        chosen = tick_list(dict(zip(worth["referring_domain"], worth["why"], strict=True)), "question:tick")
    st.write(f"The largest: {show.plain(question.largest)}.")
    items = question.with_ticked(chosen)
    with st.container(horizontal=True):
        label = f"Apply to {len(items):,} of {len(question.items):,}" if len(worth) else f"Apply to all {len(items):,}"
        if st.button(label, key="question:apply", type="primary", disabled=not items):
            session.keep(Key.TICKED, ticked() | frozenset(chosen))
            _answer(question, items)
        if st.button("Cancel", key="question:cancel"):
            _cancel()
            st.rerun()


def _answer(question: Question, items: list[str]) -> None:
    _cancel()
    review = current().decide(question.scope, items, question.state, question.note or None)
    change(review, f"{count(len(items), question.noun)} set to “{question.state}”.")


def _put(review: Review) -> None:
    """Keep the review, and draw it again with nothing selected."""
    session.keep(Key.REVIEW, review)
    session.keep(Key.REVIEW_TURN, turn() + 1)
    st.rerun()
