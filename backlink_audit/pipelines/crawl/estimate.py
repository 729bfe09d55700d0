"""What comparing the pages of a crawl will cost, before it is begun; and what would be cut from their titles."""

from backlink_audit.analysis.candidates import CANDIDATES
from backlink_audit.analysis.nearest import EXACT_ROWS
from backlink_audit.embedding.cost import embedding_cost
from backlink_audit.embedding.models import find_model
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.crawl.texts import read_chosen_texts
from backlink_audit.pipelines.crawl.vectors import chunk_pages
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.settings import InterlinkSettings
from backlink_audit.text.brands import find_brands
from backlink_audit.text.clean import clean_text
from backlink_audit.wording import count

WORD_CHARACTERS_PER_SECOND = 300_000
"""Content weighed and searched for anchors in a second."""
PAIRS_PER_SECOND = 40e6
"""Pairs of pages compared in a second, all signals together."""
INDEX_SECONDS_PER_PAGE = 0.002
"""One core's time to put a page into the index and to search it; 0.0014 to 0.002 measured with 200,000 pages."""
CANDIDATES_PER_SECOND = 100_000
"""Candidates judged in a second of one core's time, all signals together, pages of 300 words; measured."""
BYTES_PER_CHARACTER = 30
"""Memory of a character of content: the text, its words, their weights."""
BYTES_PER_PAIR = 2_000
"""Memory of a suggestion: its URLs, titles and numbers, until it is written; measured with 1.8 million."""
BLOCKS_BYTES = 200e6
"""Blocks of scores, and what is sorted beside them."""


def estimate_run(pages: Export, settings: InterlinkSettings, *, embeddings_given: bool = False) -> Estimate:
    """Return what `find_internal_links` will need on this machine. Raises NoRowsLeft, MissingColumns."""
    cleaned = clean_pages(pages, settings.filters)
    texts = read_chosen_texts(cleaned, settings)
    chunks = list({chunk: None for page in chunk_pages(texts) for chunk in page})
    cost = embedding_cost(chunks, 0 if embeddings_given else len(chunks), find_model(settings.model))
    number, content = len(cleaned.table), sum(map(len, texts.bodies))
    return Estimate(
        subject=f"{count(number, 'page')} in {count(len(chunks), 'piece')}",
        texts=cost.texts,
        seconds=cost.seconds + content / WORD_CHARACTERS_PER_SECOND + _comparing_seconds(number),
        bytes=cost.bytes
        + BLOCKS_BYTES
        + content * BYTES_PER_CHARACTER
        + number * min(settings.per_page, number) * BYTES_PER_PAIR,
    )


def _comparing_seconds(pages: int) -> float:
    if pages <= EXACT_ROWS:
        return pages**2 / PAIRS_PER_SECOND
    return pages * (INDEX_SECONDS_PER_PAGE + CANDIDATES / CANDIDATES_PER_SECOND)


def suggest_brands(pages: Export) -> tuple[str, ...]:
    """Return what would be cut from the titles of a crawl."""
    return find_brands(list(map(clean_text, pages.table["title"])))
