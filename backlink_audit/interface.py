"""The features as functions for notebooks and scripts: files or tables in, the results of the app out.

Each result is the same frozen object that a page shows: it answers questions (`result.headline`, `result.links`) and
gives its tables (`tables(result)`). Without an encoder the model of the settings is loaded.
"""

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from backlink_audit.audit.result import Audit, Scored
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.authority.result import SiteAuthority
from backlink_audit.authority.run import find_authority
from backlink_audit.changes.result import Changes
from backlink_audit.changes.run import compare_exports
from backlink_audit.clusters.result import Clusters
from backlink_audit.clusters.run import find_clusters
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.errors import InvalidSetting, UnreadableFile
from backlink_audit.existing_links.result import InlinkAudit
from backlink_audit.existing_links.run import audit_inlinks
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export, recognise
from backlink_audit.gap.result import Gap
from backlink_audit.gap.run import find_gap
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.profile.result import Profile
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.redirects.result import Redirects
from backlink_audit.redirects.run import map_redirects
from backlink_audit.report import files
from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from backlink_audit.search.result import Found
from backlink_audit.search.run import index_links, index_page_vectors, index_pages
from backlink_audit.search.run import search as search_rows
from backlink_audit.settings import (
    AuditSettings,
    AuthoritySettings,
    ClusterSettings,
    GapSettings,
    InlinkSettings,
    InterlinkSettings,
    LinkChoice,
    RedirectSettings,
)
from backlink_audit.sources import Sources

File = str | os.PathLike[str]


def read(
    *sources: File | pd.DataFrame, table: str = "backlinks", mapping: Mapping[str, str] | None = None, site: str = ""
) -> Export:
    """Read one or more files of one kind, of one or several tools; or one table that you have already.

    Args:
        sources: Paths, or one DataFrame with a tool's headers.
        table: backlinks, referring_domains, pages, inlinks, performance, … (`schema.TABLES`).
        mapping: Our column -> header, where a header is not known.
        site: Where Search Console's links lead, if the file's name does not say it.

    Raises:
        FileProblem: A file cannot be used; the sentence says why.
        InvalidSetting: Several tables were given, or tables and files.
    """
    if not any(isinstance(source, pd.DataFrame) for source in sources):
        return load([(Path(source).name, _bytes(source)) for source in sources], table, mapping, site)  # type: ignore[arg-type]
    [*rest, rows] = sources
    if rest or not isinstance(rows, pd.DataFrame):
        raise InvalidSetting("Give files, or one table: join several tables first.")
    return recognise(rows.reset_index(drop=True).astype("str").fillna(""), "table", mapping, table)


def audit(
    backlinks: Export,
    settings: AuditSettings | None = None,
    *,
    pages: Export | None = None,
    outlinks: Export | None = None,
    checked: Export | None = None,
    referring_pages: Export | None = None,
    encoder: Encoder | None = None,
) -> Audit:
    """Score backlinks: similarity, relevance, CAS and a verdict for each link. `pages`: a crawl of the site.

    `outlinks` and `referring_pages`, or `checked`: a crawl of the referring pages, or what a link check wrote of them;
    what the pages say takes the place of what the export says.

    The figures are of every scored link; `result.chosen(LinkChoice())` gives those of live links, as the app does.
    """
    settings = settings or AuditSettings()
    sources = Sources(pages=pages, outlinks=outlinks, referring_pages=referring_pages, checked=checked)
    return audit_backlinks(backlinks, settings, encoder or load_encoder(settings.model), sources)


def profile(source: Export | Audit, choice: LinkChoice | None = None, *, pages: Export | None = None) -> Profile:
    """Profile backlinks: domains, anchors, topics, target pages, new and lost links by month."""
    return profile_backlinks(source, choice or LinkChoice(), sources=Sources(pages=pages))


def risk(source: Export | Audit, review: Review | None = None) -> RiskReview:
    """Find risk signals with their evidence; `review`: what was decided already."""
    limits = source.settings.risk if isinstance(source, Audit) else None
    return RiskReview(review_risks(source, limits=limits), review or Review())


def gap(
    ours: Export,
    theirs: Sequence[Export],
    settings: GapSettings | None = None,
    *,
    pages: Export | None = None,
    encoder: Encoder | None = None,
) -> Gap:
    """Find sites that link to competitors and not to us, and the page of ours to pitch to each."""
    settings = settings or GapSettings()
    return find_gap(ours, theirs, settings, encoder or load_encoder(settings.model), Sources(pages=pages))


def changes(
    older: Export,
    newer: Export,
    settings: AuditSettings | None = None,
    *,
    scores: bool = True,
    pages: Export | None = None,
    encoder: Encoder | None = None,
) -> Changes:
    """Compare two exports of one site: new, lost and changed links. `scores`: audit both first."""
    if not scores:
        return compare_exports(older, newer)
    settings = settings or AuditSettings()
    return compare_exports(older, newer, settings, encoder or load_encoder(settings.model), Sources(pages=pages))


def interlinks(
    pages: Export,
    settings: InterlinkSettings | None = None,
    *,
    inlinks: Export | None = None,
    encoder: Encoder | None = None,
) -> Opportunities:
    """Suggest links between the pages of a crawl, with anchor and sentence. `inlinks`: those that exist."""
    settings = settings or InterlinkSettings()
    return find_internal_links(pages, settings, encoder or load_encoder(settings.model), Sources(inlinks=inlinks))


def clusters(
    pages: Export,
    settings: ClusterSettings | None = None,
    *,
    inlinks: Export | None = None,
    encoder: Encoder | None = None,
) -> Clusters:
    """Group the pages of a crawl by subject: what the site is about, hubs, and links missing inside a topic."""
    settings = settings or ClusterSettings()
    return find_clusters(pages, settings, encoder or load_encoder(settings.model), sources=Sources(inlinks=inlinks))


def authority(
    inlinks: Export,
    settings: AuthoritySettings | None = None,
    *,
    pages: Export | None = None,
    audit: Audit | None = None,
) -> SiteAuthority:
    """Work out the link score of every page of a site. `audit`: scored backlinks, which bring authority in."""
    links = None if audit is None else audit.scored
    return find_authority(inlinks, settings or AuthoritySettings(), sources=Sources(pages=pages), backlinks=links)


def inlinks(
    inlinks: Export,
    settings: InlinkSettings | None = None,
    *,
    pages: Export | None = None,
    encoder: Encoder | None = None,
) -> InlinkAudit:
    """Judge every link in the content of a site: mend, reword, off-topic, fine."""
    settings = settings or InlinkSettings()
    return audit_inlinks(inlinks, settings, encoder or load_encoder(settings.model), Sources(pages=pages))


def redirects(
    old: Export,
    new: Export,
    settings: RedirectSettings | None = None,
    *,
    backlinks: Export | None = None,
    encoder: Encoder | None = None,
) -> Redirects:
    """Find the best new page for every old one. `backlinks`: what is at risk."""
    settings = settings or RedirectSettings()
    return map_redirects(old, new, settings, encoder or load_encoder(settings.model), Sources(backlinks=backlinks))


def search(
    source: Scored | Opportunities | Export, query: str, most: int = 20, encoder: Encoder | None = None
) -> Found:
    """Search links or pages by meaning; rows with exactly these words come first. `source`: a result, or an export."""
    if isinstance(source, Opportunities):
        encoder = encoder or load_encoder(source.settings.model)
        index = index_page_vectors(source.pages, source.vectors.vectors)
    elif isinstance(source, Scored):
        encoder = encoder or load_encoder(source.settings.model)
        index = index_links(source.links, encoder)
    else:
        encoder = encoder or load_encoder(AuditSettings().model)
        index = (index_pages if source.kind == "pages" else index_links)(source.table, encoder)
    return search_rows(index, query, encoder, most)


def tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return the sheets of a result's workbook by name. Raises InvalidSetting for anything but a result."""
    return {name: sheet for name, sheet in _tables(result).sheets().items() if isinstance(sheet, pd.DataFrame)}


def save(result: Any, path: File) -> list[str]:
    """Write a result to .xlsx, .csv or .parquet; return what had to be cut. Raises AuditError, InvalidSetting."""
    return files.save(_tables(result), Path(path))


def _tables(result: Any) -> files.Tables:
    """Return a result's tables: every feature has them beside its result."""
    package, _, module = type(result).__module__.rpartition(".")
    if not package.startswith("backlink_audit.") or module != "result":
        raise InvalidSetting(f"{type(result).__name__} is no result: give what audit, profile, gap … return.")
    made: files.Tables = import_module(f"{package}.tables").tables(result)
    return made


def _bytes(source: File) -> bytes:
    try:
        return Path(source).read_bytes()
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise UnreadableFile(str(source), f"cannot be opened ({reason}).") from error
