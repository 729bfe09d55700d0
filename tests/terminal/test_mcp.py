"""The command starts the server over what was asked for, and names the package that lacks."""

import sys

import pytest

from backlink_audit.mcp import server
from tests.terminal.calls import call, run


@pytest.fixture
def served(monkeypatch):
    """What was served: the port over HTTP, else "stdio"."""
    found: list[object] = []

    class Served:
        def run(self, over):
            found.append(over)

    monkeypatch.setattr(server, "make_server", lambda tools: Served())
    monkeypatch.setattr(server, "serve_http", lambda made, port: found.append(port))
    return found


def test_it_answers_over_standard_input_and_says_nothing_there(monkeypatch, capsys, tmp_path, served):
    assert call(monkeypatch, "mcp", str(tmp_path)) == 0
    assert served == ["stdio"]
    assert capsys.readouterr() == ("", "")


def test_over_http_it_says_where(monkeypatch, capsys, tmp_path, served):
    code, said = run(monkeypatch, capsys, "mcp", str(tmp_path), "--http", "--port", "9000")
    assert (code, served) == (0, [9000])
    assert "Answering at http://127.0.0.1:9000/mcp" in said


def test_without_its_package_it_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.delitem(sys.modules, "backlink_audit.mcp.server")
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert run(monkeypatch, capsys, "mcp", str(tmp_path))[1].startswith("This needs the package mcp")
