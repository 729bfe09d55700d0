"""What the server's secrets.toml says of sign-in: whether it is asked for, by whom, and whether that can work."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

UNREADABLE = "secrets.toml cannot be read; the server log has the reason."
EMPTY = "the [auth] section in secrets.toml is empty, or its name is not in lower case."


def asks_for_sign_in() -> bool:
    """Whether this server asks its visitors to sign in: its secrets.toml has an [auth] section, however written."""
    return _section() is not None


def wrong() -> str:
    """Return why nobody can sign in although somebody set sign-in up, or may have; "" where nothing is wrong.

    Streamlit takes a secrets.toml that it cannot read, an empty section and [Auth] for none, and lets everybody in.
    """
    try:
        there = any(map(Path.exists, map(Path, st.get_option("secrets.files"))))
        if there and not st.secrets.load_if_toml_exists():
            return UNREADABLE
    except (OSError, UnicodeDecodeError):
        return UNREADABLE
    section = _section()
    return "" if section is None or (section and isinstance(section, Mapping)) else EMPTY


def providers() -> list[str]:
    """Return the names of the providers to choose from; "" for the one without a name."""
    section = _section()
    unnamed = [""] if "client_id" in section else []
    named = [str(name) for name, value in section.items() if isinstance(value, Mapping) and "client_id" in value]
    return unnamed + named or [""]


def _section() -> Any:
    """Return what secrets.toml has under [auth]; {} where only its name is written otherwise, None without any."""
    if not st.secrets.load_if_toml_exists():
        return None
    named = [name for name in st.secrets if name.casefold() == "auth"]
    return st.secrets.get("auth", {}) if named else None
