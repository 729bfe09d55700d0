"""Which pages of a crawl are one page in several languages, and which are of one template in a row."""

import numpy as np

from backlink_audit.exports.clean import Cleaned
from backlink_audit.pipelines.crawl.hreflang import read_hreflang
from backlink_audit.text.pages.duplicate_pages import template_groups, translation_groups
from backlink_audit.text.pages.page_texts import PageTexts

TRANSLATIONS, TEMPLATES = 0, 1
"""The places of the two groupings."""


def groups_apart(cleaned: Cleaned, texts: PageTexts) -> tuple[np.ndarray, np.ndarray]:
    """Return for each page its group of translations and its group of one template, int (pages,), -1 for none."""
    urls = cleaned.table["url"].tolist()
    return translation_groups(urls, texts.languages, read_hreflang(cleaned).alternates), template_groups(texts.names)
