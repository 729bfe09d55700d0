"""Who comes to a full server gets a sentence that says so; those who came earlier stay."""

from types import SimpleNamespace

import pytest

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
