"""The changes: two exports of one site -> links found again -> what is new, lost, kept or changed, and its worth."""

from dataclasses import replace

import pandas as pd

from backlink_audit.analysis.changes.domains import compare_domains
from backlink_audit.analysis.changes.figures import cas_movements, roll_up
from backlink_audit.analysis.changes.links import compare_links
from backlink_audit.analysis.changes.verdicts import facts_changed
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Scored
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.pipelines.changes.pairs import check_pair, compared_columns, domain_table, missing_columns
from backlink_audit.pipelines.changes.result import Changes
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.wording import count

BY_RANK = "{} would get another verdict only because the CAS of other links changed, so the old verdict is kept."


def compare_exports(
    older: Export,
    newer: Export,
    settings: AuditSettings | None = None,
    encoder: Encoder | None = None,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Changes:
    """Compare two exports of one site. With an encoder, both are audited too, for CAS and verdicts.

    No filter is applied: a row that is set aside in one file only would read as a change. `sources`: a crawl of the
    site, for the audits.

    Raises:
        WrongExport: the same file twice, another site's, swapped, or an export of something else.
    """
    on_progress("Comparing exports", 0, 1)
    unfiltered = replace(settings or AuditSettings(), filters=BacklinkFilters.none())
    if older.kind != "backlinks" or newer.kind != "backlinks":
        tables = domain_table(older), domain_table(newer)
        check_pair(older, newer, *tables)
        return Changes(older, newer, None, compare_domains(*tables), notes=missing_columns(older, newer))
    before, after = (clean_backlinks(export, unfiltered.filters).table for export in (older, newer))
    check_pair(older, newer, before, after)
    links = compare_links(before, after, compared_columns(older, newer))
    audits, notes = None, missing_columns(older, newer)
    if encoder is not None:
        audits = (
            audit_backlinks(older, unfiltered, encoder, sources, _named(on_progress, older.name)),
            audit_backlinks(newer, unfiltered, encoder, sources, _named(on_progress, newer.name)),
        )
        links, by_rank = with_scores(links, *audits)
        notes += (BY_RANK.format(count(by_rank, "link")),) if by_rank else ()
    return Changes(older, newer, links, by_domain(links), audits, notes, period=_period(before, after))


def _period(before: pd.DataFrame, after: pd.DataFrame) -> tuple[pd.Timestamp, pd.Timestamp] | None:
    """Return the last day that each file knows of; None where one knows of none, or the older of a later one."""
    since, until = (table[["first_seen", "last_seen", "lost_date"]].max().max() for table in (before, after))
    return (since, until) if since <= until else None


def _named(on_progress: Progress, name: str) -> Progress:
    """Return the progress with the file's name in front of each stage."""
    return lambda what, done, total: on_progress(f"{name}: {what}", done, total)


def with_scores(links: pd.DataFrame, older: Scored, newer: Scored) -> tuple[pd.DataFrame, int]:
    """Return the links with `result.SCORED`, "" and NaN where they were not scored; and how many moved by rank.

    `links` is what `links.compare_links` returns for rows with the index of the scored links. A link whose
    verdict moved though nothing that it depends on did, but its rank, keeps its verdict.
    """
    scored = links.copy()
    for audit, row, when in ((older, "older_row", "before"), (newer, "newer_row", "after")):
        rows = links[row]
        scored[f"cas_{when}"] = rows.map(audit.links["cas"]).astype("float64")
        scored[f"verdict_{when}"] = rows.map(audit.links["verdict"]).fillna("").astype("str")
    both = scored[(scored["verdict_before"] != "") & (scored["verdict_after"] != "")]
    before, after = (
        older.links.loc[both["older_row"].astype("int64")],
        newer.links.loc[both["newer_row"].astype("int64")],
    )
    by_rank = both["verdict_before"] != both["verdict_after"]
    by_rank &= ~facts_changed(before, after, older.links, newer.settings.verdicts)
    moved = by_rank.index[by_rank]
    scored.loc[moved, "verdict_after"] = scored.loc[moved, "verdict_before"]
    return scored.join(cas_movements(scored)), len(moved)


def by_domain(links: pd.DataFrame) -> pd.DataFrame:
    """Return the links rolled up by referring domain, with the best rating and the CAS gained and lost."""
    how = {"domain_rating": "max", "url_rating": "max", "cas_gained": "sum", "cas_lost": "sum"}
    figures = links.groupby("referring_domain").agg({name: way for name, way in how.items() if name in links})
    return roll_up(links).merge(figures, on="referring_domain", how="left")
