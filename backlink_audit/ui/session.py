"""What is kept for one visitor: the only module that reads or writes the session, and its keys in one place.

Widgets keep their own values under the keys their rooms give them; `typed` reads one that is not on the page.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")

SWITCHES = ("audit:log_dilution", "audit:followed_only", "audit:original_columns", "audit:filters:")
"""How the keys of the audit's switches begin."""
TABS = ":tabs"  # How the keys of tabs end
UPLOADERS = "upload:"
"""How the keys of uploaders begin: nobody but their visitor may set one, not even to its empty list."""


class Key(StrEnum):
    """Everything that is kept from one run of a page to the next, besides the values of widgets."""

    FILES = "files"  # The exports of each role, with the files they came from (`uploads`' rooms ask `loaded` for them)
    REFUSALS = "refusals"  # The files of each role that could not be used, and why
    LISTED = "listed"  # Of the loaded backlinks, the lists of linking pages without their links, and the other files
    MOVED = "moved"  # The files that were dropped on an uploader and went to other roles, by the uploader's role
    RECOGNISED = "recognised"  # What the loaded backlinks were recognised as
    AUDIT_ASKED = "audit_asked"  # That the audit is to start once its page is open
    SAMPLE_RUNS = "sample_runs"
    """What was run by itself since the sample project was opened; nothing while other files are loaded."""
    UPLOADS = "uploads"  # How many files each uploader took, which is part of its widget's key
    PAGE = "page"  # The title of the page that was drawn last
    JOBS = "jobs"  # The work under way and the last result of each label
    LANGUAGES = "languages"  # What a model is warned of with each set of files
    BRANDS = "brands"  # The parts found in the titles of each crawl
    PAGE_VECTORS = "page_vectors"  # The embeddings that were read last, with where they came from
    CLUSTER_EDITS = "cluster_edits"  # The clusters as they were found, and as their reader renamed and split them
    PROJECT = "project"  # The project that is open, with what of it is in the store already (`ui.projects`)
    OPENING = "opening"  # What names the project that is being opened in an address; "" while none is
    REVIEW = "review"  # What was decided about risky links and domains
    REVIEWED = "reviewed"  # The risks joined with the review, until one of the two is another
    WON = "won"  # The sites that outreach won, until they are others
    LESSON = "lesson"  # What the decisions of the review teach, until it is another
    SUBJECTS = "subjects"  # The off-topic and the competing pages of a crawl, until it or its queries are others
    TO_DO_LISTS = "to_do_lists"
    """The pages to merge, the old ones and the families of a crawl, until it or its queries are others."""
    REVIEW_TURN = "review_turn"
    """How often the review's table was drawn again; part of its key, so that nothing stays selected."""
    REVIEW_QUESTION = "review_question"  # A decision about many rows that waits for an answer
    TICKED = "ticked"  # The domains that were ticked to be disavowed though they look worth keeping
    LOADED_REVIEW = "loaded_review"  # A file of many decisions that waits for an answer
    FORMER_REVIEWS = "former_reviews"
    """The reviews before the last changes, each with what the change was: what can be undone."""
    DISAVOW_FILE = "disavow_file"  # The name and content of the disavow file that Google has now
    LOGO = "logo"  # The logo of a client's report: the file's name, and the picture as a data URL
    TRIED_LINKS = "tried_links"  # The name of a file of links that are tried out, and its pairs
    NEW_DISAVOW_FILE = "new_disavow_file"  # The disavow file to be
    SENT_FILE = "sent_file"  # The disavow file that Google has, compared with the links of a review
    CHOSEN_LINKS = "chosen_links"  # The last choice of links, and the audit with the figures of those
    SEARCHED = "searched"  # The index of the table that was searched by meaning last
    CHARTS = "charts"  # The charts of each key that were drawn last, with what they were drawn of
    EARNED = "earned"  # Suggested links with what their targets earn
    CLUSTERS_EARNED = "clusters_earned"  # Clusters with what their pages earn


PROJECT_IN_ADDRESS = "project"  # What names the open project in the address
DECIDED = (Key.REVIEW, Key.FORMER_REVIEWS, Key.REVIEW_QUESTION, Key.LOADED_REVIEW, Key.TICKED, Key.DISAVOW_FILE)
"""What belongs to one project alone, and is in the store."""


def kept(key: Key, first: Callable[[], T]) -> T:
    """Return what is kept under a key; where nothing is, keep what `first` makes."""
    if key not in st.session_state:
        st.session_state[key] = first()
    value: T = st.session_state[key]
    return value


def keep(key: Key, value: T) -> T:
    """Keep a value under a key, and return it."""
    st.session_state[key] = value
    return value


def made_of(key: Key, sources: tuple[object, ...], make: Callable[[], T]) -> T:
    """Return what is kept under a key, made again only where one of its sources is another object than before."""
    before = st.session_state.get(key)
    if before is None or any(one is not other for one, other in zip(before[0], sources, strict=True)):
        before = keep(key, (sources, make()))
    value: T = before[1]
    return value


def remove(key: Key) -> None:
    st.session_state.pop(key, None)


def typed(widget: str, otherwise: Any) -> Any:
    return st.session_state.get(widget, otherwise)


def with_prefix(prefix: str) -> dict[str, Any]:
    """Return the values of the widgets whose keys begin with this."""
    found = {key: st.session_state[key] for key in st.session_state if isinstance(key, str) and key.startswith(prefix)}
    return {key: value for key, value in found.items() if value is not None}


def keep_tabs() -> None:
    """Let the open tab of every page stay open while other pages are shown: tabs have no `persist_state`.

    Called in every run, before the page is drawn. Streamlit removes the value of a widget that a run does not
    draw, but not what that run has set.
    """
    for key in [key for key in st.session_state if isinstance(key, str) and key.endswith(TABS)]:
        st.session_state[key] = st.session_state[key]


def choices() -> dict[str, Any]:
    """Return what was chosen and typed in widgets, by their keys: texts, numbers and lists of them."""
    return {
        str(key): list(value) if isinstance(value, tuple) else value
        for key, value in st.session_state.items()
        if is_choice(key, value)
    }


def clear_choices() -> None:
    """Remove what was chosen and typed in widgets, switches included: the next page shows the defaults."""
    for key in [key for key in st.session_state if _is_of_a_widget(key)]:
        del st.session_state[key]


def _is_of_a_widget(key: object) -> bool:
    return isinstance(key, str) and key not in set(Key) and ":" in key and not key.startswith(UPLOADERS)


def is_choice(key: object, value: object) -> bool:
    """Whether it is a widget's value that may be set again: a text, a number or a list of them.

    Yes and no is none but for the audit's switches: a button's click is one, too, and nobody may set that.
    """
    if not _is_of_a_widget(key):
        return False
    if isinstance(value, bool):
        return str(key).startswith(SWITCHES)
    if isinstance(value, list | tuple):
        return all(isinstance(one, str | int | float) for one in value)
    return isinstance(value, str | int | float)


def fill_in(widget: str, value: Any) -> None:
    st.session_state[widget] = value


def leave_project() -> None:
    """Close the project. Files and results stay; what was decided stays in the project alone."""
    remove(Key.PROJECT)
    for key in DECIDED:
        remove(key)
    if PROJECT_IN_ADDRESS in st.query_params:
        del st.query_params[PROJECT_IN_ADDRESS]
