"""The backlink audit: clean -> texts -> embed -> compare -> score -> judge."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.cas import contextual_authority, rank_links
from backlink_audit.analysis.export_summary import ExportSummary, join_summaries, summarise_part
from backlink_audit.analysis.letters import letters_shared
from backlink_audit.analysis.outreach import words_around
from backlink_audit.analysis.own_sites import own_sites
from backlink_audit.analysis.page_kinds import VISITORS, page_kinds
from backlink_audit.analysis.redirected_links import redirect_columns, target_error
from backlink_audit.analysis.relevance import Chance, bands, compare, relevance
from backlink_audit.analysis.risk import independent, name_signals, risk_signals
from backlink_audit.analysis.site_fields import site_fields, with_site_fields
from backlink_audit.analysis.site_mentions import mentions_in_words, site_mentions
from backlink_audit.analysis.topics import field_names, load_site_names, load_topics
from backlink_audit.analysis.verdicts import verdicts
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import find_model
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.text.bags import distinct_rows
from backlink_audit.text.brands import page_part
from backlink_audit.text.field_words import fields_of_pages
from backlink_audit.text.known_languages import declared_foreign, known_texts
from backlink_audit.text.shared_words import shared_words, site_words
from backlink_audit.text.texts import LinkTexts, read_link_texts
from backlink_audit.text.urls import map_distinct, normalise_urls

RANKS = ("cas_percentile", "is_best_copy", "site_field", "own_site")
"""What `rank` says of each link."""


def audit_backlinks(
    export: Export,
    settings: AuditSettings,
    encoder: Encoder,
    pages: Export | None = None,
    on_progress: Progress = silent,
) -> Audit:
    """Clean and score a backlink export. `pages`: a crawl of the target site, for its titles and dead pages.

    Raises NoRowsLeft when the filters leave nothing, Cancelled when `on_progress` stops the run.
    """
    on_progress("Cleaning", 0, 1)
    cleaned = clean_backlinks(export, settings.filters)
    crawl = None if pages is None else pages.table
    links = compare_links(cleaned.table, settings, encoder, crawl, on_progress=on_progress)
    on_progress("Setting verdicts", 0, 1)
    summary = summarise_part(links)
    whole = join_summaries([summary])
    links = links.join(rank(links, summary.prints, whole))
    links = judge_links(links, settings, whole)
    return Audit(links, settings, cleaned, encoder.name, encoder.device)


def texts_of_links(
    table: pd.DataFrame,
    settings: AuditSettings,
    pages: pd.DataFrame | None = None,
    targets: pd.DataFrame | None = None,
) -> LinkTexts:
    """Return the texts that `compare_links` compares, and in its vocabulary those that it has embedded."""
    return read_link_texts(table, settings.link_text, pages, load_topics().phrases, load_site_names(), targets)


def compare_links(
    table: pd.DataFrame,
    settings: AuditSettings,
    encoder: Encoder,
    pages: pd.DataFrame | None = None,
    targets: pd.DataFrame | None = None,
    on_progress: Progress = silent,
) -> pd.DataFrame:
    """Return cleaned links with what their own words and numbers show: similarity … topic_field, cas.

    `pages`: the mapped crawl of the target site. `targets`: the target pages of the whole export
    (`text.texts.count_targets`), where `table` is only a part of it.
    """
    topics = load_topics()
    texts = texts_of_links(table, settings, pages, targets)
    vectors = encoder.encode(texts.vocabulary.texts, on_progress)
    chance = texts.topics.embedded(vectors)
    foreign = declared_foreign(table["language"], table["referring_url"])
    own = map_distinct(texts.words, page_part)
    known = known_texts(own.tolist(), find_model(settings.model).english_only, foreign.tolist())
    named_fields = fields_of_pages(own, table["referring_url"], field_names(topics).tolist())
    # The same pages link to the same ones again and again: each such pair is compared once.
    sides = [texts.referring, *texts.pages, *filter(None, [texts.site, texts.anchor])]
    first, which = distinct_rows([*(bags.codes for bags in sides), known, named_fields])
    found = compare(
        texts.referring.take(first).embedded(vectors),
        [bags.take(first).embedded(vectors) for bags in texts.pages],
        None if texts.site is None else texts.site.take(first).embedded(vectors),
        Chance(chance.unit_vectors(0, len(chance)), topics),
        None if texts.anchor is None else texts.anchor.take(first).embedded(vectors),
        known[first],
        named_fields[first],
        on_progress,
    ).take(which)
    links = table.assign(
        similarity=found.similarity.astype("float64"),
        standing=found.standing,
        known_language=known,
        known_subject=table["target_domain"].isin(list(texts.sites)) | (settings.link_text != "subject"),
        kinship=_kinship(texts, table["target_domain"], settings),
        shared_words=shared_words(texts.words, table["target_domain"], site_words(texts.sites)),
        anchor_fit=found.anchor_fit.astype("float64"),
        topic_field=pd.array(found.field, dtype="str"),
        topic=pd.array(found.topic, dtype="str"),
        own_field=found.own_field,
        **redirect_columns(table),
    )
    links = links.assign(target_status=_target_status(links, pages))
    return links.assign(cas=contextual_authority(links, settings))


def rank(compared: pd.DataFrame, prints: pd.DataFrame, whole: ExportSummary) -> pd.DataFrame:
    """Return what the other links say of each compared link of the whole export: RANKS.

    `compared` has cas, referring_domain, target_domain, referring_title and topic_field; `prints` the footprints
    same_link, referring_page and target_page.
    """
    fields = site_fields(compared["referring_domain"], compared["referring_title"], compared["topic_field"])
    own = own_sites(compared, whole.names, prints)
    return rank_links(compared["cas"], prints["same_link"], own != "").assign(site_field=fields, own_site=own)


def _kinship(texts: LinkTexts, domains: pd.Series, settings: AuditSettings) -> np.ndarray:
    """Return the kinship of letters of each referring page's text with its target's site, float32."""
    if settings.link_text in ("url", "url-tokens"):
        return np.zeros(len(domains), np.float32)
    return letters_shared(texts.words, domains, texts.sites, load_topics().phrases)


def judge_subjects(links: pd.DataFrame, settings: AuditSettings, whole: ExportSummary) -> pd.DataFrame:
    """Return compared links with what `page_kinds` finds, and names_site, relevance and band.

    They need own_site (`analysis.own_sites`).
    """
    topics = load_topics()
    standing = links["standing"].to_numpy()
    mentions = site_mentions(links, whole.names)
    links = links.assign(names_site=mentions_in_words(mentions))
    kinds = page_kinds(
        links,
        risky_fields=frozenset(topics.fields[topics.risky]),
        shared=whole.shared.loc[links.index],
        own_domains=frozenset(whole.names["domain"]),
        own_names=frozenset(whole.names.loc[~whole.names["is_plain_word"], "word"]),
    )
    by_visitors = (kinds["page_kind"] == VISITORS).to_numpy()
    named = (mentions["title"] | mentions["url"]).to_numpy() & ~by_visitors
    has_subject = kinds["has_subject"].to_numpy()
    sure = relevance(standing, links["kinship"].to_numpy(), named, has_subject)
    # What a model makes of a language that it does not know is no reason to call a page off-topic.
    guessed = ~links["known_language"].to_numpy() & has_subject & (sure < settings.bands.relevant)
    sure = np.where(guessed, np.float32(np.nan), sure)
    return links.assign(
        page_kind=kinds["page_kind"],
        kind_why=kinds["kind_why"],
        kind_fact=kinds["kind_fact"],
        has_subject=has_subject,
        self_made=kinds["self_made"],
        for_links=kinds["for_links"],
        relevance=sure.astype("float64"),
        band=bands(sure, settings.bands),
    )


def judge_links(links: pd.DataFrame, settings: AuditSettings, whole: ExportSummary) -> pd.DataFrame:
    """Return compared links with what `judge_subjects` adds, and copies, words_around, risk_signals, verdict and why.

    They need their ranks (`analysis.cas.rank_links`) and the field of their site, site_field (`analysis.site_fields`).
    `whole`: the summary of the whole export.
    """
    topics = load_topics()
    links = judge_subjects(with_site_fields(links), settings, whole).assign(
        copies=whole.shared.loc[links.index, "same_link"], words_around=words_around(links)
    )
    signals = risk_signals(links, settings.risk, frozenset(topics.fields[topics.risky]), whole)
    found = independent(signals != "", links)
    links = links.assign(risk_signals=found.sum(axis=1))
    reasons = {"risk_names": name_signals(found), "keyword": signals["risk_keyword"]}
    return links.join(verdicts(links.assign(**reasons), settings.verdicts))


def _target_status(table: pd.DataFrame, pages: pd.DataFrame | None) -> pd.Series:
    """Return the HTTP status of each link's target page: the crawl's, else the error that its redirects end in.

    NaN where neither has it.
    """
    by_chain = target_error(table)
    if pages is None:
        return by_chain
    status = pages["http_status"].set_axis(normalise_urls(pages["url"]))
    return table["target_key"].map(status[~status.index.duplicated()]).astype("float64").fillna(by_chain)
