"""The command that starts the app, from any folder."""

import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.feature import named
from backlink_audit.terminal.files import say
from backlink_audit.terminal.options import StoreName

LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")
PACKAGE = Path(__file__).parent.parent


def app(
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="The port of the app; default: 8501, or the next free port.")
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Who can connect: localhost (only this computer) or 0.0.0.0 (everyone on the network)."),
    ] = None,
    host: Annotated[
        list[str] | None,
        typer.Option(help="A host name under which users open the app, if not localhost; can be repeated."),
    ] = None,
) -> None:
    """Start the app in the browser. Stop it with Ctrl-C."""
    given = {"--server.port": port, "--server.address": address}
    flags = [f"{flag}={value}" for flag, value in given.items() if value is not None]
    flags += [f"--server.allowedHosts={name}" for name in names(address, host or [])]
    sys.argv = ["streamlit", "run", str(script()), *flags]
    runpy.run_module("streamlit", run_name="__main__")


def names(address: str | None, hosts: list[str]) -> list[str]:
    """Return the names that the server is to answer to; none: those of the configuration. Raises InvalidSetting."""
    if address in EVERYWHERE and not hosts:
        raise InvalidSetting(
            f"With --address {address}, also add the host name or IP address under which users open the app: --host "
            "audit.example.com. (Use --host '*' only behind a proxy that checks host names itself.)"
        )
    own = [] if address is None or address in (*LOCAL, *EVERYWHERE) else [address]
    return [*LOCAL, *own, *hosts] if own or hosts else []


def script(package: Path = PACKAGE) -> Path:
    """Return the app's file: inside the package where that was installed, else at the root of the repository."""
    installed = package / "app" / "app.py"
    return installed if installed.is_file() else package.parent / "app.py"


WIDTH = 140
"""Characters that the list needs to keep each model on few lines."""


def models() -> None:
    """List the embedding models: which are ready, and which will be downloaded."""
    from backlink_audit.embedding.catalogue import MODELS
    from backlink_audit.embedding.models import own_models, status

    table = Table(box=None, pad_edge=False)
    for heading in ("Model", "Status", "Dimensions", "Size", "Languages"):
        table.add_column(heading, no_wrap=True)
    table.add_column("Best for")
    for model in (*MODELS, *own_models()):
        size = f"{model.size_mb:,} MB"
        table.add_row(model.name, status(model), str(model.dimensions), size, model.languages, model.good_for)
    Console(highlight=False, width=max(Console().width, WIDTH)).print(table)


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
        make_server = named("mcp.server:make_server")
        kept = named("mcp.tools:Tools")(named("mcp.runs:base_folder")(folder), store)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise AuditError("This needs the package mcp: install it with `pip install backlink-audit[mcp]`.") from error
    server = make_server(kept)
    try:
        if http:
            host, path = named("mcp.server:HOST"), named("mcp.server:PATH")
            say(f"Answering at http://{host}:{port}{path} for {kept.folder.path}. Stop with Ctrl-C.")
            named("mcp.server:serve_http")(server, port)
        else:
            server.run("stdio")
    finally:
        kept.runs.close()
