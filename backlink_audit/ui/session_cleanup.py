"""What a server does by itself: sessions that ended are let go, and their memory goes back to the system.

Streamlit drops a session only when it next looks, and Python its circles only when it next collects. Collecting after
every run would stop all visitors for a quarter of a second each time (.streamlit/config.toml), so it is done here:
seldom, and only after a session ended.
"""

import asyncio
import gc
import logging
import threading
import time

from streamlit import runtime
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata
from streamlit.runtime.media_file_storage import MediaFileKind

from backlink_audit.ui import guard, instant
from backlink_audit.ui.access import running

EVERY_SECONDS = 10.0
DOWNLOADS_KEPT = 120.0  # Seconds for which a file that was made for a download waits for its browser
_log = logging.getLogger(__name__)
_started = threading.Event()
_starting = threading.Lock()


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
    threading.Thread(target=instant.prepare, name="instant", daemon=True).start()


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
                guard.give_back()
            had_gone = has_gone
            if not now:
                remove_downloads()
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


def remove_downloads() -> None:
    """Drop files that nobody fetched, where no page is drawn any more that would."""
    if runtime.exists():
        runtime.get_instance().media_file_mgr.remove_orphaned_files()
