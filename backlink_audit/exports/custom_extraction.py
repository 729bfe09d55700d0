"""A custom extraction of Screaming Frog whose columns hold the links of each page, as one row per link.

Its header is Address, Status Code, Status and then a numbered column for each match: "Links 1", "Links 2" …
"""

from urllib.parse import urljoin

import pandas as pd
import regex

from backlink_audit.exports.crawl_formats import PLAIN_INLINKS, SCREAMING_FROG_PAGES
from backlink_audit.exports.values import clean_cells

SOURCE, TARGET = "Source URL", "Destination URL"
"""The headers of the rows that are made, those of `PLAIN_INLINKS`."""
MOST = 0.8
"""The share of a column's cells that are addresses, from which on it holds links."""
MOST_OTHERS = 5
"""Other columns of such a file: the address, the status and whether it is indexable; a whole crawl has more."""
_NUMBERED = r"\S.* \d+"
_ADDRESS = r"(?i)(?:https?://|//|/|\.{1,2}/)\S*"


def with_links_as_rows(raw: pd.DataFrame) -> pd.DataFrame:
    """Return the links of a custom extraction, one row each, with relative addresses completed; other tables as is."""
    headers = list(raw.columns)
    address = SCREAMING_FROG_PAGES.columns(headers).get("url")
    if address is None or PLAIN_INLINKS.columns(headers).keys() >= {"source_url", "target_url"}:
        return raw
    numbered = [header for header in headers if regex.fullmatch(_NUMBERED, header)]
    links = [header for header in numbered if _holds_links(raw[header])]
    if not links or len(headers) - len(numbered) > MOST_OTHERS:
        return raw
    rows = raw.melt(id_vars=[address], value_vars=links, value_name=TARGET, ignore_index=False)
    rows = rows.assign(**{TARGET: clean_cells(rows[TARGET])}).sort_index(kind="stable")
    rows = rows[rows[TARGET].str.fullmatch(_ADDRESS)]
    targets = [_joined(page, link) for page, link in zip(rows[address], rows[TARGET], strict=True)]
    return pd.DataFrame({SOURCE: rows[address].to_numpy(), TARGET: targets}, dtype="str")


def _holds_links(cells: pd.Series) -> bool:
    filled = cells[cells.str.strip() != ""].str.strip()
    return len(filled) > 0 and filled.str.fullmatch(_ADDRESS).mean() >= MOST


def _joined(page: str, link: str) -> str:
    try:
        return urljoin(page, link)
    except ValueError:
        return link
