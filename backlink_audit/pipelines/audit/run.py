"""The backlink audit: clean -> texts -> embed -> compare -> score -> judge."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from backlink_audit.analysis.cas import contextual_authority, percentiles
from backlink_audit.analysis.export_summary import ExportSummary
from backlink_audit.analysis.relevance import Chance, bands, compare
from backlink_audit.analysis.risk import name_signals, risk_signals
from backlink_audit.analysis.topics import load_site_names, load_topics
from backlink_audit.analysis.verdicts import verdicts
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.text.texts import LinkTexts, read_link_texts
from backlink_audit.text.urls import normalise_urls


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
    links["cas_percentile"] = percentiles(links["cas"])
    on_progress("Judging", 0, 1)
    links = judge_links(links, settings)
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
    """Return cleaned links with what is told from their own words and numbers: similarity … topic_field, cas.

    `pages`: the mapped crawl of the target site. `targets`: the target pages of the whole export
    (`text.texts.count_targets`), where `table` is only a part of it.
    """
    topics = load_topics()
    texts = texts_of_links(table, settings, pages, targets)
    vectors = encoder.encode(texts.vocabulary.texts, on_progress)
    chance = texts.chance.embedded(vectors)
    found = compare(
        [bags.embedded(vectors) for bags in texts.referring.values()],
        [bags.embedded(vectors) for bags in texts.target.values()],
        texts.subject.embedded(vectors),
        Chance(chance.unit_vectors(0, len(chance)), topics.fields),
        on_progress,
    )
    links = table.assign(
        similarity=found.similarity.astype("float64"),
        evidence=_named(found.evidence, list(texts.referring)),
        relevance=found.relevance.astype("float64"),
        band=bands(found.relevance, settings.bands),
        topic=_named(found.topic, topics.phrases),
        topic_field=_named(found.topic, topics.fields),
        target_status=_target_status(table, pages),
    )
    return links.assign(cas=contextual_authority(links, settings))


def judge_links(links: pd.DataFrame, settings: AuditSettings, whole: ExportSummary | None = None) -> pd.DataFrame:
    """Return compared links with risk_signals (how many), verdict and why; they need their cas_percentile.

    `whole`: the summary of the whole export, where `links` are only a part of it.
    """
    topics = load_topics()
    signals = risk_signals(links, settings.risk, frozenset(topics.fields[topics.risky]), whole)
    found = signals != ""
    links = links.assign(risk_signals=found.sum(axis=1))
    return links.join(verdicts(links.assign(risk_names=name_signals(found)), settings.verdicts))


def _named(places: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """Return the name at each place, "" for the place -1."""
    return np.array([*names, ""], dtype=object)[places]


def _target_status(table: pd.DataFrame, pages: pd.DataFrame | None) -> pd.Series:
    """Return the HTTP status of each link's target page, NaN where no crawl holds it."""
    if pages is None:
        return pd.Series(np.nan, table.index)
    status = pages["http_status"].set_axis(normalise_urls(pages["url"]))
    return table["target_key"].map(status[~status.index.duplicated()]).astype("float64")
