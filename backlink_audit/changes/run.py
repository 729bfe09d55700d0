"""The changes: two exports of one site -> links found again -> what is new, lost, kept or changed, and its worth."""

from dataclasses import replace

import numpy as np
import pandas as pd

from backlink_audit.audit.result import Scored
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.changes.links import (
    COMPARED,
    compare_domains,
    compare_links,
    facts_changed,
    match_links,
    same_site,
    seems_swapped,
)
from backlink_audit.changes.result import Changes, cas_movements, roll_up
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import WrongExport
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.scales import rating_labels
from backlink_audit.progress import Progress, silent
from backlink_audit.schema import BACKLINKS, MARKS_OF_LOSS
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.urls import main_domain, registrable_domains
from backlink_audit.wording import count

BY_RANK = "{} would get another verdict only because the CAS of other links changed, so the old verdict is kept."
DATES = ("first_seen", "last_seen")


def compare_exports(
    older: Export,
    newer: Export,
    settings: AuditSettings | None = None,
    encoder: Encoder | None = None,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Changes:
    """Compare two exports of one site. With an encoder, both are audited too, for CAS and verdicts.

    Exact duplicates alone are set aside: any other filter would make a change of what only one file has. `sources`: a
    crawl of the site, for the audits. Raises WrongExport (the same file twice, another site's, swapped, or an export of
    something else).
    """
    on_progress("Comparing exports", 0, 1)
    unfiltered = replace(settings or AuditSettings(), filters=BacklinkFilters(web_urls=False))
    if older.kind != "backlinks" or newer.kind != "backlinks":
        tables = domain_table(older), domain_table(newer)
        check_pair(older, newer, *tables)
        return Changes(older, newer, None, compare_domains(*tables), notes=missing_columns(older, newer))
    before, after = (clean_backlinks(export, unfiltered.filters).table for export in (older, newer))
    check_pair(older, newer, before, after)
    links = compare_links(before, after, in_both(known_columns(older), known_columns(newer)))
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
    since, until = (table[["first_seen", "last_seen", "lost_date"]].max().max() for table in (before, after))
    return (since, until) if since <= until else None


def _named(on_progress: Progress, name: str) -> Progress:
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


def check_pair(older: Export, newer: Export, before: pd.DataFrame, after: pd.DataFrame) -> None:
    """Raise WrongExport for the same file twice, another site's, or the newer one first."""
    if older.fingerprint == newer.fingerprint:
        raise WrongExport(newer.name, f"this is the same file as {older.name}; use a newer export.")
    lists_links = "target_domain" in before and "target_domain" in after
    if lists_links and not same_site(before["target_domain"], after["target_domain"]):
        sites = [main_domain(table["target_domain"]) for table in (after, before)]
        raise WrongExport(
            newer.name,
            f"its links point to {sites[0]}, but the links in {older.name} point to {sites[1]}; use two exports of the "
            "same site.",
        )
    pairs = match_links(before, after) if lists_links else match_links(before, after, [("referring_domain",)])
    if seems_swapped(before, after, pairs):
        raise WrongExport(
            older.name,
            f"its links were last seen later ({_latest(before)}) than those of {newer.name} ({_latest(after)}). The "
            "files are in the wrong order: the older file must come first.",
        )


def _latest(table: pd.DataFrame) -> str:
    return f"{table['last_seen'].fillna(table['first_seen']).max():%Y-%m-%d}"


def domain_table(export: Export) -> pd.DataFrame:
    """Return any export as a table of referring domains; one that lists links is counted up. Raises WrongExport."""
    if export.kind == "referring_domains":
        return export.table.assign(referring_domain=registrable_domains(export.table["referring_domain"]))
    if export.kind != "backlinks":
        raise WrongExport(
            export.name, f"this is {export.format.name}; use an export of backlinks or referring domains."
        )
    links = clean_backlinks(export, BacklinkFilters.none()).table
    lost = links["lost_date"].fillna(links["last_seen"]).fillna(pd.Timestamp(0))
    groups = links.assign(gone=lost.where(links["is_lost"])).groupby("referring_domain", sort=False)
    domains = groups.agg(
        first_seen=("first_seen", "min"),
        last_seen=("last_seen", "max"),
        domain_rating=("domain_rating", "max"),
        scale=("scale", "first"),
    )
    all_lost = groups["is_lost"].all()
    domains["lost_date"] = groups["gone"].max().where(all_lost)
    # A tool's own count of links and a count of rows are two things: neither replaces the other.
    return domains.assign(backlinks=np.nan, followed_backlinks=np.nan).reset_index()


def in_both(older: frozenset[str], newer: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in COMPARED if name in older & newer)


def missing_columns(older: Export, newer: Export) -> tuple[str, ...]:
    """Return a sentence about each thing that cannot be compared, and which column it would need."""
    notes = []
    if "referring_domains" in (older.kind, newer.kind):
        domains_only = " and ".join(e.name for e in (older, newer) if e.kind == "referring_domains")
        notes.append(
            f"{domains_only}: the file lists only domains, so links, anchors, target pages, CAS and verdicts are "
            "not compared."
        )
    else:
        tools = [export.format.tool or export.format.name for export in (older, newer)]
        if tools[0] != tools[1]:
            notes.append(
                f"The files are from different tools ({' and '.join(tools)}): each tool finds links that the other "
                "does not."
            )
        if set(older.table["scale"]).isdisjoint(newer.table["scale"]):
            names = " and ".join(", ".join(rating_labels(export.table["scale"]).values()) for export in (older, newer))
            notes.append(f"Their ratings are on different scales ({names}) and are not compared.")
        for here, there in ((older, newer), (newer, older)):
            lacking = [name for name in COMPARED if name in known_columns(there) and name not in known_columns(here)]
            if lacking:
                ratings = rating_labels(there.table["scale"])
                names = ", ".join(ratings.get(name, BACKLINKS.column(name).label) for name in lacking)
                notes.append(f"{here.name} has no column for {names}, so this is not compared.")
    notes += [
        f"{export.name} has no dates (First seen, Last seen), so the order of the files could not be checked, and "
        "its links are not in the chart by month."
        for export in (older, newer)
        if not any(export.has(name) for name in DATES)
    ]
    if not any(newer.has(name) for name in MARKS_OF_LOSS):
        notes.append(f"{newer.name} does not mark lost links, so links that it no longer lists count as lost.")
    return tuple(notes)


def known_columns(export: Export) -> frozenset[str]:
    """Return the compared columns that an export has; some formats have the link type in several of theirs."""
    flags = {"link_type"} if export.format.flags else set()
    return frozenset(name for name in COMPARED if export.has(name) or name in flags)
