"""The pages of the old site and of the new one, and which of the old the new one lacks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from backlink_audit.errors import WrongExport
from backlink_audit.exports.clean import Cleaned, End, clean_pages, follow_redirects, is_indexable, is_paginated
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import SURE
from backlink_audit.settings import PageFilters
from backlink_audit.text.urls import normalise_urls

EVERY_PAGE = PageFilters(not_ok=False, not_indexable=False, paginated=False, parameters=False)
"""Pages whatever they answer: a redirect or an error of the old site has visitors too, and so has every query."""
TARGET = ["new_url", "confidence", "redirect_score", "reason", "alternative_1", "alternative_2", "new_row"]
ALREADY, SAME_PATH = "the old site already redirects to this page", "same path on the new domain"
THROUGH = "judged by the page it redirects to: "


@dataclass(frozen=True, eq=False)
class Sites:
    """Both sites' pages, with url_key.

    `living`: the pages of the new site that answer. `targets`: those of them that an old page may lead to, with
    is_indexable. `ends`: where each page that redirects leads. `lacking` (bool, labels of `old.table`) marks what the
    new site neither has nor redirects to a living page.
    """

    old: Cleaned
    new: Cleaned
    living: pd.DataFrame
    targets: pd.DataFrame
    ends: Mapping[str, End]
    lacking: pd.Series

    @property
    def found(self) -> int:
        return int((~self.lacking).sum())


def read_sites(old: Export, new: Export, query_urls: bool = True) -> Sites:
    """Return both sites' pages; `query_urls`: old URLs with a query too. Raises NoRowsLeft, WrongExport."""
    if old.fingerprint == new.fingerprint:
        raise WrongExport(new.name, f"this is the same file as {old.name}; use the crawl of the new site.")
    before = clean_pages(old, replace(EVERY_PAGE, parameters=not query_urls))
    after = clean_pages(new, EVERY_PAGE)
    status = after.table["http_status"]
    living = after.table[status.isna() | status.between(200, 299)]
    if living.empty:
        raise WrongExport(new.name, "it has no page with status 200, so there is no page to redirect to.")
    hops = _hops(before.table) | _hops(after.table)  # what the new site answers counts more
    for key in living["url_key"]:
        hops.pop(key, None)
    ends = follow_redirects(hops)
    there = set(living["url_key"])
    redirected = set(_hops(after.table))
    led = {key for key in redirected if key in ends and ends[key].url in there}
    found = before.table["url_key"].isin(there | led)
    return Sites(before, after, living, _targets(living), ends, ~found)


def _targets(living: pd.DataFrame) -> pd.DataFrame:
    plain = ~is_paginated(living) & ~with_query(living["url"])
    wanted = next((one for one in (plain & ~_empty(living), plain) if one.any()), plain | True)
    return living[wanted].assign(is_indexable=is_indexable(living[wanted]))


def _empty(pages: pd.DataFrame) -> pd.Series:
    content, named = (pages["content"].str.strip() != ""), pages["title"].str.strip() + pages["h1"].str.strip() != ""
    known = 2 * content.sum() >= len(pages)
    return ~content & (known | pages["word_count"].eq(0) | ~named)


def path_key(url_key: str) -> str:
    """Return a normalised URL without its host.

    >>> path_key("shop.example/chairs?a=1"), path_key("shop.example")
    ('/chairs?a=1', '')
    """
    for place, letter in enumerate(url_key):
        if letter in "/?":
            return url_key[place:]
    return ""


def hosts(pages: pd.DataFrame) -> set[str]:
    return set(pages["url_key"].str.extract(r"\A([^/?]*)", expand=False))


def with_query(urls: pd.Series) -> pd.Series:
    return urls.str.contains("?", regex=False)


def _hops(pages: pd.DataFrame) -> dict[str, str]:
    moved = pages[pages["redirect_url"].str.strip() != ""]
    steps = zip(moved["url_key"], normalise_urls(moved["redirect_url"]), strict=True)
    return {key: target for key, target in steps if target and target != key}


def with_existing(sites: Sites, table: pd.DataFrame) -> pd.DataFrame:
    """Return the matched pages with the targets that are known, and the columns chain and loop (bool).

    A page that redirects to another old page gets the target of that one.
    """
    keys = sites.old.table["url_key"]
    ends = [sites.ends.get(key, End(key, 0)) for key in keys]
    loops = np.array([end.url is None for end in ends])
    steps = np.array([end.steps for end in ends]) * ~loops
    end_keys = pd.Index([end.url or "" for end in ends])
    rows = pd.Index(keys).get_indexer(end_keys)
    via = (steps > 0) & (rows >= 0)
    theirs = table[TARGET].iloc[np.where(via, rows, np.arange(len(table)))].set_axis(table.index)
    theirs["reason"] = theirs["reason"].mask(via, THROUGH + theirs["reason"])
    table = pd.concat([table.drop(columns=TARGET), theirs], axis=1)
    there = pd.Index(sites.targets["url_key"]).get_indexer(end_keys)
    table = _set(table, (steps > 0) & (there >= 0), there, sites, ALREADY)
    moved = _same_path(sites)
    table = _set(table, (moved >= 0) & (steps == 0), moved, sites, SAME_PATH)
    table = table.assign(chain=steps > 1, loop=loops)
    return table.astype({"redirect_score": "float64", "new_row": "int64"})


def _set(table: pd.DataFrame, where: np.ndarray, place: np.ndarray, sites: Sites, reason: str) -> pd.DataFrame:
    if not where.any():
        return table
    urls = sites.targets["url"].to_numpy(dtype=object)[place[where]]
    found = table.loc[where, ["new_url", "alternative_1", "alternative_2"]].to_numpy(dtype=object)
    others = [[url for url in row if url != given][:2] for row, given in zip(found, urls, strict=True)]
    one, two = zip(*others, strict=True)
    known = table[where].assign(
        new_url=urls,
        confidence=SURE.word,
        redirect_score=1.0,
        reason=reason,
        alternative_1=one,
        alternative_2=two,
        new_row=place[where],
    )
    return pd.concat([known, table[~where]]).loc[table.index]


def _same_path(sites: Sites) -> np.ndarray:
    none = np.full(len(sites.old.table), -1)
    old_hosts, new_hosts = hosts(sites.old.table), hosts(sites.living)
    if old_hosts & new_hosts or len(new_hosts) > 1 or len(old_hosts) > 1:
        return none
    paths = pd.Index(sites.targets["url_key"].map(path_key))
    return paths.get_indexer(pd.Index(sites.old.table["url_key"].map(path_key))) if paths.is_unique else none
