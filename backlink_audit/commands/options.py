"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.engine import Engine, PageEngine
from backlink_audit.settings import PageText

GOES_ON = "Stopped. Run the same command again, and it goes on where it was."
"""Said by commands that keep what is done."""

Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv or .parquet.")]
Model = Annotated[str, typer.Option(help="The embedding model; `models` lists them.")]
Crawl = Annotated[Path, typer.Argument(help="A crawl of the site: URL and title or H1, and content if there is any.")]
Text = Annotated[
    PageText | None,
    typer.Option(help="What stands for a page; default: title and content where there is content, else the H1."),
]
Columns = Annotated[
    list[str] | None, typer.Option(help="Columns of the file, joined, in place of --text; once for each column.")
]
Embeddings = Annotated[
    Path | None, typer.Option(help="Embeddings saved by an earlier run (.npz), instead of making them.")
]
CrawlEmbeddings = Annotated[
    bool, typer.Option("--crawl-embeddings", help="Use the embeddings in the crawl's own column.")
]
Address = Annotated[
    str | None, typer.Option(help="With --engine ray: the cluster, as host:port; default: this machine's cores.")
]
Folder = Annotated[
    Path | None,
    typer.Option(
        help="In parts: where they are kept meanwhile; in one piece: unused. With --engine ray: one that all nodes see."
    ),
]


def check_place(engine: Engine | PageEngine, address: str | None, folder: Path | None) -> None:
    """Raise InvalidSetting where a cluster or a folder is named for an engine that never uses one."""
    if folder and engine == "memory":
        raise InvalidSetting("--folder is where work in parts is kept, and --engine memory keeps none; leave it out.")
    if address and engine != "ray":
        raise InvalidSetting("--address names a cluster, which --engine ray is for; add that, or leave --address out.")
