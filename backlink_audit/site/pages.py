"""The URLs of a site as numbers, what is known of them, and the files of clicks and visits beside its pages."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

import numpy as np
import pandas as pd
import pyarrow as pa

from backlink_audit.errors import MissingColumns
from backlink_audit.exports.clean import Cleaned, clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.schema import PERFORMANCE
from backlink_audit.settings import PAGE_TEXTS, ClusterSettings, InterlinkSettings, PageFilters
from backlink_audit.site.vectors import PageVectors
from backlink_audit.text import clean_text
from backlink_audit.text.page_texts import PageTexts, find_brands, read_page_texts
from backlink_audit.text.urls import WEB_ADDRESS, are_web_addresses, normalise_url, normalise_urls
from backlink_audit.wording import by_number, count, part_of, percent

_FILE = re.compile(
    r"(?i)\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|json|xml|rss|atom|txt|csv|pdf|docx?|xlsx?|pptx?|od[tsp]"
    r"|zip|gz|tgz|rar|7z|dmg|exe|apk|mp[34]|m4[av]|mov|avi|webm|wav|ogg|woff2?|ttf|eot|ics|vcf)(?:\?|$)"
)
"""How a URL ends that is a file and no page."""
_WEB = re.compile(WEB_ADDRESS)
OK = 200
PAGES = PageFilters(not_indexable=False)  # A page that search engines may not index passes on what it gets all the same
ADDRESS = r"(?i)^(?P<code>.*hreflang.*\b)[ _-]*(?:url|uri|href)\b"
"""How the columns of a crawl are named that hold the addresses of translations; the rest names that of the language."""
SUMMED = (
    *("clicks", "impressions", "clicks_before", "impressions_before", "views", "sessions", "users", "key_events"),
    *("organic_traffic", "tool_domains", "tool_links", "google_domains", "google_links"),
)
"""Figures that are added up where two spellings are one page."""
POSITIONS = {"average_position": "impressions", "average_position_before": "impressions_before"}
"""Average positions, and by what each is weighted; where that is not known, all count the same."""
FIGURES = (
    "clicks",
    "impressions",
    "average_position",
    "views",
    "sessions",
    "users",
    "key_events",
    "organic_traffic",
) + (
    "clicks_before",
    "impressions_before",
    "average_position_before",
    "tool_domains",
    "tool_links",
    "google_domains",
    "google_links",
)
"""Every figure, in the order in which tables show them."""
AT_STAKE = ("clicks", "views", "sessions", "organic_traffic")
"""What a page is worth to its owner: the first of these that a file has."""
POSITION_DECIMALS = 2  # as Search Console writes positions
BY_MONTH = ("clicks", "impressions")  # what is known month by month
LEAST_OF_QUERY = 0.1  # share of a query's impressions that a page needs to be one of those that it finds
LARGEST_NUMBER = 2**53
"""Larger numbers in a file are cut to this: up to it, the floats that files are read as keep whole numbers exactly."""
_NOWHERE = "site.invalid"  # the host of paths where no URL has it (RFC 2606)
VISITS = ("views", "sessions", "users")  # what GA4 counts; the first that a file has is used for all


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
    """Return the texts of the pages left; where no page text is set, that of `vectors`. Raises MissingColumns."""
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


def page_figures(performance: pd.DataFrame, host: str = "") -> pd.DataFrame:
    """Return one row per page of a mapped table of performance: page_key (the index), page, and `FIGURES`.

    Spellings of one page in one file are added up, positions weighted by impressions; of several files the first that
    knows a figure counts, so that two exports of one tool are never added. Paths get the host that most URLs of the
    table have, else `host`. Rows that are neither URL nor path (a total, “(not set)”) are left out.
    """
    rows = _with_keys(performance, host)
    by = [rows["source_file"], rows["page_key"]]
    found = add_up(rows, by)
    found.insert(0, "page", rows.groupby(by, sort=False)["page"].first())
    return found.groupby(level="page_key", sort=False).first()[["page", *FIGURES]]


def queries_of_pages(performance: pd.DataFrame, host: str = "") -> dict[str, dict[str, float]]:
    """Return the queries that find each page, and how often it was seen for them: page_key -> query -> impressions.

    A page for which a query is hardly ever seen has it not (`LEAST_OF_QUERY`): the name of a site finds all its pages.
    Clicks count where no impressions are known. `host` is that of paths, as in `page_figures`.
    """
    rows = _with_keys(performance, host).assign(query=lambda table: table["query"].str.strip().str.lower())
    rows = rows.assign(seen=rows["impressions"].fillna(rows["clicks"]))[rows["query"] != ""]
    by_file = rows.groupby(["source_file", "query", "page_key"], sort=False)["seen"].sum()
    seen = by_file.groupby(level=["query", "page_key"], sort=False).max()  # two files of one time are not added
    seen = seen[(seen > 0) & (seen >= LEAST_OF_QUERY * seen.groupby(level="query").transform("sum"))]
    found: dict[str, dict[str, float]] = {}
    for query, page, number in seen.reset_index().itertuples(index=False):
        found.setdefault(page, {})[query] = float(number)
    return found


def _with_keys(performance: pd.DataFrame, host: str) -> pd.DataFrame:
    page = performance["page"].str.strip()
    host = common_host(page[are_web_addresses(page)]) or host or _NOWHERE
    urls = page.where(~_are_paths(page), f"https://{host}" + page)
    return performance.assign(page=urls, page_key=normalise_urls(urls))[name_pages(page)]


def add_up(figures: pd.DataFrame, by: pd.Series | list[pd.Series]) -> pd.DataFrame:
    """Return the figures of each group of rows, in order of appearance: sums, and positions weighted by impressions.

    `figures` has any of FIGURES, and so has the result. A sum of nothing but blanks is NaN.
    """
    summed = [name for name in SUMMED if name in figures]
    weights = {
        name: figures.get(weight, pd.Series(1.0, figures.index)).fillna(1).where(figures[name].notna())
        for name, weight in POSITIONS.items()
        if name in figures
    }
    weighted = {name: figures[name] * weight for name, weight in weights.items()}
    found = figures.assign(**weighted).groupby(by, sort=False)[[*summed, *weights]].sum(min_count=1)
    for name, weight in weights.items():
        total = weight.groupby(by, sort=False).sum()
        found[name] = (found[name] / total).where(total > 0).round(POSITION_DECIMALS)
    found[summed] = found[summed].round()  # workbooks contain 402740.99999999994 for 402741
    return found


def clicks_by_month(by_date: pd.DataFrame | None) -> pd.DataFrame:
    """Return clicks and impressions of each month, in order: month (its first day), clicks, impressions; NaN: unknown.

    `by_date`: `exports.search_console.COLUMNS`, no row longer than a month. A row of several days, a week across the
    end of a month, counts for each day alike.
    """
    if by_date is None or by_date.empty:
        return pd.DataFrame(
            {"month": pd.Series(dtype="datetime64[us]"), **dict.fromkeys(BY_MONTH, pd.Series(dtype=float))}
        )
    days = (by_date["until"] - by_date["date"]).dt.days + 1
    each = by_date.loc[by_date.index.repeat(days)]
    day = each["date"] + pd.to_timedelta(each.groupby(level=0).cumcount(), unit="D")
    share = each[list(BY_MONTH)].div(days.loc[each.index], axis=0)
    first_of_month = day.dt.to_period("M").dt.to_timestamp()
    sums = share.groupby(first_of_month.rename("month")).sum(min_count=1)
    return sums.round().clip(upper=LARGEST_NUMBER).reset_index()


def name_pages(values: pd.Series) -> pd.Series:
    """Return which values name a page, by its URL or its path, as bool.

    >>> name_pages(pd.Series(["/oak", "shop.example/oak", "https://shop.example/", "(not set)", "//oak"])).tolist()
    [True, True, True, False, False]
    """
    return _are_paths(values) | are_web_addresses(values)


def _are_paths(values: pd.Series) -> pd.Series:
    return values.str.match(r"\s*/(?!/)")


def figures_of(urls: pd.Series, figures: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of these URLs, same index, NaN where none is known; only those that `figures` has."""
    known = [name for name in FIGURES if figures[name].notna().any()]
    found = figures[known].reindex(normalise_urls(urls))
    return found.set_axis(urls.index)


def at_stake(figures: pd.DataFrame) -> str:
    return next((name for name in AT_STAKE if name in figures and figures[name].notna().any()), "")


def common_host(urls: pd.Series) -> str:
    """Return the host that most of the URLs have, as in a page's key; "" without URLs."""
    hosts = normalise_urls(urls).str.split("/", n=1).str[0]
    hosts = hosts[hosts != ""]
    return str(hosts.value_counts().index[0]) if len(hosts) else ""


@dataclass(frozen=True, eq=False)
class PageFigures:
    """What the pages of a site earn. `table`: one row per page (`page_figures`)."""

    name: str
    table: pd.DataFrame
    left_out: int  # Rows of the file that name no page
    by_month: pd.DataFrame  # Clicks and impressions of each month (`clicks_by_month`); empty where no file has dates
    days: tuple[date, date] | None  # The first and the last day of the clicks by month

    @property
    def days_in_words(self) -> str:
        return f"The clicks are from {self.days[0]} to {self.days[1]}." if self.days else ""

    @property
    def at_stake(self) -> str:
        return at_stake(self.table)

    def of(self, urls: pd.Series) -> pd.DataFrame:
        return figures_of(urls, self.table)

    def found(self, urls: pd.Series) -> int:
        return int(self.table.index.isin(set(normalise_urls(urls))).sum())

    def note(self, urls: pd.Series, what: str) -> str:
        """Say how many of the pages with figures are among these URLs; `what` names those, as in "linked pages"."""
        found, pages = self.found(urls), len(self.table)
        if not found:
            known = f"{self.name} has {count(pages, 'page')}, but none of them matches the {what}."
            return f"{known} Is this the file of another site?"
        said = f"{self.name}: {part_of(found, pages, 'page')} ({percent(found / pages)})"
        aside = f" {count(self.left_out, 'row')} {by_number(self.left_out, 'matches', 'match')} no known page."
        return f"{said} {by_number(found, 'is', 'are')} among the {what}." + (aside if self.left_out else "")

    @property
    def own_note(self) -> str:
        """Say how many pages with visits (GA4) are among those with clicks (Search Console); "" without both."""
        visits = next((self.table[name] for name in VISITS if self.table[name].notna().any()), None)
        clicks = self.table["clicks"].notna()
        if visits is None or not clicks.any():
            return ""
        both = clicks & visits.notna()
        share = visits[both].sum() / visits.sum() if visits.sum() else 0.0
        return (
            f"{part_of(int(both.sum()), int(visits.notna().sum()), 'page')} with visits "
            f"{by_number(int(both.sum()), 'is', 'are')} among the {count(int(clicks.sum()), 'page')} "
            f"listed by Search Console; the pages in both lists have {percent(share)} of the "
            f"{PERFORMANCE.column(str(visits.name)).label.lower()}."
        )


def read_figures(performance: Export | None, urls: pd.Series) -> PageFigures | None:
    """Return the figures of a file of clicks or visits, None without one; paths alone get the host of `urls`."""
    if performance is None:
        return None
    table = page_figures(performance.table, common_host(urls))
    dates = performance.by_date
    days = (dates["date"].min().date(), dates["until"].max().date()) if dates is not None and len(dates) else None
    left_out = int((~name_pages(performance.table["page"])).sum())
    return PageFigures(performance.name, table, left_out, clicks_by_month(dates), days)


def read_queries(performance: Export, urls: pd.Series) -> dict[str, dict[str, float]]:
    """Return by URL the queries that find each of these pages, and how often; empty where the file has no queries."""
    if not performance.has("query"):
        return {}
    found = queries_of_pages(performance.table, common_host(urls))
    return {url: found[key] for url, key in zip(urls, normalise_urls(urls), strict=True) if key in found}
