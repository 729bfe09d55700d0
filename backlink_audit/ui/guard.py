"""Which requests the server answers, under which headers; and what it does by itself once sessions have ended.

A page of another site can make a visitor's browser ask this server (under a foreign name, or from a foreign page).
Neither gets an answer. Nothing here looks anything up outside.

Streamlit drops a session only when it next looks, and Python its circles only when it next collects. Collecting after
every run would stop all visitors for a quarter of a second each time (.streamlit/config.toml), so it is done here:
seldom, and only after a session ended.
"""

import asyncio
import ctypes
import gc
import importlib
import json
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from streamlit import net_util, runtime
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks, is_host_allowed

from backlink_audit.ui import access
from backlink_audit.ui.access import running

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Handler = Callable[[Scope, Receive, Send], Awaitable[None]]
CLOSED = ("/_stcore/metrics", "/_stcore/agent")
"""Numbers about visitors, and ways in for programs: nothing for a browser."""
UPLOADS = "/_stcore/upload_file/"  # Where files come in. Streamlit keeps whatever is sent, before the app has seen it.
FILES = "/media/"  # What pages show and give to download. Streamlit gives it to whoever has the address.
HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        b"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
        b"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
"""The browser loads from this server alone, shows the pages in no frame, and guesses no types. Streamlit's pages need
the inline scripts and styles."""
HEAPS = 2  # Of the process; glibc would make eight for each core
WITHOUT_GLIBC = (OSError, AttributeError, TypeError)
"""What asking glibc ends in where there is none; TypeError: Windows, whose CDLL takes no None."""
_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h
LARGEST = "backlink_audit.ui.uploads"  # It imports nearly all of what `app.frame` does
_importing = threading.Thread(target=importlib.import_module, args=(LARGEST,), name="ahead", daemon=True)
EVERY_SECONDS = 10.0
DOWNLOADS_KEPT = 120.0  # Seconds for which a file that was made for a download waits for its browser
_log = logging.getLogger(__name__)
_started = threading.Event()
_starting = threading.Lock()


def middleware() -> list[Middleware]:
    """Return what comes before the app's own handlers. Raises InvalidSetting for a limit that is none: at the start."""
    access.limits()
    return [Middleware(Guard)]


def stay_inside() -> None:
    """Keep Streamlit from asking a service outside for this machine's address, as it does over a foreign origin."""
    net_util.get_external_ip = _unknown
    net_util.get_internal_ip = _unknown


def _unknown() -> None:
    """The address of this machine, which nobody needs to know."""


class Guard:
    """Answers requests that are not for this server, and closes foreign connections; the others go on."""

    def __init__(self, app: Handler) -> None:
        self._app = app
        self._coming = dict[str, int]()  # Bytes that are being uploaded, by path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request or connection through, or answer it."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_host_allowed(_header(scope, b"host")):
            await _say(send, 421, b"This server does not go by that name.")
            return
        if scope["path"].rstrip("/").endswith(CLOSED) or any(f"{path}/" in scope["path"] for path in CLOSED):
            await _say(send, 404, b"Not found.")
            return

        if FILES in scope["path"] and not may_fetch(scope):
            await _say(send, 401, b"Sign in first.")
            return

        if UPLOADS in scope["path"] and scope.get("method") in ("PUT", "POST"):
            refusal = why_not_upload(scope, self._coming)
            if refusal:
                await _say(send, *refusal)
                return
            self._coming[scope["path"]] = int(_header(scope, b"content-length") or 0)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_ours(message.get("headers", ()))
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        finally:
            self._coming.pop(scope["path"], None)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_host_allowed(_header(scope, b"host")) or not _is_own_page(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "foreign"})
            return
        await self._app(scope, receive, send)


def may_fetch(scope: Scope) -> bool:
    """Whether a request may have a file of a page: where sign-in is set up, with the cookie of one who signed in."""
    wrong = access.wrong_sign_in()
    if wrong or not access.asks_for_sign_in():
        return not wrong
    signed = _get_signed_cookie_with_chunks(HTTPConnection(scope).cookies, USER_COOKIE_NAME)
    return signed is not None and json.loads(signed).get("is_logged_in") is True


def why_not_upload(scope: Scope, coming: Mapping[str, int]) -> tuple[int, bytes] | None:
    """Return the status and sentence with which an upload is refused before its body is read, None where it may come.

    `coming`: the bytes of the uploads under way, by path. It is refused to who has not signed in where that is asked,
    beyond what one visitor may have uploaded at once, and beyond the memory of the server.
    """
    if not may_fetch(scope):
        return 401, b"Sign in first."
    said = _header(scope, b"content-length") or ""
    if not said.isdecimal():
        return 411, b"Say how long the file is."
    limits, length = access.limits(), int(said[:19])
    session = scope["path"].partition(UPLOADS)[2].partition("/")[0]
    of_visitor = sum(size for path, size in coming.items() if f"{UPLOADS}{session}/" in path)
    if limits.upload_mb and of_visitor + access.uploaded_bytes(session) + length > limits.upload_mb * 1024**2:
        return 413, b"These files are too large to be uploaded at once."
    more = (sum(coming.values()) + length) // 1024**2
    if limits.memory_mb and access.memory_mb() + more > limits.memory_mb:
        return 503, b"The server has no free memory at the moment. Please try again in a few minutes."
    return None


def _header(scope: Scope, name: bytes) -> str | None:
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return found[0] if len(found) == 1 else None


def _is_own_page(scope: Scope) -> bool:
    """Whether a connection comes from a page of this server, an allowed origin, or no page at all (a program)."""
    origin = _header(scope, b"origin")
    if origin is None:
        return not any(key == b"origin" for key, _ in scope["headers"])
    try:
        own = urlsplit(origin).netloc == _header(scope, b"host")
    except ValueError:
        return False
    return own or origin in (st.get_option("server.corsAllowedOrigins") or ())


def _with_ours(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    ours = {name for name, _ in HEADERS} | {b"server"}
    return [*(header for header in headers if header[0].lower() not in ours), *HEADERS]


async def _say(send: Send, status: int, words: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})


def share_heaps() -> None:
    """Let all threads share few heaps, before there are many threads.

    A heap of its own for each thread keeps the memory of ended visits from new ones: measured by `make memory`.
    """
    with suppress(*WITHOUT_GLIBC):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, HEAPS)


def give_back() -> None:
    """Collect what is no longer used, and give free memory back to the system."""
    gc.collect()
    with suppress(*WITHOUT_GLIBC):
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(ImportError):
        import pyarrow as pa

        pa.default_memory_pool().release_unused()


def begin() -> None:
    """Begin to import, once for the process, at the server's start."""
    if _importing.ident is None:
        _importing.start()


def wait() -> None:
    """Wait until everything is imported; at once where nothing was begun, as in a test without a server."""
    if _importing.ident is not None:
        _importing.join()


def start() -> None:
    """Begin the upkeep of this process, once; nothing under a test without a server."""
    with _starting:
        if _started.is_set() or running() is None:
            return
        _started.set()
    keep_downloads()
    gc.collect()
    gc.freeze()  # libraries stay for ever: later collections pass them over
    threading.Thread(target=_go_on, name="upkeep", daemon=True).start()


class _Kept(MediaFileMetadata):
    """What Streamlit notes of a file: it may go when no page shows it and it has waited for its browser."""

    def __init__(self, kind: MediaFileKind = MediaFileKind.MEDIA) -> None:
        super().__init__(kind)
        self._made = time.monotonic()

    @property
    def is_marked_for_delete(self) -> bool:
        return super().is_marked_for_delete and time.monotonic() - self._made > DOWNLOADS_KEPT


def keep_downloads() -> None:
    """Let a download be fetched however many visitors there are.

    The file is made at the click and belongs to no page. Streamlit removes it once two pages of anybody were drawn:
    with eight visitors before a slow browser asks for it.
    """
    media_file_manager.MediaFileMetadata = _Kept  # type: ignore[misc]


def _go_on() -> None:
    known: set[str] = set()
    had_gone = False
    waiting = threading.Event()
    while not waiting.wait(EVERY_SECONDS):
        try:
            now = sessions()
            has_gone = bool(known - now)
            if has_gone or had_gone:  # its last run may still be under way when a session is dropped
                give_back()
            had_gone = has_gone
            if not now:
                if runtime.exists():
                    runtime.get_instance().media_file_mgr.remove_orphaned_files()
            known = now
        except Exception:
            _log.exception("The cleanup failed.")


def sessions() -> set[str]:
    """Return the ids of all sessions that can still be taken up, and drop those past their time."""
    loop = runtime.get_instance()._get_async_objs().eventloop  # its thread alone may touch the sessions
    return asyncio.run_coroutine_threadsafe(_sessions(), loop).result(EVERY_SECONDS)


async def _sessions() -> set[str]:
    manager = runtime.get_instance()._session_mgr
    remove_old = getattr(getattr(getattr(manager, "_session_storage", None), "_cache", None), "expire", None)
    if remove_old is not None:
        remove_old()
    return {info.session.id for info in manager.list_sessions()}
