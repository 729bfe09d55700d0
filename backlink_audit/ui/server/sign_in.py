"""Sign-in by OpenID Connect, where the server's owner set it up: who a visitor is, the way in and the way out."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAuthError

from backlink_audit.projects.content.projects import NOBODY
from backlink_audit.ui.server import secrets_file
from backlink_audit.ui.tables import show

LONGEST_OWNER = 320
"""Letters of the store's column."""
NOT_READY = "Sign-in does not work on this server. Please ask the administrator to fix this: {}"


def require() -> None:
    """Let a visitor in who has signed in, where that is asked; show anybody else the way in, and stop."""
    wrong = secrets_file.wrong()
    if not wrong and (not secrets_file.asks_for_sign_in() or is_signed_in(st.user.to_dict())):
        return
    st.title("Backlink Audit")
    if wrong:
        st.error(NOT_READY.format(wrong))
        st.stop()
    st.markdown("Sign in to use this app. Only you can see your projects.")
    for provider in secrets_file.providers():
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
    with st.sidebar:
        st.caption(f"Signed in as **{show.plain(name_of(user))}**")
        if st.button("Sign out", key="sign-out"):
            st.logout()


def owner() -> str:
    """Return whose projects these are: the user who signed in, or nobody's on one's own machine."""
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
    """Whether a visitor has signed in, by what Streamlit knows of them."""
    return bool(user.get("is_logged_in"))
