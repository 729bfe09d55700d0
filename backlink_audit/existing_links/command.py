"""The command that judges the links that a site has already."""

from backlink_audit.authority.command import Inlinks
from backlink_audit.settings import InlinkSettings
from backlink_audit.terminal.files import finish, load, notes_of, progress
from backlink_audit.terminal.options import Out, SourceFiles, with_options


@with_options()
def inlinks(inlinks: Inlinks, out: Out, settings: InlinkSettings, others: SourceFiles) -> None:
    """Check the internal links of a site: broken or redirected links, poor anchors, off-topic links."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.existing_links.run import audit_inlinks
    from backlink_audit.existing_links.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[inlinks, *others.paths])
    links = load([inlinks], "inlinks")
    sources = others.load()
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        result = audit_inlinks(links, settings, encoder, sources, on_progress)
    finish(tables(result), out, *notes_of(links, *sources.exports.values()), *result.notes, result.headline)
