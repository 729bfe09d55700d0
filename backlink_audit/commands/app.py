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
    port: Annotated[int | None, typer.Option(help="The port to listen on; default: 8501, or the next free.")] = None,
    address: Annotated[
        str | None, typer.Option(help="Who may connect: localhost (this machine), or 0.0.0.0 (the whole network).")
    ] = None,
    host: Annotated[
        list[str] | None, typer.Option(help="A name that visitors reach it by, if not localhost; can be repeated.")
    ] = None,
) -> None:
    """Start the app in the browser: every page, the sample project too. Ctrl-C ends it."""
    given = {"--server.port": port, "--server.address": address}
    flags = [f"{flag}={value}" for flag, value in given.items() if value is not None]
    flags += [f"--server.allowedHosts={name}" for name in names(address, host or [])]
    sys.argv = ["streamlit", "run", str(script()), *flags]
    runpy.run_module("streamlit", run_name="__main__")


def names(address: str | None, hosts: list[str]) -> list[str]:
    """Return the names that the server is to answer to; none: those of the configuration. Raises InvalidSetting."""
    if address in EVERYWHERE and not hosts:
        raise InvalidSetting(
            f"With --address {address}, say by which name visitors reach this machine: --host audit.example.com or its "
            "address in the network (or --host '*' for any name, behind a proxy that looks at names itself)."
        )
    own = [] if address is None or address in (*LOCAL, *EVERYWHERE) else [address]
    return [*LOCAL, *own, *hosts] if own or hosts else []


def script(package: Path = PACKAGE) -> Path:
    """Return the app's file: inside the package where that was installed, else at the root of the repository."""
    installed = package / "app" / "app.py"
    return installed if installed.is_file() else package.parent / "app.py"
