"""A folder with the sample's files, the tools that work in it, and the SDK's own client beside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from backlink_audit.mcp.runs import base_folder
from backlink_audit.mcp.server import make_server
from backlink_audit.mcp.tools import Tools
from tests.terminal.calls import work_in

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inside = tmp_path / "files"
    inside.mkdir()
    work_in(inside, monkeypatch)
    return inside


@pytest.fixture
def tools(folder: Path) -> Tools:
    return Tools(base_folder(folder))


@pytest.fixture
def ask(tools: Tools) -> Ask:
    """Call a tool as a client does; return its answer, or {"error": its words}."""

    def called(tool: str, **arguments: object) -> dict[str, Any]:
        async def session() -> dict[str, Any]:
            async with Client(make_server(tools)) as client:
                answer = await client.call_tool(tool, arguments)
                if answer.is_error:
                    return {"error": answer.content[0].model_dump()["text"]}
                assert answer.structured_content is not None
                return answer.structured_content

        return anyio.run(session)

    return called


@pytest.fixture
def audited(ask: Ask) -> str:
    """The name of a finished run over the sample's backlinks."""
    return finished(ask, ask("start_audit", files=["longroad-backlinks-2025-11.csv"], pages="longroad-crawl.csv"))


def finished(ask: Ask, status: dict[str, Any]) -> str:
    """Wait for the end of a run; return its name."""
    while status["state"] in ("waiting", "running"):
        status = ask("run_status", run=status["run"])
    assert status["state"] == "finished", status
    return str(status["run"])
