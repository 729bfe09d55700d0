"""The command that shows how the authority of a site flows through its links."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.settings import AuditSettings, AuthoritySettings
from backlink_audit.sources import Sources
from backlink_audit.terminal.files import finish, notes_of, progress, read_bytes
from backlink_audit.terminal.options import Out, SourceFiles, with_options

if TYPE_CHECKING:
    import pandas as pd

    from backlink_audit.progress import Progress

Inlinks = Annotated[Path, typer.Argument(help="All inlinks export: the links between the pages of the site.")]


@with_options()
def authority(
    inlinks: Inlinks,
    out: Out,
    settings: AuthoritySettings,
    others: SourceFiles,
    add: Annotated[
        Path | None, typer.Option(help="Links to test, as `interlinks` writes them: Source URL, Target URL.")
    ] = None,
    wanted: Annotated[
        Path | None,
        typer.Option(help="A list of pages that need more authority: one URL per line, or a table with URLs."),
    ] = None,
    graph: Annotated[
        Path | None, typer.Option(help="Where to save the graph of the site, for Gephi and others (.graphml).")
    ] = None,
) -> None:
    """Show the authority of each page, pages that pass no authority on, and how new links would change it."""
    import pandas as pd

    from backlink_audit.authority.run import LINKS, find_authority, pages_and_links, with_sources
    from backlink_audit.authority.tables import tables
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.lists import read_pairs, read_url_list
    from backlink_audit.exports.parts import Blocks
    from backlink_audit.report.files import check_target, save_bytes, write_graphml
    from backlink_audit.site.links import COLUMNS

    check_target(out, inputs=[inlinks, add, wanted, *others.paths])
    if graph:
        check_target(graph, (".graphml",))
    sources = others.load()
    crawl = sources.pages
    tried = read_pairs(add.name, read_bytes(add)) if add else None
    listed = read_url_list(wanted.name, read_bytes(wanted)) if wanted else ()
    with progress() as on_progress:
        scored = _scored(sources, settings.model, on_progress)
        result = find_authority(
            Blocks(inlinks, "inlinks", COLUMNS, on_progress),
            settings,
            inlinks.name,
            sources=sources,
            backlinks=scored,
            added=tried,
            wanted=listed,
            on_progress=on_progress,
        )
        if crawl is not None and result.pages["deserving"].any():
            table = pd.concat([block[list(LINKS)] for block in Blocks(inlinks, "inlinks", LINKS, on_progress)])
            encoder = load_encoder(settings.model, on_progress=on_progress)
            result = with_sources(result, crawl, table, encoder, on_progress)
    if graph:
        save_bytes(write_graphml(*pages_and_links(result)), graph)
    said = [result.what_if.sentence] if result.what_if else []
    finish(tables(result), out, *notes_of(crawl), result.counted, *result.notes, *said, result.headline)


def _scored(sources: Sources, model: str, on_progress: "Progress") -> "pd.DataFrame | None":
    """Return the backlinks with their CAS, or None without any."""
    from backlink_audit.audit.command import judged

    if sources.backlinks is None:
        return None
    return judged(sources.backlinks, AuditSettings(model=model), sources, on_progress).scored
