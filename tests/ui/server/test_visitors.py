"""Who comes to a full server gets a sentence that says so; those who came earlier stay."""

from types import SimpleNamespace

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from backlink_audit.ui import access
from tests.ui.app import open_app

CAME = ("first", "second", "third")


@pytest.mark.parametrize(
    ("visitor", "most", "is_in"),
    [("second", "2", True), ("third", "2", False), ("third", "3", True), ("third", "0", True)],
)
def test_a_full_server_lets_nobody_else_in(monkeypatch, visitor, most, is_in):
    app = open_full(monkeypatch, visitor, most)
    assert ([info.value for info in app.info] == [access.FULL]) != is_in
    assert bool(app.get("file_uploader")) == is_in


def open_full(monkeypatch, visitor, most, **users):
    """The app as one of those who CAME sees it; who they are for the server."""
    sessions = [SimpleNamespace(session=SimpleNamespace(id=name, _user_info=users.get(name, {}))) for name in CAME]
    server = SimpleNamespace(_session_mgr=SimpleNamespace(list_active_sessions=lambda: sessions))
    monkeypatch.setenv("BACKLINK_AUDIT_VISITORS", most)
    monkeypatch.setattr(access, "running", lambda: server)
    monkeypatch.setattr(access, "get_script_run_ctx", lambda: SimpleNamespace(session_id=visitor))
    return open_app(monkeypatch)


def test_the_bytes_of_a_file_that_was_read_are_dropped_and_those_of_another_stay(monkeypatch):
    kept = MemoryUploadedFileManager("/upload")
    for name, data in (("read", b"12345"), ("waiting", b"123")):
        kept.add_file("first", UploadedFileRec(name, f"{name}.csv", "text/csv", data))
    monkeypatch.setattr(access, "running", lambda: SimpleNamespace(uploaded_file_mgr=kept))
    monkeypatch.setattr(access, "get_script_run_ctx", lambda: SimpleNamespace(session_id="first"))
    assert access.uploaded_bytes("first") == 8
    access.forget_uploaded([UploadedFile(kept.get_files("first", ["read"])[0], FileURLs())])
    assert access.uploaded_bytes("first") == 3
    assert [record.file_id for record in kept.get_files("first", ["read", "waiting"])] == ["waiting"]
