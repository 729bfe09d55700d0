"""The sites of a gap: whose export is it, which rows of it count; and the pages to pitch to who links to others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import PurePath

import numpy as np
import pandas as pd

from backlink_audit.audit.run import compare_links, judge_subjects
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import WrongExport
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.formats import AHREFS_LINK_INTERSECT, AHREFS_PAGE_INTERSECT
from backlink_audit.exports.recognise import Export
from backlink_audit.exports.values import to_numbers
from backlink_audit.gap.domains import rows_of_domains, rows_of_links
from backlink_audit.judgement.features import FEATURE_NAMES, SITE_FEATURES, link_features, shared_features
from backlink_audit.judgement.judge import judge, load_fitted
from backlink_audit.judgement.referring_sites import join_summaries, summarise_part
from backlink_audit.judgement.scales import chosen_links
from backlink_audit.labels import KIND_PAGE, KIND_UNCLEAR, OURS_ALONE, SHARED
from backlink_audit.progress import Progress
from backlink_audit.settings import LINKS_MODEL, AuditSettings, BacklinkFilters, LinkChoice
from backlink_audit.text.link_texts import linked_sites
from backlink_audit.text.urls import main_domain, normalise_urls, registrable_domain, registrable_domains

SAME_DOMAINS = 0.98  # share of a list's domains that must link to us too for the list to be taken for our own
FEWEST_SAME = 20  # below this many domains, a list is too short to be taken for our own
TEXTS = ("topic", "topic_field", "band", "page_kind", "kind_why")
JUDGED = ("relevance", *TEXTS)  # the columns that `judge_prospects` adds


@dataclass(frozen=True, eq=False)
class Site:
    """One export of a gap. `name`: the domain its links point to; for a list of domains, the name of the file.

    `table`: the rows that count, cleaned; `rows`: the same as `gap.domains.ROW_COLUMNS`.
    """

    name: str
    export: Export
    table: pd.DataFrame
    rows: pd.DataFrame

    @property
    def lists_links(self) -> bool:
        return self.export.kind == "backlinks"


def read_sites(export: Export) -> list[Site]:
    """Return the sites whose links an export lists: one, but of Ahrefs' Link Intersect one for each of its columns."""
    site = read_site(export)
    if export.format == AHREFS_PAGE_INTERSECT:
        by_site = site.table.groupby("target_domain", sort=False)
        return [Site(str(name), export, table, site.rows.loc[table.index]) for name, table in by_site]
    columns = _columns_of_sites(export)
    if not columns:
        return [site]
    found = []
    for name, of_site in columns.items():
        counts = export.raw[of_site].apply(to_numbers).sum(axis=1)
        table = site.table.assign(backlinks=counts)[counts > 0]
        found.append(Site(name, export, table, rows_of_domains(table)))
    return found


def _lists_sites(export: Export) -> bool:
    return export.format == AHREFS_PAGE_INTERSECT or bool(_columns_of_sites(export))


def _columns_of_sites(export: Export) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {}
    for header in export.raw.columns if export.format == AHREFS_LINK_INTERSECT else ():
        if name := _site_of_column(header):
            columns.setdefault(name, []).append(header)
    return columns


def _site_of_column(header: str) -> str:
    """Return the site that a column of a link intersect is named after, "" for any other column.

    >>> _site_of_column("www.rival.example/"), _site_of_column("Traffic")
    ('rival.example', '')
    """
    address = header.strip().rstrip("*/")
    return registrable_domain(f"https://{address.removeprefix('https://')}") if re.search(r"\w\.\w", address) else ""


def read_site(export: Export) -> Site:
    """Return the site that an export is of, with its live links. Raises WrongExport (of pages), NoRowsLeft."""
    if export.kind not in ("backlinks", "referring_domains"):
        raise WrongExport(
            export.name, f"this is {export.format.name}; use an export of backlinks or referring domains."
        )
    if export.kind == "backlinks":
        scored = clean_backlinks(export, BacklinkFilters()).table
        table = scored[chosen_links(scored, LinkChoice())]
        table = table.assign(page_kind=_kinds(table))
        rows = rows_of_links(table, knows_follow=export.has("nofollow"))
        return Site(main_domain(table["target_domain"]) or export.name, export, table, rows)
    table = export.table.assign(referring_domain=registrable_domains(export.table["referring_domain"]))
    return Site(_site_of_list(export.name), export, table, rows_of_domains(table))


def _kinds(links: pd.DataFrame) -> pd.Series:
    whole = join_summaries([summarise_part(links)])
    features = link_features(links).join(shared_features(whole.shared))
    kinds = judge(
        features.reindex(columns=[*FEATURE_NAMES, *SITE_FEATURES]),
        np.ones(len(links), dtype=bool),
        load_fitted(LINKS_MODEL),
    ).kind
    return pd.Series(kinds, links.index, dtype="str")


def _site_of_list(file_name: str) -> str:
    """Return what to call the site of a list of domains, which does not say: the name of its file.

    >>> _site_of_list("shop.example-refdomains.csv"), _site_of_list("theirs, new.csv")
    ('shop.example-refdomains', 'theirs new')
    """
    return PurePath(file_name).stem.replace(",", "")


def named_apart(sites: Sequence[Site], own: Site) -> list[Site]:
    """Return competitors, their lists of domains under names that neither we nor another competitor has.

    A list does not say whose it is: "refs.csv" and another "refs.csv" are two competitors' until one knows better.
    """
    taken, found = {own.name}, list[Site]()
    for site in sites:
        is_list = not (site.lists_links or _lists_sites(site.export))
        numbers = chain([""], (f" ({number})" for number in count(2)))
        name = next(name for number in numbers if (name := site.name + number) not in taken) if is_list else site.name
        taken.add(name)
        found.append(replace(site, name=name))
    return found


def linked_before(own: Site) -> frozenset[str]:
    """Return every domain that our export knows, be its links lost or set aside."""
    column = "referring_url" if own.lists_links else "referring_domain"
    return frozenset(registrable_domains(own.export.table[column]))


def check_sites(own: Site, others: Sequence[Site]) -> None:
    """Raise WrongExport where a competitor's file is our own, or is given twice."""
    seen = {own.export.fingerprint: own.export}
    for site in others:
        same = seen.setdefault(site.export.fingerprint, site.export)
        if same is not site.export:
            problem = f"this is the same file as {same.name}; use the export of a competitor."
            raise WrongExport(site.export.name, problem)
        if site.name == own.name and _lists_sites(site.export):  # a column of our own
            continue
        if site.lists_links and site.name == own.name:
            raise WrongExport(
                site.export.name, f"its links point to your own site, {own.name}; use the export of a competitor."
            )
        if not site.lists_links and _lists_our_domains(own, site):
            raise WrongExport(
                site.export.name,
                "almost all of its domains also link to your site, so it is probably the export of your own site; "
                "use the export of a competitor.",
            )


def _lists_our_domains(own: Site, site: Site) -> bool:
    ours, theirs = set(own.rows["referring_domain"]), set(site.rows["referring_domain"])
    return len(theirs) >= FEWEST_SAME and len(ours & theirs) >= SAME_DOMAINS * max(len(ours), len(theirs))


def missing_columns(sites: Sequence[Site]) -> list[str]:
    return list(dict.fromkeys(sentence for site in sites for sentence in _missing_in(site)))


def _missing_in(site: Site) -> list[str]:
    has, name = site.export.has, site.export.name
    sentences = []
    if not (has("domain_rating") or has("url_rating")):
        sentences.append(f"{name} has no authority column, so the authority filter does not apply to its domains.")
    if not site.lists_links:
        sentences.append(f"{name} lists only domains, so there is no example page, title or anchor.")
        if site.rows["links"].isna().all():
            sentences.append(f"{name} has no column with the number of links.")
        return sentences
    missing = [word for column, word in (("referring_title", "titles"), ("anchor", "anchors")) if not has(column)]
    if missing:
        sentences.append(f"{name} has no {' and no '.join(missing)}.")
    if not has("nofollow"):
        sentences.append(f"{name} has no nofollow column, so the share of followed links is empty.")
    return sentences


def worth_asking(domains: pd.DataFrame) -> pd.DataFrame:
    return domains[~domains["gap_class"].isin([OURS_ALONE.word, SHARED.word])]


def judge_prospects(
    domains: pd.DataFrame, own: Site, model: str, encoder: Encoder, pages: Export | None, on_progress: Progress
) -> pd.DataFrame:
    """Return `gap.domains.compare_sites`' table with JUDGED, blank for domains without anything to ask for.

    Each domain is judged by its best example as if that linked to our homepage: so it is compared with the subject of
    our site, as a link of an audit is, and has the kind, the topic and the band that it would have there. The anchor
    is about the competitor: it is used for the kind of page alone.
    """
    settings = AuditSettings(model=model)
    crawl = None if pages is None else pages.table
    links = as_links(worth_asking(domains), _site_name(own, pages))
    known = linked_sites(own.table if own.lists_links else links)
    unanchored = links.assign(anchor="", redirect_urls="", redirect_codes="")
    compared = compare_links(unanchored, settings, encoder, crawl, known, on_progress=on_progress)
    summary = summarise_part(links)
    export = join_summaries([summary])
    judged = judge_subjects(compared.assign(anchor=links["anchor"]), settings, export)
    # No domain is set aside for its kind of page where no page is known, or where no reason can be given.
    unreasoned = (judged["kind_why"] == "") & (judged["page_kind"] != KIND_PAGE.word)
    unknown = (domains.loc[links.index, "example_url"] == "") | unreasoned
    judged.loc[unknown, ["page_kind", "kind_why"]] = [KIND_UNCLEAR.word, ""]
    whole = domains.join(judged[list(JUDGED)])
    return whole.fillna(dict.fromkeys(TEXTS, "")).astype(dict.fromkeys(TEXTS, "str"))


def as_links(domains: pd.DataFrame, site: str) -> pd.DataFrame:
    """Return each domain's best example as a cleaned backlink to the homepage of our site, "" where that is unknown.

    A domain that no page is known of links from its own homepage.
    """
    urls = domains["example_url"].where(domains["example_url"] != "", "https://" + domains["referring_domain"] + "/")
    target = f"https://{site}/" if site else ""
    return pd.DataFrame(
        {
            "referring_url": urls,
            "referring_key": normalise_urls(urls),
            "referring_domain": domains["referring_domain"],
            "referring_title": domains["example_title"],
            "anchor": domains["example_anchor"],
            "external_links": domains["example_external_links"],
            "nofollow": domains["example_nofollow"],
            "ugc": domains["example_ugc"],
            "platform": domains["example_platform"],
            "target_url": pd.Series(target, domains.index, dtype="str"),
            "target_key": pd.Series(site, domains.index, dtype="str"),
            "target_domain": pd.Series(site, domains.index, dtype="str"),
            "url_rating": np.nan,
            "domain_rating": np.nan,
            "followed": ~domains["example_nofollow"],
            "language": pd.Series("", domains.index, dtype="str"),
        }
    )


def _site_name(own: Site, pages: Export | None) -> str:
    if own.lists_links:
        return own.name
    return "" if pages is None else main_domain(registrable_domains(pages.table["url"]))
