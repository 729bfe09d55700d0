"""Sign-in by OpenID Connect, where the server's owner set it up: who a visitor is, the way in and the way out."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.errors import StreamlitAuthError
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from backlink_audit.errors import AuditError, InvalidSetting

LONGEST_OWNER = 320  # Letters of the store's column
NOT_READY = "Sign-in does not work on this server. Please ask the administrator to fix this: {}"
UNREADABLE = "secrets.toml cannot be read; the server log has the reason."
EMPTY = "the [auth] section in secrets.toml is empty, or its name is not in lower case."
FULL = "This server has too many users at the moment. Please try again in a few minutes."
PREFIX = "BACKLINK_AUDIT_"


def require() -> None:
    """Let a visitor in who has signed in, where that is asked; show anybody else the way in, and stop."""
    wrong = wrong_sign_in()
    if not wrong and (not asks_for_sign_in() or is_signed_in(st.user.to_dict())):
        return
    from backlink_audit.ui import show  # not before the server answers: tests/ui/frame/test_warm_up.py

    st.title("Backlink Audit")
    if wrong:
        st.error(NOT_READY.format(wrong))
        st.stop()
    st.markdown("Sign in to use this app. Only you can see your projects.")
    for provider in providers():
        words = f"Sign in with {show.plain(provider)}" if provider else "Sign in"
        if st.button(words, key=f"sign-in-{provider}", type="primary"):
            try:
                st.login(provider or None)
            except StreamlitAuthError as problem:
                st.error(show.plain(NOT_READY.format(str(problem).strip().splitlines()[0])))
    st.stop()


def sidebar() -> None:
    """Show who is signed in, with the way out; nothing on a server that asks nobody."""
    user = st.user.to_dict()
    if not is_signed_in(user):
        return
    from backlink_audit.ui import show

    with st.sidebar:
        st.caption(f"Signed in as **{show.plain(name_of(user))}**")
        if st.button("Sign out", key="sign-out"):
            st.logout()


def owner() -> str:
    """Return whose projects these are: the user who signed in, or nobody's on one's own machine."""
    from backlink_audit.projects.projects import NOBODY

    user = st.user.to_dict()
    return owner_of(user) if is_signed_in(user) else NOBODY


def name_of(user: Mapping[str, Any]) -> str:
    """Return what a user is called on screen.

    >>> name_of({"sub": "17", "email": "ann@site.example"}), name_of({"sub": "17"})
    ('ann@site.example', '17')
    """
    return str(user.get("email") or user.get("name") or user["sub"])


def owner_of(user: Mapping[str, Any]) -> str:
    """Return what a user's projects are kept under: the number that the provider gave them, and the provider.

    These two alone never change and are never given to somebody else (OpenID Connect Core, 5.7); an e-mail address may
    be both. A pair that is too long for the store is shortened to its hash.

    >>> owner_of({"iss": "https://id.example", "sub": "17", "email": "ann@site.example"})
    '17 https://id.example'
    """
    whole = f"{user['sub']} {user['iss']}"
    return whole if len(whole) <= LONGEST_OWNER else sha256(whole.encode("utf-8", "replace")).hexdigest()


def is_signed_in(user: Mapping[str, Any]) -> bool:
    return bool(user.get("is_logged_in"))


def asks_for_sign_in() -> bool:
    return _section() is not None


def wrong_sign_in() -> str:
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
    if not st.secrets.load_if_toml_exists():
        return None
    named = [name for name in st.secrets if name.casefold() == "auth"]
    return st.secrets.get("auth", {}) if named else None


def running() -> Runtime | None:
    """Return the server that this process is; None in a test of pages alone."""
    found = runtime.get_instance() if runtime.exists() else None
    return found if hasattr(found, "_session_mgr") else None  # tests of pages have a stand-in


def uploaded_bytes(session: str) -> int:
    """Return how many bytes of a visitor's session the server keeps that were uploaded and are not read yet."""
    server = running()
    files = {} if server is None else server.uploaded_file_mgr.file_storage  # type: ignore[attr-defined]
    return sum(len(file.data) for file in files.get(session, {}).values())


def forget_uploaded(files: Sequence[UploadedFile]) -> None:
    """Drop the bytes of files that were read: the server would keep them as long as the visitor stays."""
    server, context = running(), get_script_run_ctx()
    for file in files if server and context else ():
        server.uploaded_file_mgr.remove_file(context.session_id, file.file_id)  # type: ignore[union-attr]


def admit() -> None:
    """Let the visitor in, or say that the server is full, and stop. Those who came earlier stay.

    Who has not signed in yet takes nobody's place: else anybody with the address could keep everybody out.
    """
    most = limits().visitors
    server = running()
    if not most or server is None:
        return
    context = get_script_run_ctx()
    sessions = [one.session for one in server._session_mgr.list_active_sessions()]
    needs_sign_in = asks_for_sign_in()
    inside = [session.id for session in sessions if not needs_sign_in or is_signed_in(session._user_info)]
    if context is not None and context.session_id in inside[most:]:
        st.title("Backlink Audit")
        st.info(FULL)
        st.stop()


@dataclass(frozen=True)
class Limits:
    """Each limit is the environment variable of its name behind `BACKLINK_AUDIT_`, in capitals."""

    visitors: int = 50  # Browsers that are connected at once; 0: any number
    rows: int = 2_000_000  # Rows of one upload; 0: any number
    memory_mb: int = 0
    """Megabytes of the server's process, above which no more files are read and no more runs begun; 0: no limit."""
    upload_mb: int = 2048  # Megabytes that one visitor may upload at once, files that are not read yet; 0: any number
    runs: int = max(2, (os.cpu_count() or 1) // 4)
    """Runs at once. Embedding uses every core by itself; the second place lets a small file overtake."""
    waiting: int = 20  # Runs that may wait; visitors who come then are asked to come back
    readings: int = 2  # Uploads that are read at once; the others wait
    link_checks: int = 0
    """1: visitors may let this server ask referring pages; 0: only where it serves this machine alone."""
    shared: int = 0  # 1: projects are kept without sign-in too, the same ones for everybody who reaches the server


def limits() -> Limits:
    """Return the limits of this server. Raises InvalidSetting for one that is no whole number from 0 on."""
    given = {field.name: os.environ.get(PREFIX + field.name.upper(), "") for field in fields(Limits)}
    wrong = [name for name, value in given.items() if value and not value.isdecimal()]
    if wrong:
        raise InvalidSetting(f"{PREFIX}{wrong[0].upper()} must be a whole number, not {given[wrong[0]]!r}.")
    return Limits(**{name: int(value) for name, value in given.items() if value})


def memory_mb() -> int:
    """Return the megabytes that this process takes; 0 where the system does not say (only Linux does)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024**2
    except OSError:
        return 0


def refuse_without_memory() -> None:
    """Raise AuditError where the server takes more than it may: better one visitor waits than all lose their work."""
    most = limits().memory_mb
    if most and memory_mb() > most:
        raise AuditError("The server has no free memory at the moment. Please try again in a few minutes.")
