"""What a comparison will cost, before it is begun: the audits of both files, if they are wanted."""

from dataclasses import replace

from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.estimate import BYTES_PER_ROW, ROWS_PER_SECOND, estimate_audit
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.wording import count


def estimate_changes(
    older: Export, newer: Export, settings: AuditSettings, scores: bool, pages: Export | None = None
) -> Estimate:
    """Return what `compare_exports` needs at most on this machine: texts of both files are counted twice."""
    rows = len(older.table) + len(newer.table)
    if not scores or older.kind != "backlinks" or newer.kind != "backlinks":
        return Estimate(f"{count(rows, 'row')} to compare", 0, rows / ROWS_PER_SECOND, float(rows * BYTES_PER_ROW))
    unfiltered = replace(settings, filters=BacklinkFilters.none())
    before, after = (estimate_audit(export, unfiltered, pages) for export in (older, newer))
    texts = before.texts + after.texts
    return Estimate(
        subject=f"{count(rows, 'link')}, {count(texts, 'text')} to embed",
        texts=texts,
        seconds=before.seconds + after.seconds,
        bytes=before.bytes + after.bytes,
        advice=after.advice or before.advice,
    )
