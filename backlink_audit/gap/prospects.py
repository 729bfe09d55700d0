"""What prospects are about: judged as the audit would judge the link that each of them could give to our site."""

import numpy as np
import pandas as pd

from backlink_audit.audit.run import compare_links, judge_subjects
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.recognise import Export
from backlink_audit.gap.sites import Site
from backlink_audit.judgement.export_summary import join_summaries, summarise_part
from backlink_audit.labels import KIND_PAGE, KIND_UNCLEAR, OURS_ALONE, SHARED
from backlink_audit.progress import Progress
from backlink_audit.settings import AuditSettings
from backlink_audit.text.link_texts import linked_sites
from backlink_audit.text.urls import main_domain, normalise_urls, registrable_domains

TEXTS = ("topic", "topic_field", "band", "page_kind", "kind_why")
JUDGED = ("relevance", *TEXTS)  # the columns that `judge_prospects` adds


def worth_asking(domains: pd.DataFrame) -> pd.DataFrame:
    return domains[~domains["gap_class"].isin([OURS_ALONE.word, SHARED.word])]


def judge_prospects(
    domains: pd.DataFrame, own: Site, model: str, encoder: Encoder, pages: Export | None, on_progress: Progress
) -> pd.DataFrame:
    """Return `analysis.gap.sites.compare_sites`' table with JUDGED, blank for domains without anything to ask for.

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
