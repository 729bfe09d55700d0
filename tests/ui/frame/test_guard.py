"""Which requests the server answers: its own names and its own pages, and nobody asks about its visitors."""

import asyncio
import json
import runpy
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from streamlit import net_util
from streamlit.web.server import server_util
from streamlit.web.server.app_discovery import discover_asgi_app
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from backlink_audit.errors import InvalidSetting
from backlink_audit.terminal.commands import names
from backlink_audit.ui.guard import Guard, middleware, stay_inside
from tests.ui.app import ROOT

NAMES = ["localhost", "127.0.0.1", "audit.example.com"]


def ask(path: str = "/", kind: str = "http", method: str = "GET", **headers: str) -> list[dict[str, Any]]:
    """What the guard sends for one request; the app behind it says "in"."""
    sent = []
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()],
    }

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"server", b"x")], "body": b"in"})

    async def receive():
        return {"type": f"{kind}.connect"}

    async def send(message):
        sent.append(message)

    finish(Guard(app)(scope, receive, send))
    return sent


def finish(answer: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: in this one the browser of other tests may have left a running loop."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, answer).result()


@pytest.fixture(autouse=True)
def our_names(monkeypatch):
    from streamlit import config

    known = {"server.allowedHosts": NAMES, "server.corsAllowedOrigins": ["https://partner.example"]}
    original = config.get_option
    monkeypatch.setattr(config, "get_option", lambda key: known.get(key, original(key)))
    monkeypatch.setattr("streamlit.get_option", lambda key: known.get(key, original(key)))


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "AUDIT.example.com", "audit.example.com.:443"])
def test_the_servers_own_names_are_answered(host):
    assert ask(host=host)[0]["status"] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "evil.example:8501", "", "a@localhost", "1"]
)
@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/upload_file/x/y", "/media/x.csv"])
def test_another_name_gets_nothing_whatever_it_asks_for(host, path):
    start, body = ask(path, host=host)
    assert (start["status"], body["body"]) == (421, b"This server does not go by that name.")


async def never(*_: Any) -> Any:
    raise AssertionError("nothing behind the guard may be asked")


def test_two_names_at_once_get_nothing():
    sent = []

    async def go():
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost"), (b"host", b"evil.example")]}

        async def send(message):
            sent.append(message)

        await Guard(never)(scope, never, send)

    finish(go())
    assert sent[0]["status"] == 421


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "/_stcore/metrics/", "/base/_stcore/metrics", "/_stcore/agent/mcp"]
)
def test_numbers_about_visitors_and_ways_in_for_programs_are_closed(path):
    assert ask(path, host="localhost")[0]["status"] == 404


COOKIE = "_streamlit_user"
AUTH = """
[auth]
cookie_secret = "{0}"
client_id = "a"
"""


def signed(secret: str, **user: Any) -> str:
    """The cookie that a browser has after signing in, as Streamlit makes it."""
    return f"{COOKIE}={create_signed_value(secret, COOKIE, json.dumps(user)).decode()}"


UPLOAD = "/base/_stcore/upload_file/visitor/file"
OURS = {"cookie": signed("ours", is_logged_in=True, sub="17")}


@pytest.mark.parametrize(
    ("text", "headers", "kept", "taken", "status"),
    [
        ("", {}, 0, 100, 200),
        (AUTH.format("ours"), {}, 0, 100, 401),
        (AUTH.format("ours"), OURS, 0, 100, 200),
        ("[auth\n", OURS, 0, 100, 401),  # nobody knows who may come in
        ("", {"content_length": ""}, 0, 100, 411),
        ("", {"content_length": "-1"}, 0, 100, 411),
        ("", {"content_length": str(2001 * 1024**2)}, 0, 100, 413),
        ("", {}, 2000, 100, 413),  # with what this visitor has uploaded already
        ("", {"content_length": str(450 * 1024**2)}, 0, 200, 503),
        ("", {}, 0, 601, 503),
    ],
    ids=range(10),
)
def test_an_upload_is_refused_before_its_body_is_read(monkeypatch, secrets, text, headers, kept, taken, status):
    secrets(text)
    monkeypatch.setenv("BACKLINK_AUDIT_UPLOAD_MB", "2000")
    monkeypatch.setenv("BACKLINK_AUDIT_MEMORY_MB", "600")
    monkeypatch.setattr("backlink_audit.ui.access.memory_mb", lambda: taken)
    monkeypatch.setattr("backlink_audit.ui.access.uploaded_bytes", lambda session: kept * 1024**2)
    headers = {"host": "localhost", "content_length": "1000"} | headers
    answer = ask(UPLOAD, method="PUT", **headers)
    assert answer[0]["status"] == status
    assert ask(UPLOAD, method="OPTIONS", host="localhost")[0]["status"] == 200


def test_uploads_under_way_count_as_memory(monkeypatch, secrets):
    secrets("")
    monkeypatch.setenv("BACKLINK_AUDIT_MEMORY_MB", "600")
    monkeypatch.setattr("backlink_audit.ui.access.memory_mb", lambda: 400)
    headers = [(b"host", b"localhost"), (b"content-length", str(150 * 1024**2).encode())]
    statuses: list[int] = []

    async def upload(guard: Guard, number: int) -> None:
        async def send(message: Any) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        path = f"/_stcore/upload_file/{number}/file"
        await guard({"type": "http", "method": "PUT", "path": path, "headers": headers}, never, send)

    async def all_at_once() -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await asyncio.sleep(0.1)
            await send({"type": "http.response.start", "status": 204, "headers": []})

        guard = Guard(app)
        await asyncio.gather(*(upload(guard, number) for number in range(5)))

    finish(all_at_once())
    assert sorted(statuses) == [204, 503, 503, 503, 503]


@pytest.mark.parametrize("wrong", ["-1", "ten", "1.5"])
def test_a_limit_that_is_none_ends_the_start(monkeypatch, wrong):
    monkeypatch.setenv("BACKLINK_AUDIT_VISITORS", wrong)
    with pytest.raises(ValueError, match="BACKLINK_AUDIT_VISITORS must be a whole number"):
        middleware()


@pytest.mark.parametrize("path", ["/media/a.csv", "/base/media/a.csv", "/media/"])
@pytest.mark.parametrize(
    ("text", "cookie", "status"),
    [
        ("", "", 200),
        (AUTH.format("ours"), "", 401),
        (AUTH.format("ours"), signed("ours", is_logged_in=True, sub="17"), 200),
        (AUTH.format("ours"), f"a=b; {signed('ours', is_logged_in=True, sub='17')}; c=d", 200),
        (AUTH.format("ours"), signed("theirs", is_logged_in=True, sub="17"), 401),
        (AUTH.format("ours"), signed("ours", is_logged_in=False, sub="17"), 401),
        (AUTH.format("ours"), signed("ours", sub="17"), 401),
        (AUTH.format("ours"), f'{COOKIE}={{"is_logged_in": true}}', 401),
        (AUTH.format("ours"), f"{COOKIE}=chunks-9; {COOKIE}_1=a", 401),
        (AUTH.format("ours"), f"{COOKIE}=\xff", 401),
        ("[auth]\n", signed("", is_logged_in=True, sub="17"), 401),
        ("[auth\n", signed("ours", is_logged_in=True, sub="17"), 401),
    ],
    ids=range(12),  # a signed cookie holds the second it was made in: two workers would name their tests differently
)
def test_what_a_page_shows_or_gives_to_download_is_for_those_who_signed_in(secrets, path, text, cookie, status):
    secrets(text)
    assert ask(path, host="localhost", cookie=cookie)[0]["status"] == status
    assert ask("/_stcore/health", host="localhost", cookie=cookie)[0]["status"] == 200


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        ("http://localhost:8501", True),
        ("https://partner.example", True),
        ("http://evil.example", False),
        ("http://localhost:9999", False),
        ("null", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_a_connection_from_a_foreign_page_is_closed_before_anything_is_looked_up(monkeypatch, origin, let_in):
    monkeypatch.setattr(server_util, "is_url_from_allowed_origins", lambda url: pytest.fail("looked up"))
    sent = ask("/_stcore/stream", "websocket", host="localhost:8501", origin=origin)
    assert (sent[0].get("body") == b"in") == let_in
    if not let_in:
        assert sent == [{"type": "websocket.close", "code": 1008, "reason": "foreign"}]


def test_every_answer_makes_the_browser_ask_nobody_else_and_be_framed_by_nobody():
    headers = dict(ask(host="localhost")[0]["headers"])
    assert b"default-src 'self'" in headers[b"content-security-policy"]
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"server" not in headers


def test_this_machines_address_is_looked_up_nowhere(monkeypatch):
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(net_util, "get_internal_ip", net_util.get_internal_ip)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *_, **__: pytest.fail("asked outside"))
    stay_inside()
    assert not server_util.is_url_from_allowed_origins("http://evil.example")


def test_the_whole_network_is_served_under_a_name_only():
    with pytest.raises(InvalidSetting, match="--host"):
        names("0.0.0.0", [])
    assert names("0.0.0.0", ["audit.example.com"])[-1] == "audit.example.com"
    assert names(None, []) == names("localhost", []) == []
    assert "192.168.1.5" in names("192.168.1.5", [])


def test_streamlit_run_finds_the_guarded_server_in_app_py(monkeypatch):
    from streamlit import config

    monkeypatch.setattr(config, "_main_script_path", str(ROOT / "app.py"))
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(net_util, "get_internal_ip", net_util.get_internal_ip)
    assert discover_asgi_app(ROOT / "app.py").import_string == "app:app"
    served = runpy.run_path(str(ROOT / "app.py"), run_name="app")["app"]
    assert [one.cls for one in served._user_middleware] == [Guard]
