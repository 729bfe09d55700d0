"""The command that lists the embedding models."""

from rich.console import Console
from rich.table import Table

WIDTH = 140
"""Characters that the list needs to keep each model on few lines."""


def models() -> None:
    """List the embedding models: which are ready, and which will be downloaded."""
    from backlink_audit.embedding.models import MODELS, own_models, status

    table = Table(box=None, pad_edge=False)
    for heading in ("Model", "Status", "Dimensions", "Size", "Languages"):
        table.add_column(heading, no_wrap=True)
    table.add_column("Best for")
    for model in (*MODELS, *own_models()):
        size = f"{model.size_mb:,} MB"
        table.add_row(model.name, status(model), str(model.dimensions), size, model.languages, model.good_for)
    Console(highlight=False, width=max(Console().width, WIDTH)).print(table)
