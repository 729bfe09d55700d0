"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.engine import Engine, PageEngine
from backlink_audit.settings import EVERYTHING, AuditSettings, BacklinkFilters, LinkChoice

GOES_ON = "Stopped. Run the same command again to continue where it stopped."
"""Said by commands that keep what is done."""
KEEP_THEM = "`--filters none` keeps all rows."
"""Said after how many rows were set aside."""


def with_every_row(choice: LinkChoice, settings: AuditSettings) -> LinkChoice:
    """Return the choice of links; where no filter is to set any row aside, every link unless a choice was made."""
    return EVERYTHING if settings.filters == BacklinkFilters.none() and choice == LinkChoice() else choice


Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv or .parquet.")]
Backlinks = Annotated[
    list[Path],
    typer.Argument(help="Backlink exports from Ahrefs, Semrush, Majestic, Moz or Search Console, as downloaded."),
]
Site = Annotated[
    str | None,
    typer.Option(
        help=(
            "The site that a Search Console export is about, for instance example.com; only needed if the file name "
            "does not contain it."
        )
    ),
]
Scores = Annotated[bool, typer.Option(help="Audit the links first, to add their topics, relevance, CAS and verdicts.")]
StoreName = Annotated[
    str | None,
    typer.Option(
        "--store",
        help=(
            "The database of projects: a file, or a URL such as postgresql://host/name. Default: a file in your "
            "user folder."
        ),
    ),
]
Address = Annotated[
    str | None,
    typer.Option(help="With --engine ray: the cluster, as host:port. Default: the processor cores of this computer."),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        help="The folder for temporary files of --engine parts and ray; with ray, all nodes must have access to it."
    ),
]


def check_place(engine: Engine | PageEngine, address: str | None, folder: Path | None) -> None:
    """Raise InvalidSetting where a cluster or a folder is named for an engine that never uses one."""
    if folder and engine == "memory":
        raise InvalidSetting("--folder has no effect with --engine memory: remove it.")
    if address and engine != "ray":
        raise InvalidSetting("--address only works with --engine ray: add --engine ray, or remove --address.")
