"""What a gap will cost, before it is begun: one text for each domain, and those of our pages."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.analysis.topics import load_topics
from backlink_audit.embedding.cost import embedding_cost
from backlink_audit.embedding.models import find_model
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.estimate import BYTES_PER_ROW, ROWS_PER_SECOND
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.pipelines.sampling import spread_evenly
from backlink_audit.settings import GapSettings
from backlink_audit.text.urls import map_distinct, registrable_domains, url_words
from backlink_audit.wording import count

COUNTED_ROWS = 20_000
"""Rows of a file whose domains are counted; of a longer one so many, evenly spread."""
TEXTS_OF_A_PAGE = 3
"""Its title with its H1, the words of its URL, and those of its path alone."""
TEXTS_OF_A_LINKED_PAGE = 2
"""The words of its URL, and those of its path alone."""


def estimate_gap(
    ours: Export, theirs: Sequence[Export], settings: GapSettings, pages: Export | None = None
) -> Estimate:
    """Return what `find_gap` needs at most on this machine: no domain is expected to be in two files."""
    texts: list[str] = []
    total = len(load_topics().phrases)
    for export in theirs:
        counted = export.table.iloc[spread_evenly(len(export.table), COUNTED_ROWS)]
        subjects = _subjects(export, counted)
        total += round(len(subjects) * len(export.table) / max(1, len(counted)))
        texts += subjects
    if pages is not None:
        total += TEXTS_OF_A_PAGE * len(pages.table)
    elif ours.kind == "backlinks":
        total += TEXTS_OF_A_LINKED_PAGE * ours.table["target_url"].nunique()
    rows = sum(len(export.table) for export in (ours, *theirs))
    cost = embedding_cost(texts, total, find_model(settings.model))
    return Estimate(
        subject=f"{count(rows, 'row')}, {count(cost.texts, 'text')} to embed",
        texts=cost.texts,
        seconds=cost.seconds + rows / ROWS_PER_SECOND,
        bytes=cost.bytes + rows * BYTES_PER_ROW,
    )


def _subjects(export: Export, rows: pd.DataFrame) -> list[str]:
    """Return what each domain of the rows is about: the title of its first link, else the words of the URL."""
    if export.kind != "backlinks":
        bare = "https://" + rows["referring_domain"].drop_duplicates() + "/"
        return map_distinct(bare, url_words).tolist()
    first = rows[~pd.Series(registrable_domains(rows["referring_url"])).duplicated().to_numpy()]
    words = map_distinct(first["referring_url"], url_words)
    return first["referring_title"].where(first["referring_title"] != "", words).tolist()
