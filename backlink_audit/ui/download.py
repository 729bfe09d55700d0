"""Every file that the app offers goes through here: none of a preview."""

from collections.abc import Callable

import streamlit as st

from backlink_audit.ui import preview

CSV = "text/csv"


def button(
    label: str,
    data: bytes | str | Callable[[], bytes],
    name: str,
    mime: str,
    key: str,
    *,
    primary: bool = False,
    disabled: bool = False,
) -> None:
    """Offer a file; nothing while a preview is shown.

    Args:
        label: What the button says.
        data: The file, or what makes it when the button is pressed.
        name: The file's name.
        mime: Its kind.
        key: Unique on the page.
        primary: Whether it is the one that most visitors need.
        disabled: Whether there is nothing to take.
    """
    if preview.is_shown():
        return
    st.download_button(
        label,
        data,
        name,
        mime,
        key=key,
        on_click="ignore",
        type="primary" if primary else "secondary",
        disabled=disabled,
    )
