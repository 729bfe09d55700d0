"""What the pages of a crawl say of each other by hreflang: which are translations, and which language each is in."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.exports.clean import Cleaned
from backlink_audit.text.urls.parts import normalise_urls

ADDRESS = r"(?i)^(?P<code>.*hreflang.*\b)[ _-]*(?:url|uri|href)\b"
"""How the columns of a crawl are named that hold the addresses of translations; the rest names that of the language."""


@dataclass(frozen=True)
class Hreflang:
    """`alternates`: pages (row numbers) beside those they name as translations; `codes`: how each page is named, ""."""

    alternates: list[list[int]]
    codes: list[str]


def read_hreflang(cleaned: Cleaned) -> Hreflang:
    """Return what the crawl's columns of hreflang say; the commonest code of a page counts."""
    raw, table = cleaned.export.raw, cleaned.table
    headers = pd.Series(raw.columns, dtype="str")
    named = headers.str.extract(ADDRESS)["code"].str.strip()
    pages = pd.Series(range(len(table)), index=table["url_key"])
    pages = pages[~pages.index.duplicated()]
    together: list[dict[int, None]] = [{page: None} for page in range(len(table))]
    votes: list[Counter[str]] = [Counter() for _ in range(len(table))]
    for header, beside in zip(headers[named.notna()], named[named.notna()], strict=True):
        cells = raw.loc[table.index, header].fillna("").astype("str")
        codes = raw.loc[table.index, beside].fillna("").astype("str") if beside in raw else cells.map(lambda _: "")
        numbers = pages.reindex(normalise_urls(cells)).to_numpy()
        for page in np.flatnonzero((cells != "").to_numpy() & ~np.isnan(numbers)):
            other = int(numbers[page])
            together[page][other] = None
            votes[other][codes.iloc[page]] += 1
    return Hreflang(
        [list(group) for group in together if len(group) > 1],
        [max(found, key=lambda code: (code not in ("", "x-default"), found[code]), default="") for found in votes],
    )
