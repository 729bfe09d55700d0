"""Backlinks of several tools as one row per link, with the tools that see it, and whether Google lists it."""

from dataclasses import replace

import numpy as np
import pandas as pd

from backlink_audit.exports.header import names_beside
from backlink_audit.exports.recognise import Export, Merged
from backlink_audit.exports.search_console import TOOL_NAME as GOOGLE
from backlink_audit.schema import SCALE, SOURCE_FILE, TOOL
from backlink_audit.text.urls import map_distinct, normalise_urls, registrable_domains
from backlink_audit.wording import count

SEEN_BY, GOOGLE_LISTS = "Seen by", "Google lists it"
YES, DOMAIN_ONLY, NO = "yes", "its domain only", "no"
RATED = ["url_rating", "domain_rating"]
_BETWEEN = "\n"
"""Between the parts of a key: no URL and no anchor contains it."""


def merge_tools(export: Export) -> Export:
    """Return backlinks of several tools with one row per link; those of one tool as they are.

    Rows are one link if their normalised URLs and their folded anchors are the same; a row without an anchor joins the
    one link of its two pages, if there is just one. Of the values of several rows, the first that is filled in counts;
    ratings of two scales are never mixed. The user's columns get `Seen by`, and `Google lists it` where a file of
    Search Console is among them, whose rows name no target and so are no links of their own.
    """
    tools = _tool_names(export.table)
    if tools.nunique() < 2:
        return export
    listed = (tools == GOOGLE).to_numpy()
    rows, raw = export.table[~listed].reset_index(drop=True), export.raw[~listed].reset_index(drop=True)
    tools = tools[~listed].reset_index(drop=True)
    links, places = pd.factorize(_link_of(rows))[0], np.arange(len(rows))
    first = pd.Series(places).groupby(links).first().to_numpy()
    merged_raw = _first_filled(raw, links)
    theirs = dict(zip(raw.columns, names_beside([SEEN_BY, GOOGLE_LISTS], list(raw.columns)), strict=True))
    merged_raw = merged_raw.rename(columns=theirs)
    merged_raw[SEEN_BY] = tools.groupby(links).agg(lambda names: ", ".join(dict.fromkeys(names))).astype("str")
    table = _first_filled(rows, links).astype(rows.dtypes.to_dict())
    rated = pd.Series(places).where(rows[RATED].notna().any(axis=1)).groupby(links).first()
    rated_row = rated.fillna(pd.Series(first)).astype("int64").to_numpy()
    for name in (*RATED, SCALE.name):
        table[name] = rows[name].iloc[rated_row].array
    if listed.any():
        merged_raw[GOOGLE_LISTS] = google_lists(table["referring_url"], export.table["referring_url"][listed])
    said = f"{count(len(rows), 'row')} of {count(tools.nunique(), 'tool')} are {count(len(table), 'link')}."
    note = (
        (f"{said} {GOOGLE}'s {count(int(listed.sum()), 'row')} only show what Google lists.") if listed.any() else said
    )
    merged = Merged(tuple(tools.unique()), note)
    columns = {ours: theirs.get(header, header) for ours, header in export.columns.items()}
    return replace(export, raw=merged_raw, table=table, columns=columns, notes=(*export.notes, note), merged=merged)


def seen_by_tools(export: Export) -> pd.DataFrame:
    """Return what the merged tools say of each link: seen_by, google_lists; without columns where one tool is alone.

    The index is that of the export's rows.
    """
    if export.merged is None:
        return pd.DataFrame(index=export.raw.index)
    names = {SEEN_BY: "seen_by", GOOGLE_LISTS: "google_lists"}
    return export.raw[[name for name in names if name in export.raw]].rename(columns=names)


def merging_sentence(export: Export) -> str:
    """Return the sentence on how many rows became how many links; "" where one tool is alone."""
    return export.merged.sentence if export.merged else ""


def best_listed(lists: pd.Series, domains: pd.Series) -> pd.Series:
    """Return for each domain (the index) the most that Google lists of its links.

    >>> best_listed(pd.Series(["no", "yes", "no"]), pd.Series(["a.example", "a.example", "b.example"])).to_dict()
    {'a.example': 'yes', 'b.example': 'no'}
    """
    order = (YES, DOMAIN_ONLY, NO)
    places = lists.map({word: place for place, word in enumerate(order)})
    return places.groupby(domains).min().map(dict(enumerate(order))).astype("str")


def google_lists(referring: pd.Series, listed: pd.Series) -> pd.Series:
    """Return for each referring page whether Google lists it (`yes`, `its domain only`, `no`)."""
    pages = normalise_urls(referring).isin(set(normalise_urls(listed)))
    domains = registrable_domains(referring).isin(set(registrable_domains(listed)))
    return pd.Series(np.select([pages, domains], [YES, DOMAIN_ONLY], NO), index=referring.index, dtype="str")


def fold_anchor(anchor: str) -> str:
    r"""Return the form in which anchors are compared.

    >>> fold_anchor("  Oak\xa0 CHAIRS ")
    'oak chairs'
    """
    return " ".join(anchor.casefold().split())


def _tool_names(table: pd.DataFrame) -> pd.Series:
    """Return the tool of each row; of a file of no known tool, the file's name."""
    return table[TOOL.name].where(table[TOOL.name] != "", table[SOURCE_FILE.name])


def _link_of(table: pd.DataFrame) -> pd.Series:
    """Return a key of each row's link: rows of one link have the same."""
    pages = normalise_urls(table["referring_url"]) + _BETWEEN + normalise_urls(table["target_url"])
    anchors = map_distinct(table["anchor"], fold_anchor)
    named = pd.DataFrame({"pages": pages, "anchor": anchors})[anchors != ""].drop_duplicates()
    only = named.drop_duplicates("pages", keep=False).set_index("pages")["anchor"]
    return pages + _BETWEEN + anchors.where(anchors != "", only.reindex(pages).fillna("").set_axis(pages.index))


def _first_filled(table: pd.DataFrame, groups: np.ndarray) -> pd.DataFrame:
    """Return one row per group: of each column the first value that is not blank; "" where no text is."""
    texts = [name for name in table.columns if pd.api.types.is_string_dtype(table[name])]
    blank = table.assign(**{name: table[name].where(table[name].str.strip() != "") for name in texts})
    found = blank.groupby(groups, sort=True).first()
    return found.assign(**{name: found[name].fillna("") for name in texts})
