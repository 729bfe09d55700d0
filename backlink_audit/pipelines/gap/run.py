"""The gap: exports of several sites -> domains side by side -> what they are about -> prospects and pages to pitch."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.analysis.gap.sites import compare_sites, join_sites, links_by_site
from backlink_audit.analysis.referring_sites.related_sites import related_sites
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.gap.pages import find_pages, our_pages
from backlink_audit.pipelines.gap.prospects import judge_prospects
from backlink_audit.pipelines.gap.result import Gap
from backlink_audit.pipelines.gap.sites import (
    Site,
    check_sites,
    linked_before,
    missing_columns,
    named_apart,
    read_site,
    read_sites,
)
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import GapSettings
from backlink_audit.sources import NO_SOURCES, Sources

MOST_COMPETITORS = 5
NO_PAGES = (
    "Relevance and page to pitch are empty, because they need your pages: load a crawl of your site or an export "
    "of your backlinks."
)


def find_gap(
    ours: Export,
    theirs: Sequence[Export],
    settings: GapSettings,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Gap:
    """Compare who links to us with who links to competitors. `sources`: a crawl of our site, for the pages to pitch.

    Exports list links or referring domains, of any tool. Several of one competitor count as one competitor.

    Raises:
        InvalidSetting: no competitor, or more than MOST_COMPETITORS.
        WrongExport: a competitor's file is our own, or the same as another.
        NoRowsLeft: a filter removed every row of a file.
    """
    on_progress("Comparing sites", 0, 1)
    own = read_site(ours)
    others = named_apart([site for export in theirs for site in read_sites(export)], own)
    check_sites(own, others)
    names = list(dict.fromkeys(site.name for site in others if site.name != own.name))
    if not 1 <= len(names) <= MOST_COMPETITORS:
        raise InvalidSetting(f"A link gap needs 1 to {MOST_COMPETITORS} competitors, but there are {len(names)}.")
    rows = join_sites(_rows_by_site([own, *others]))
    links = links_by_site(rows, [own.name, *names])
    domains = compare_sites(rows, links, own.name)
    tied = related_sites(rows, [own.name, *names])
    domains["tied_to"] = tied.reindex(domains["referring_domain"], fill_value="").astype("str").array
    domains["linked_before"] = domains["referring_domain"].isin(linked_before(own)) & (domains["our_links"] == 0)
    to_pitch = our_pages(own, sources.pages)
    judged = judge_prospects(domains, own, settings.model, encoder, sources.pages, on_progress)
    return Gap(
        ours=own.name,
        competitors=tuple(names),
        files=_files([own, *others]),
        domains=find_pages(judged, to_pitch, encoder, on_progress),
        links_by_site=links,
        settings=settings,
        model=encoder.name,
        notes=tuple(missing_columns([own, *others]) + ([] if len(to_pitch) else [NO_PAGES])),
    )


def _files(sites: Sequence[Site]) -> dict[str, str]:
    """Return the sites of each file, by its name."""
    named: dict[str, list[str]] = {}
    for site in sites:
        named.setdefault(site.export.name, []).append(site.name)
    return {name: ", ".join(its) for name, its in named.items()}


def _rows_by_site(sites: Sequence[Site]) -> dict[str, list[pd.DataFrame]]:
    tables: dict[str, list[pd.DataFrame]] = {}
    for site in sites:
        tables.setdefault(site.name, []).append(site.rows)
    return tables
