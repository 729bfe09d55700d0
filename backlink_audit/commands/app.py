"""The command that starts the app, from any folder."""

import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

PACKAGE = Path(__file__).parent.parent


def app(
    port: Annotated[int | None, typer.Option(help="The port to listen on; default: 8501, or the next free.")] = None,
    address: Annotated[
        str | None, typer.Option(help="Who may connect: localhost (this machine), or 0.0.0.0 (the whole network).")
    ] = None,
) -> None:
    """Start the app in the browser: every page, the sample project too. Ctrl-C ends it."""
    given = {"--server.port": port, "--server.address": address}
    flags = [f"{flag}={value}" for flag, value in given.items() if value is not None]
    sys.argv = ["streamlit", "run", str(script()), *flags]
    runpy.run_module("streamlit", run_name="__main__")


def script(package: Path = PACKAGE) -> Path:
    """Return the app's file: inside the package where that was installed, else at the root of the repository."""
    installed = package / "app" / "app.py"
    return installed if installed.is_file() else package.parent / "app.py"
