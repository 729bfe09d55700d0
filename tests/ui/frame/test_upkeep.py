"""What a visitor brought is gone when the visit is: nothing in the process refers to it, and the server looks by
itself."""

import ctypes
import gc
import time
import weakref

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.testing.v1 import AppTest

from backlink_audit.ui import guard
from tests.ui.app import figures, open_app, sample_file, upload

LOADED = "files"
"""Where the session has the exports."""


def visit(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """An upload, an audit, and two more pages that look at it."""
    app = upload(open_app(monkeypatch, "pages/backlinks/audit.py", anew=True), *sample_file("backlinks"))
    app.button(key="run:Run the audit").click().run()
    assert figures(app)["Followed"] != "–"
    for page in ("pages/backlinks/profile.py", "pages/backlinks/risk.py"):
        app.switch_page(page).run()
        assert figures(app)
    return app


def test_nothing_holds_an_upload_once_its_visit_has_ended(monkeypatch):
    app = visit(monkeypatch)
    shelf = app.session_state[LOADED]["backlinks"]
    export = shelf.exports[0]
    held = [weakref.ref(one) for one in (shelf, export, export.raw, export.table)]
    del app, shelf, export
    guard.give_back()
    assert [ref() for ref in held] == [None] * len(held)


class Knot:
    """It refers to itself, so that only a collection ends it."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def turns(monkeypatch):
    """The upkeep's turns, each at once, until the sessions that it sees run out."""
    monkeypatch.setattr(guard, "EVERY_SECONDS", 0.0)

    def play(*seen: set[str] | Exception) -> None:
        left = iter([*seen, SystemExit()])

        def sessions() -> set[str]:
            now = next(left)
            if isinstance(now, BaseException):
                raise now
            return now

        monkeypatch.setattr(guard, "sessions", sessions)
        with pytest.raises(SystemExit):
            guard._go_on()

    return play


def test_the_knots_of_a_session_are_collected_once_it_has_ended(turns):
    gc.disable()
    try:
        knot = weakref.ref(Knot())
        turns({"a", "b"}, {"a", "b", "c"})
        assert knot() is not None, "nobody has gone yet"
        turns({"a", "b"}, {"a"})
        assert knot() is None
    finally:
        gc.enable()


def test_the_upkeep_survives_a_turn_that_fails(turns, monkeypatch):
    given = []
    monkeypatch.setattr(guard, "give_back", lambda: given.append(1))
    turns({"a"}, RuntimeError("just now"), set())
    assert given == [1]


def test_a_run_that_outlives_its_session_is_given_back_at_the_next_look(turns, monkeypatch):
    given = []
    monkeypatch.setattr(guard, "give_back", lambda: given.append(1))
    turns({"a"}, set(), set(), set())
    assert given == [1, 1]


def test_a_download_is_there_however_many_pages_others_draw_before_it_is_fetched(monkeypatch):
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", MediaFileMetadata)  # put back after the test
    guard.keep_downloads()
    files = MediaFileManager(MemoryMediaFileStorage("/media"))
    button = files.add_deferred(lambda: b"a,b", "text/csv", "1.0", "links.csv")
    made = files.execute_deferred(button).rsplit("/", 1)[1]
    for _ in range(10):
        files.remove_orphaned_files()  # as at the end of every run of any visitor's page
    assert files.read_file(made) is not None
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + guard.DOWNLOADS_KEPT + 1)
    files.remove_orphaned_files()
    assert files.read_file(made) is None


def test_a_system_whose_c_library_cannot_be_asked_is_left_alone(monkeypatch):
    def refuse(name: str | None) -> None:
        raise TypeError("argument of type 'NoneType' is not iterable")  # Windows

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    guard.share_heaps()
    guard.give_back()
