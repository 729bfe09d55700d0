"""The terminal: one command per feature. Results go to files, progress and problems to standard error.

Exit code 0, or 2 with one line on standard error.
"""

import signal
import sys
from typing import Annotated, Any

import typer

from backlink_audit import __version__
from backlink_audit.errors import OUT_OF_MEMORY, AuditError, is_out_of_memory
from backlink_audit.features import FEATURES
from backlink_audit.projects.commands import WATCH, outreach_desk, report
from backlink_audit.terminal.commands import app, command_of, mcp, models
from backlink_audit.terminal.files import say

COMMANDS: tuple[Any, ...] = (*map(command_of, (*FEATURES.values(), WATCH)), report, outreach_desk, models, app, mcp)

terminal = typer.Typer(
    help="Find out which backlinks matter and which pages of your site should link to each other.",
    add_completion=False,
    rich_markup_mode=None,  # plain help: a box on a narrow screen cuts the names of options
    pretty_exceptions_enable=False,
)
for command in COMMANDS:
    terminal.command()(command)


def run() -> None:
    """Run the command line and exit: 0, or 2 with one line that says what is wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that a kill leaves no half-written files
    try:
        sys.exit(terminal(standalone_mode=False) or 0)
    except AuditError as error:
        say(str(error))
    except typer.TyperException as error:
        say(what_is_wrong(error))
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        say(OUT_OF_MEMORY)
    except OSError as error:
        say(f"{error.filename or 'A file'}: {(error.strerror or str(error)).lower()}.")
    sys.exit(2)


def what_is_wrong(error: typer.TyperException) -> str:
    """Return in one line what is wrong with how a command was called, and what lists its options."""
    wrong = error.format_message().replace("Value error, ", "").rstrip(".")
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"{wrong}. Run `{context.command_path} --help` for the list of options." if context else f"{wrong}."


@terminal.callback(invoke_without_command=True)
def anything(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """Say the version, or without a command the help."""
    if version:
        typer.echo(f"backlink-audit {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
