"""The server: the tools and prompts with their names and hints, over standard input or HTTP on this computer."""

from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from starlette.applications import Starlette

from backlink_audit import __version__
from backlink_audit.mcp import prompts
from backlink_audit.mcp.strangers import NOTE
from backlink_audit.mcp.tools import Tools

HOST = "127.0.0.1"
PATH = "/mcp"
LARGEST_REQUEST = 1024**2
"""Bytes of a request: a question is short."""
INSTRUCTIONS = (
    "Audits backlinks and internal links from exports of SEO tools. Begin with recognise_file (without a name it lists "
    "the files), start_audit, run_status until finished, then summarise, list_rows, explain_link, search_pages and "
    "export. Nothing changes a project or replaces a file. Use the numbers as given. " + NOTE
)


def make_server(tools: Tools) -> MCPServer:
    """Return the server of these tools."""
    server = MCPServer("backlink-audit", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    starts = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
    hints: dict[Callable[..., Any], ToolAnnotations] = {
        tools.list_projects: reads,
        tools.recognise_file: reads,
        tools.start_audit: starts,
        tools.run_status: reads,
        tools.summarise: reads,
        tools.list_rows: reads,
        tools.explain_link: reads,
        tools.search_pages: reads,
        tools.suggest_internal_links: starts,
        tools.export: writes,
    }
    for tool, hint in hints.items():
        server.add_tool(tool, annotations=hint)
    for prompt in (prompts.monthly_review, prompts.disavow_review, prompts.outreach):
        server.prompt()(prompt)
    return server


def http_app(server: MCPServer, port: int) -> Starlette:
    """Return the server as an application that answers to this computer's own names, and to no page of a browser."""
    names = [f"{HOST}:{port}", f"localhost:{port}"]
    guard = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    return server.streamable_http_app(
        streamable_http_path=PATH, host=HOST, transport_security=guard, max_request_body_size=LARGEST_REQUEST
    )


def serve_http(server: MCPServer, port: int) -> None:
    """Answer over HTTP, to programs on this computer alone, until stopped."""
    import uvicorn

    uvicorn.run(http_app(server, port), host=HOST, port=port, log_level="warning", server_header=False)
