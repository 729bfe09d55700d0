"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.engine import Engine, PageEngine
from backlink_audit.settings import EVERYTHING, AuditSettings, BacklinkFilters, LinkChoice

GOES_ON = "Stopped. Run the same command again, to continue where it stopped."
"""Said by commands that keep what is done."""
KEEP_THEM = "`--filters none` keeps them."
"""Said after how many rows were set aside."""


def with_every_row(choice: LinkChoice, settings: AuditSettings) -> LinkChoice:
    """Return the choice of links; where no filter is to set any row aside, every link unless a choice was made."""
    return EVERYTHING if settings.filters == BacklinkFilters.none() and choice == LinkChoice() else choice


Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv or .parquet.")]
Backlinks = Annotated[
    list[Path], typer.Argument(help="Backlink exports, as Ahrefs, Semrush, Majestic or Moz wrote them.")
]
SitePages = Annotated[Path | None, typer.Option("--pages", help="A crawl of the target site, for its titles and H1s.")]
Site = Annotated[
    str | None, typer.Option(help="Where Search Console's links lead, if the file's name does not say it: example.com.")
]
Performance = Annotated[
    list[Path] | None,
    typer.Option(
        help="Clicks or visits of the site's pages: Search Console performance, GA4 pages, Ahrefs top pages; repeat "
        "the option for each file."
    ),
]
Scores = Annotated[bool, typer.Option(help="Audit the links first, for their topics, relevance, CAS and verdicts.")]
StoreName = Annotated[
    str | None,
    typer.Option(
        "--store", help="The store of projects: a file, or a URL as in postgresql://host/name. Default: yours."
    ),
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
