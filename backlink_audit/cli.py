"""The terminal: one command per pipeline. Results go to files, progress and problems to standard error.

Exit code 0, or 2 with one line on standard error.
"""

import sys

import typer
from rich.console import Console
from rich.table import Table

from backlink_audit.commands import backlinks, pages
from backlink_audit.errors import AuditError
from backlink_audit.terminal import say

WIDTH_OF_MODELS = 140
"""Characters that the list of models needs to keep each on few lines."""

app = typer.Typer(
    help="Which backlinks matter, and which pages of your site should link to each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (backlinks.audit, backlinks.gap, backlinks.changes, pages.interlinks, pages.clusters):
    app.command()(command)


def run() -> None:
    """Run the command line and exit: 0, or 2 with one line that says what is wrong."""
    try:
        app()
    except AuditError as error:
        say(str(error))
        sys.exit(2)


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
