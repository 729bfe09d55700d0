"""The texts of a crawl's pages as the settings ask for them."""

from backlink_audit.errors import MissingColumns
from backlink_audit.exports.clean import Cleaned
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.crawl.hreflang import read_hreflang
from backlink_audit.pipelines.crawl.vectors import PageVectors
from backlink_audit.settings import PAGE_TEXTS, ClusterSettings, InterlinkSettings
from backlink_audit.text.clean import clean_text
from backlink_audit.text.pages.brands import find_brands
from backlink_audit.text.pages.page_texts import PageTexts, read_page_texts


def read_chosen_texts(
    cleaned: Cleaned, settings: InterlinkSettings | ClusterSettings, vectors: PageVectors | None = None
) -> PageTexts:
    """Return the texts of the pages left. Without a page text in the settings, that of given `vectors` is used.

    Raises MissingColumns where the file lacks one of the columns chosen.
    """
    raw, name = cleaned.export.raw, cleaned.export.name
    for header in settings.columns:
        if header not in raw.columns:
            raise MissingColumns(name, f"there is no column “{header}” to compare the pages.")
    given = vectors.text if vectors else None
    mode = settings.text or next((known for known in PAGE_TEXTS if known == given), None)
    columns = raw.loc[cleaned.table.index, list(settings.columns)] if settings.columns else None
    return read_page_texts(cleaned.table, mode, settings.brands, columns, read_hreflang(cleaned).codes)


def suggest_brands(pages: Export) -> tuple[str, ...]:
    """Return what would be cut from the titles of a crawl."""
    return find_brands(list(map(clean_text, pages.table["title"])))
