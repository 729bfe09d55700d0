"""The command that starts the app, from any folder."""

import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.errors import InvalidSetting

LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")
PACKAGE = Path(__file__).parent.parent


def app(
    port: Annotated[int | None, typer.Option(help="The port of the app; default: 8501, or the next free port.")] = None,
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
