"""The command that shows how the authority of a site flows through its links."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.commands.options import Out, SitePages
from backlink_audit.commands.settings_options import with_options
from backlink_audit.settings import AuditSettings, AuthoritySettings
from backlink_audit.terminal import finish, load, notes_of, progress, read_bytes

if TYPE_CHECKING:
    import pandas as pd

    from backlink_audit.exports.recognise import Export
    from backlink_audit.progress import Progress

Inlinks = Annotated[Path, typer.Argument(help="All inlinks export: the links between the pages of the site.")]


@with_options()
def authority(
    inlinks: Inlinks,
    out: Out,
    settings: AuthoritySettings,
    pages: SitePages = None,
    backlinks: Annotated[
        list[Path] | None,
        typer.Option(
            help="Backlink exports, for the authority that comes from other sites; repeat the option for each file."
        ),
    ] = None,
    add: Annotated[
        Path | None, typer.Option(help="Links to test, as `interlinks` writes them: Source URL, Target URL.")
    ] = None,
    wanted: Annotated[
        Path | None,
        typer.Option(help="A list of pages that need more authority: one URL per line, or a table with URLs."),
    ] = None,
) -> None:
    """Show the authority of each page, pages that pass no authority on, and how new links would change it."""
    import pandas as pd

    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.blocks import Blocks
    from backlink_audit.exports.pairs import read_pairs
    from backlink_audit.exports.url_list import read_url_list
    from backlink_audit.pipelines.authority.run import find_authority
    from backlink_audit.pipelines.authority.sources import LINKS, with_sources
    from backlink_audit.pipelines.authority.tables import tables
    from backlink_audit.pipelines.crawl.site_links import COLUMNS
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[inlinks, pages, add, wanted, *(backlinks or [])])
    crawl = load([pages], "pages") if pages else None
    tried = read_pairs(add.name, read_bytes(add)) if add else None
    listed = read_url_list(wanted.name, read_bytes(wanted)) if wanted else ()
    with progress() as on_progress:
        scored = _scored(backlinks, crawl, settings.model, on_progress) if backlinks else None
        result = find_authority(
            Blocks(inlinks, "inlinks", COLUMNS, on_progress),
            settings,
            inlinks.name,
            crawl=crawl,
            backlinks=scored,
            added=tried,
            wanted=listed,
            on_progress=on_progress,
        )
        if crawl is not None and result.pages["deserving"].any():
            table = pd.concat([block[list(LINKS)] for block in Blocks(inlinks, "inlinks", LINKS, on_progress)])
            encoder = load_encoder(settings.model, on_progress=on_progress)
            result = with_sources(result, crawl, table, encoder, on_progress)
    said = [result.what_if.sentence] if result.what_if else []
    finish(tables(result), out, *notes_of(crawl), result.counted, *result.notes, *said, result.headline)


def _scored(files: list[Path], crawl: "Export | None", model: str, on_progress: "Progress") -> "pd.DataFrame":
    """Return the backlinks of the files with their CAS."""
    from backlink_audit.commands.audit import judged

    return judged(load(files, "backlinks"), crawl, AuditSettings(model=model), on_progress).scored
