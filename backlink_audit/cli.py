"""The terminal: one command per pipeline. Results go to files, progress and problems to standard error.

Exit code 0, or 2 with one line on standard error.
"""

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from backlink_audit import __version__
from backlink_audit.commands import app as start
from backlink_audit.commands import backlinks, pages
from backlink_audit.errors import AuditError
from backlink_audit.terminal import say

WIDTH_OF_MODELS = 140
"""Characters that the list of models needs to keep each on few lines."""

app = typer.Typer(
    help="Which backlinks matter, and which pages of your site should link to each other.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (backlinks.audit, backlinks.gap, backlinks.changes, pages.interlinks, pages.clusters, start.app):
    app.command()(command)


def run() -> None:
    """Run the command line and exit: 0, or 2 with one line that says what is wrong."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except AuditError as error:
        say(str(error))
    except typer.TyperException as error:
        say(what_is_wrong(error))
    sys.exit(2)


def what_is_wrong(error: typer.TyperException) -> str:
    """Return in one line what is wrong with how a command was called, and what lists its options."""
    wrong = error.format_message().replace("Value error, ", "").rstrip(".")
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"{wrong}. `{context.command_path} --help` lists the options." if context else f"{wrong}."


@app.callback(invoke_without_command=True)
def anything(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Say the version, or without a command the help."""
    if version:
        typer.echo(f"backlink-audit {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def models() -> None:
    """List the embedding models: what is ready, and what would be downloaded."""
    from backlink_audit.embedding.models import MODELS, status

    table = Table(box=None, pad_edge=False)
    for heading in ("Model", "Status", "Dimensions", "Size", "Languages"):
        table.add_column(heading, no_wrap=True)
    table.add_column("Good for")
    for model in MODELS:
        size = f"{model.size_mb:,} MB"
        table.add_row(model.name, status(model), str(model.dimensions), size, model.languages, model.good_for)
    Console(highlight=False, width=max(Console().width, WIDTH_OF_MODELS)).print(table)
