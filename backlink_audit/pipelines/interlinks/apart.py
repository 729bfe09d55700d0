"""Which pages of a crawl are one page in several languages, and which are of one template in a row."""

import numpy as np
import pandas as pd

from backlink_audit.exports.clean import Cleaned
from backlink_audit.text.pages import PageTexts
from backlink_audit.text.twins import template_groups, translation_groups
from backlink_audit.text.urls import normalise_urls

TRANSLATIONS, TEMPLATES = 0, 1
"""The places of the two groupings."""
HREFLANG_URL = r"(?i)hreflang.*\b(?:url|uri|href)\b"
"""How the columns of a crawl are named that hold the addresses of a page's translations."""


def groups_apart(cleaned: Cleaned, texts: PageTexts) -> tuple[np.ndarray, np.ndarray]:
    """Return for each page its group of translations and its group of one template, int (pages,), -1 for none."""
    urls = cleaned.table["url"].tolist()
    return translation_groups(urls, texts.languages, _alternates(cleaned)), template_groups(texts.names)


def _alternates(cleaned: Cleaned) -> list[list[int]]:
    """Return the pages that name each other as translations, each beside those it names."""
    raw, table = cleaned.export.raw, cleaned.table
    columns = [header for header in raw.columns if pd.Series([header]).str.contains(HREFLANG_URL).iloc[0]]
    if not columns:
        return []
    pages = pd.Series(range(len(table)), index=table["url_key"])
    pages = pages[~pages.index.duplicated()]
    found: list[list[int]] = [[page] for page in range(len(table))]
    for header in columns:
        cells = raw.loc[table.index, header].fillna("").astype("str")
        numbers = pages.reindex(normalise_urls(cells)).to_numpy()
        for page in np.flatnonzero((cells != "").to_numpy() & ~np.isnan(numbers)):
            found[page].append(int(numbers[page]))
    return [list(dict.fromkeys(group)) for group in found if len(group) > 1]
