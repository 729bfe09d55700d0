"""A small file that a page reads at once, such as a saved review: what it holds, or the sentence that refuses it."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from backlink_audit.errors import AuditError

T = TypeVar("T")


def uploaded(label: str, types: list[str], key: str, read: Callable[[bytes, str], T]) -> tuple[str, T] | None:
    """Show an uploader; return a new file's name and what it holds, once, and empty the uploader.

    A file that cannot be read stays, under the sentence that says why.
    """
    turns = st.session_state.setdefault("reading_turns", {})
    file = st.file_uploader(label, type=types, key=f"upload:{key}:{turns.get(key, 0)}")
    if file is None:
        return None
    try:
        found = read(file.getvalue(), file.name)
    except AuditError as problem:
        st.error(str(problem))
        return None
    turns[key] = turns.get(key, 0) + 1
    return file.name, found
