"""The URLs of a site as numbers, one for all ways to write each, and what is known of them: status, page or file."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pyarrow as pa

from backlink_audit.errors import MissingColumns
from backlink_audit.exports.clean import Cleaned, clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.settings import PAGE_TEXTS, ClusterSettings, InterlinkSettings, PageFilters
from backlink_audit.site.vectors import PageVectors
from backlink_audit.text.page_texts import PageTexts, find_brands, read_page_texts
from backlink_audit.text.urls import WEB_ADDRESS, normalise_url, normalise_urls
from backlink_audit.text.word_lists import clean_text

_FILE = re.compile(
    r"(?i)\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|json|xml|rss|atom|txt|csv|pdf|docx?|xlsx?|pptx?|od[tsp]"
    r"|zip|gz|tgz|rar|7z|dmg|exe|apk|mp[34]|m4[av]|mov|avi|webm|wav|ogg|woff2?|ttf|eot|ics|vcf)(?:\?|$)"
)
"""How a URL ends that is a file and no page."""
_WEB = re.compile(WEB_ADDRESS)
OK = 200
PAGES = PageFilters(not_indexable=False)  # A page that search engines may not index passes on what it gets all the same


@dataclass(eq=False)
class Urls:
    """Every URL met, by its number: `keys` are normalised, `spelled` is how each was first written."""

    keys: list[str] = field(default_factory=list)
    spelled: list[str] = field(default_factory=list)
    _by_key: dict[str, int] = field(default_factory=dict)
    _by_text: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, text: str) -> int:
        """Return the number of a URL; -1 for what is no web address."""
        known = self._by_text.get(text)
        if known is not None:
            return known
        number = -1
        if _WEB.match(text):
            key = normalise_url(text)
            number = self._by_key.setdefault(key, len(self.keys))
            if number == len(self.keys):
                self.keys.append(key)
                self.spelled.append(text.strip())
        self._by_text[text] = number
        return number

    def numbers(self, texts: pd.Series) -> np.ndarray:
        """Return the number of each URL, int64."""
        encoded = pa.array(texts, type=pa.large_string(), from_pandas=True)
        encoded = (encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded).dictionary_encode()
        found = np.array([self.number(text) for text in encoded.dictionary.to_pylist()] or [-1])
        return found[encoded.indices.to_numpy(zero_copy_only=False)] if len(texts) else found[:0]

    def are_files(self) -> np.ndarray:
        return np.fromiter((bool(_FILE.search(key)) for key in self.keys), dtype=bool, count=len(self.keys))

    def hosts(self) -> pd.Series:
        return pd.Series(self.keys, dtype="str").str.replace(r"[/?].*", "", regex=True)


@dataclass(frozen=True, eq=False)
class Crawled:
    """What a crawl knows of URLs, by their numbers: arrays of its own length, shorter than all URLs met later.

    `known`: the crawl has it; `is_page`: it is a page that answers 200; `is_file`: it is neither HTML nor unknown;
    `status`: HTTP, NaN where unknown. `redirects`: number -> number.
    """

    known: np.ndarray
    is_page: np.ndarray
    is_file: np.ndarray
    status: np.ndarray
    redirects: Mapping[int, int]


def read_crawled(crawl: Export, urls: Urls) -> Crawled:
    """Return what the crawl knows of its URLs, which are numbered; pages are spelled as the crawl spells them."""
    table = crawl.table
    numbers = urls.numbers(table["url"])
    leads_to = urls.numbers(table["redirect_url"])
    pages = clean_pages(crawl, PAGES).table
    of_pages = urls.numbers(pages["url"])
    for number, url in zip(of_pages.tolist(), pages["url"], strict=True):
        urls.spelled[number] = url
    known, is_page, is_file = (np.zeros(len(urls), dtype=bool) for _ in range(3))
    web = numbers >= 0
    known[numbers[web]] = True
    content = table["content_type"]
    is_file[numbers[web & (content.ne("") & ~content.str.contains("html", case=False, regex=False)).to_numpy(bool)]] = (
        True
    )
    is_page[of_pages] = True
    moved = web & (leads_to >= 0) & (leads_to != numbers)
    redirects = dict(zip(numbers[moved].tolist(), leads_to[moved].tolist(), strict=True))
    is_page[list(redirects)] = False
    return Crawled(known, is_page, is_file & ~is_page, best_status(numbers, table["http_status"], len(urls)), redirects)


def best_status(numbers: np.ndarray, statuses: pd.Series, size: int) -> np.ndarray:
    """Return the HTTP status of each URL, float64 (size,): 200 if any way to write it answers so, else the first."""
    found = pd.DataFrame({"number": numbers, "status": statuses.to_numpy(np.float64)})
    found = found[(found["number"] >= 0) & found["status"].notna()].drop_duplicates()
    found = found.sort_values("status", key=lambda status: status != OK, kind="stable").drop_duplicates("number")
    status = np.full(size, np.nan)
    status[found["number"]] = found["status"]
    return status


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
    return find_brands(list(map(clean_text, pages.table["title"])))
