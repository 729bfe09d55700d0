"""A kept audit as it was, of the file that it was made of: no link is scored again."""

from datetime import datetime

from backlink_audit.analysis.redirects.links import redirect_columns
from backlink_audit.analysis.scoring.outreach import words_around
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.projects.content.projects import Project
from backlink_audit.projects.content.snapshots import every_snapshot, scored_links
from backlink_audit.projects.store.connection import Store


def kept_audit(store: Store, project: Project, export: Export) -> Audit | None:
    """Return the audit that a project keeps of an export; None where it has none of that very file."""
    for snapshot in reversed(every_snapshot(store, project)):
        if snapshot.fingerprint == export.fingerprint:
            cleaned = clean_backlinks(export, snapshot.settings.filters)
            links, origin = scored_links(store, snapshot).links, snapshot.origin
            if "over_redirect" not in links:  # of a snapshot older than that column
                chains = cleaned.table.loc[links.index]
                links = links.assign(redirect_codes=chains["redirect_codes"], **redirect_columns(chains))
            if "own_site" not in links:  # likewise
                links = links.assign(own_site="", words_around=words_around(cleaned.table.loc[links.index]))
            made_at = datetime.fromisoformat(snapshot.audited_at).astimezone()
            return Audit(links, snapshot.settings, cleaned, origin["model"], origin["device"], made_at)
    return None
