"""Whether two exports can be compared, and what of them: the same site, in the right order, with the same columns."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.changes.links import COMPARED, main_domain, match_links, same_site, seems_swapped
from backlink_audit.analysis.scales import rating_labels
from backlink_audit.errors import WrongExport
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.schema import BACKLINKS, MARKS_OF_LOSS
from backlink_audit.settings import BacklinkFilters
from backlink_audit.text.urls.parts import registrable_domains

DATES = ("first_seen", "last_seen")


def check_pair(older: Export, newer: Export, before: pd.DataFrame, after: pd.DataFrame) -> None:
    """Raise WrongExport for the same file twice, another site's, or the newer one first.

    `before` and `after` are the cleaned tables of links, or of domains.
    """
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


def compared_columns(older: Export, newer: Export) -> tuple[str, ...]:
    """Return the columns in which links are compared: those that both exports have."""
    return in_both(known_columns(older), known_columns(newer))


def in_both(older: frozenset[str], newer: frozenset[str]) -> tuple[str, ...]:
    """Return the compared columns that two exports have, in their order."""
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
