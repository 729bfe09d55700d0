"""The command that answers programs: a server of the Model Context Protocol."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.commands.options import StoreName
from backlink_audit.errors import AuditError
from backlink_audit.terminal import say

PORT = 8765


def mcp(
    folder: Annotated[
        Path, typer.Argument(help="The folder whose files may be read, and to which new files are written.")
    ],
    http: Annotated[
        bool, typer.Option("--http", help="Answer over HTTP on this computer, instead of standard input and output.")
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65_535, help="With --http: the port.")] = PORT,
    store: StoreName = None,
) -> None:
    """Answer agents: audit, search and explain links by the Model Context Protocol. Stop it with Ctrl-C."""
    try:
        from backlink_audit.mcp.server import HOST, PATH, make_server, serve_http
        from backlink_audit.mcp.tools import Tools
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise AuditError("This needs the package mcp: install it with `pip install backlink-audit[mcp]`.") from error
    from backlink_audit.mcp.folder import base_folder

    tools = Tools(base_folder(folder), store)
    server = make_server(tools)
    try:
        if http:
            say(f"Answering at http://{HOST}:{port}{PATH} for {tools.folder.path}. Stop with Ctrl-C.")
            serve_http(server, port)
        else:
            server.run("stdio")
    finally:
        tools.runs.close()
