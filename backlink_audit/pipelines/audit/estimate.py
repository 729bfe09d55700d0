"""What an audit will cost, before it is begun: estimated from a sample of the rows, in a fraction of a second."""

from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.analysis.topics import load_topics
from backlink_audit.embedding.cost import embedding_cost
from backlink_audit.embedding.models import MODELS, Model, find_model
from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.estimate import Estimate, in_words
from backlink_audit.pipelines.sampling import spread_evenly
from backlink_audit.settings import AuditSettings, BacklinkFilters, LinkText
from backlink_audit.text.texts import read_link_texts
from backlink_audit.wording import count

SAMPLED_ROWS = 2_000
"""Links that are read as the audit reads them."""
ROWS_PER_SECOND = 10_000
"""Links that one core cleans, compares and judges in a second, besides embedding; 12,000 were measured."""
BYTES_PER_ROW = 4_700
"""Memory of a link: the table (2,300) and what the audit adds to it (2,400), measured with 100,000 rows."""
LONG_SECONDS = 300
"""A wait from which on a quicker model is worth naming."""
QUICKER = 0.5
"""It is named only where it saves this share of the time."""

COUNTED_ROWS = 200_000
"""Links whose distinct values are counted; of a longer table so many, evenly spread."""

URLS = ("referring_url", "target_url")
WORDS = ("referring_title", "anchor")
"""The columns whose distinct values become texts where titles are compared; URLs are used for pages without a title."""


def estimate_audit(export: Export, settings: AuditSettings, pages: Export | None = None) -> Estimate:
    """Return what `audit_backlinks` will need on this machine; `pages` is the crawl of the target site."""
    table, model = export.table, find_model(settings.model)
    sampled, counted = (
        table.iloc[spread_evenly(len(table), SAMPLED_ROWS)],
        table.iloc[spread_evenly(len(table), COUNTED_ROWS)],
    )
    links, texts = _read(replace(export, table=sampled), settings)
    kept = len(links) / max(1, len(sampled)) * len(table) / max(1, len(counted))
    growth = _distinct(counted, settings.link_text) / max(1, _distinct(links, settings.link_text))
    total = round(len(texts) * kept * growth) + len(load_topics().phrases)
    if pages is not None:
        total += min(len(pages.table), table["target_url"].nunique())
    cost = embedding_cost(texts, total, model)
    rest = len(table) / ROWS_PER_SECOND
    return Estimate(
        subject=f"{count(len(table), 'link')}, {count(cost.texts, 'text')} to embed",
        texts=cost.texts,
        seconds=cost.seconds + rest,
        bytes=cost.bytes + len(table) * BYTES_PER_ROW,
        advice=_advice(model, cost.seconds + rest, texts, total, rest),
    )


def _read(sampled: Export, settings: AuditSettings) -> tuple[pd.DataFrame, list[str]]:
    """Return the sampled links that the filters leave, or all where they leave none, and their distinct texts."""
    try:
        links = clean_backlinks(sampled, settings.filters).table
    except NoRowsLeft:
        links = clean_backlinks(sampled, BacklinkFilters.none()).table
    return links, read_link_texts(links, settings.link_text).vocabulary.texts


def _distinct(links: pd.DataFrame, mode: LinkText) -> int:
    """Return how many distinct values the links have that become texts in this mode, each kind by itself."""
    by_title = mode in ("subject", "title")
    read = (
        links.assign(referring_url=links["referring_url"].where(links["referring_title"] == "")) if by_title else links
    )
    urls = [read[url].dropna() if mode == "url" else _without_numbers(read[url].dropna()) for url in URLS]
    return sum(values.nunique() for values in [*urls, *(links[column] for column in WORDS if by_title)])


def _without_numbers(urls: pd.Series) -> pd.Series:
    """Return URLs without their digits: numbers are no words."""
    return pd.Series(pc.replace_substring_regex(pa.array(urls, type=pa.large_string()), r"[0-9]+", ""))


def _advice(model: Model, seconds: float, texts: list[str], total: int, rest: float) -> str:
    """Return a sentence on the quickest model of the same languages, where waiting is long without it."""
    if seconds < LONG_SECONDS or not model.english_only:
        return ""
    quickest = min((other for other in MODELS if other.english_only), key=lambda other: other.cost)
    instead = embedding_cost(texts, total, quickest).seconds + rest
    if instead > QUICKER * seconds:
        return ""
    return (
        f"With the model {quickest.name} it takes about {in_words(instead)}, but the scores are less precise (see "
        "Settings)."
    )
