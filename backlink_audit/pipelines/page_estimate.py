"""What comparing the pages of a crawl will cost, before it is begun; and what would be cut from their titles."""

import os
from dataclasses import dataclass

from backlink_audit.embedding.models import find_model
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.page_texts import read_chosen_texts
from backlink_audit.pipelines.page_vectors import chunk_pages
from backlink_audit.settings import DEFAULT_MODEL, InterlinkSettings
from backlink_audit.text.brands import find_brands
from backlink_audit.text.pages import clean_texts
from backlink_audit.wording import count

CHARACTERS_PER_SECOND = 15_000
"""Text embedded in a second of one core's time (all-MiniLM-L6-v2, pieces of 900 characters, machine busy with other
work: 15,400). A quiet machine needs less than the estimate, which is meant to be the most."""
CHARACTERS_PER_TEXT = 60
"""What the shortest text costs, in characters: titles of 50 take about as long."""
WORD_CHARACTERS_PER_SECOND = 300_000
"""Content weighed and searched for anchors in a second."""
PAIRS_PER_SECOND = 40e6
"""Pairs of pages compared in a second, all signals together."""
BYTES_PER_CHARACTER = 30
"""Memory of a character of content: the text, its words, their weights."""
BLOCKS_BYTES = 400e6
"""Blocks of scores, the model's weights, the libraries."""


@dataclass(frozen=True)
class Estimate:
    """What a run needs at most; texts that an earlier run has embedded cost nothing again."""

    pages: int
    chunks: int
    seconds: float
    bytes: float

    @property
    def sentence(self) -> str:
        """The estimate in words."""
        minutes = self.seconds / 60
        time = f"{minutes:,.0f} minutes" if minutes >= 2 else f"{max(5, round(self.seconds / 5) * 5)} seconds"
        work = f"{count(self.pages, 'page')} in {count(self.chunks, 'piece')}"
        return f"{work}: at most about {time} and {self.bytes / 1e9:.1f} GB."


def estimate_run(pages: Export, settings: InterlinkSettings, *, embeddings_given: bool = False) -> Estimate:
    """Return what `find_internal_links` will need on this machine. Raises NoRowsLeft, MissingColumns."""
    cleaned = clean_pages(pages, settings.filters)
    table, texts = cleaned.table, read_chosen_texts(cleaned, settings)
    chunks = {chunk for page in chunk_pages(texts) for chunk in page}
    model = find_model(settings.model)
    slower = model.size_mb / find_model(DEFAULT_MODEL).size_mb
    cost = 0 if embeddings_given else sum(max(CHARACTERS_PER_TEXT, len(chunk)) for chunk in chunks)
    content = sum(map(len, texts.bodies))
    seconds = (
        cost * slower / CHARACTERS_PER_SECOND / (os.cpu_count() or 1)
        + content / WORD_CHARACTERS_PER_SECOND
        + len(table) ** 2 / PAIRS_PER_SECOND
    )
    memory = BLOCKS_BYTES + model.size_mb * 2e6 + content * BYTES_PER_CHARACTER + len(table) * model.dimensions * 12
    return Estimate(len(table), len(chunks), seconds, memory)


def suggest_brands(pages: Export) -> tuple[str, ...]:
    """Return what would be cut from the titles of a crawl."""
    return find_brands(clean_texts(pages.table["title"]))
