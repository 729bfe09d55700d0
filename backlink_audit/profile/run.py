"""The backlink profile: clean -> count -> class anchors -> follow the months; on an export alone, or on an audit."""

from datetime import date

import pandas as pd

from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import links_on_pages
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.anchor_classes import brand_names, classify_anchors
from backlink_audit.judgement.losses import newest_day
from backlink_audit.judgement.scales import chosen_links, site_authority
from backlink_audit.profile import shares as parts
from backlink_audit.profile.result import Profile
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import has_values, missing_parts
from backlink_audit.schema import MARKS_OF_LOSS
from backlink_audit.settings import BacklinkFilters, LinkChoice
from backlink_audit.site.pages import read_figures
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.urls import NO_COUNTRIES, normalise_urls, registrable_domains, with_countries

CONTENT_UNKNOWN = "The export does not show which links are in the main content."
NEEDS_AUDIT = "Run the audit to see this, because it needs the similarity of the links."
NEEDS = {
    "authority": ("domain_rating",),
    "follow": ("nofollow",),
    "link_type": ("link_type",),
    "placement": ("in_content", "sitewide"),
    "http_status": ("http_status",),
    "language": ("language",),
    "platform": ("platform",),
    "anchors": ("anchor",),
    "toxic": ("toxic_score",),
    "visitors": ("page_traffic",),
    "new_domains": ("first_seen",),
    "lost_domains": MARKS_OF_LOSS,
}
"""The columns a part needs, any one of them."""


def profile_backlinks(
    source: Export | Audit,
    choice: LinkChoice = LinkChoice(),  # noqa: B008 (frozen)
    filters: BacklinkFilters = BacklinkFilters(),  # noqa: B008 (frozen)
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Profile:
    """Profile the chosen links of an export, or of an audit, which brings its own filters and what it judged.

    `sources`: a crawl of the target site, whose titles and H1s show which anchors are exact matches; what its pages
    earn; a list of referring domains, for their countries; Google's linking texts. Raises NoRowsLeft.
    """
    on_progress("Cleaning", 0, 2)
    cleaned = source.cleaned if isinstance(source, Audit) else clean_backlinks(source, filters)
    every_link = source.scored if isinstance(source, Audit) else links_on_pages(cleaned.table, sources.tables)[0]
    links = every_link[chosen_links(every_link, choice)]
    on_progress("Classifying anchors", 1, 2)
    brands = brand_names(links)
    countries = _export_countries(sources.domains)
    return Profile(
        export=cleaned.export,
        links=links,
        every_link=every_link,
        choice=choice,
        removed=cleaned.removed,
        anchor_classes=classify_anchors(links, brands, _page_names(sources.pages)),
        brands=brands,
        until=newest_day(every_link, date.today()),
        missing=_missing(cleaned.export, every_link, parts.is_judged(links), countries),
        earned=read_figures(sources.performance, links["target_url"]),
        export_countries=countries,
        listed_texts=sources.texts,
    )


def _export_countries(domains: Export | None) -> pd.Series:
    if domains is None:
        return NO_COUNTRIES
    return domains.table["country"].set_axis(registrable_domains(domains.table["referring_domain"]))


def _page_names(pages: Export | None) -> dict[str, tuple[str, ...]]:
    if pages is None:
        return {}
    names = zip(normalise_urls(pages.table["url"]), pages.table["title"], pages.table["h1"], strict=True)
    return {key: (title, h1) for key, title, h1 in names}


def _missing(export: Export, links: pd.DataFrame, judged: bool, countries: pd.Series) -> dict[str, str]:
    missing = missing_parts(export, links, NEEDS)
    if has_values(site_authority(links)):
        missing.pop("authority", None)
    if not has_values(links["in_content"]):
        missing["in_content"] = missing.get("placement", CONTENT_UNKNOWN)
    if "new_domains" in missing and "lost_domains" in missing:
        missing["months"] = f"{missing['new_domains']} {missing['lost_domains']}"
    if not with_countries(links[["referring_domain"]], countries)["country"].ne("").any():
        missing["country"] = "No referring domain uses a country-code TLD (ccTLD)."
    if not judged:
        missing["topics"] = missing["relevance"] = NEEDS_AUDIT
        missing.setdefault("visitors", NEEDS_AUDIT)
    return missing
