"""What needs no comparison: redirects that are there already, and whole sites that moved to another host."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.redirects.chains import End
from backlink_audit.labels import SURE
from backlink_audit.pipelines.redirects.pages import Sites, hosts, path_key

TARGET = ["new_url", "confidence", "redirect_score", "reason", "alternative_1", "alternative_2", "new_row"]
ALREADY, SAME_PATH = "the old site already redirects to this page", "same path on the new domain"
THROUGH = "judged by the page it redirects to: "


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
    """Return the table with the given new pages in these rows; what was found by comparing becomes an alternative."""
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
    """Return for each old page the new one of the same path where the whole site moved to another host; -1 for none."""
    none = np.full(len(sites.old.table), -1)
    old_hosts, new_hosts = hosts(sites.old.table), hosts(sites.living)
    if old_hosts & new_hosts or len(new_hosts) > 1 or len(old_hosts) > 1:
        return none
    paths = pd.Index(sites.targets["url_key"].map(path_key))
    return paths.get_indexer(pd.Index(sites.old.table["url_key"].map(path_key))) if paths.is_unique else none
