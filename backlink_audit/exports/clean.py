"""Sets aside the rows that should not be scored, and counts what each filter removed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.recognise import Export
from backlink_audit.settings import BacklinkFilters, PageFilters
from backlink_audit.text.urls import normalise_urls

WEB_ADDRESS = r"(?i)^\s*(?:https?://[^\s/?#]+\S*|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?)\s*$"
"""An http(s) URL, or one without scheme, as some tools write them."""
NOT_CHECKED = (0, 403, 429)
"""Answers that say that the crawler was not let in, not that the page is dead."""
NOT_LOST = ("", "-", "live", "active", "false", "no")
_NOT_INDEXABLE = r"(?i)^\s*(?:non|no|not|nicht|não|nao|false|0)\b"
"""How "Non-Indexable" begins in each language, and how a plain no is written."""
_PAGINATED = r"(?i)/(?:page|seite|pagina|página|p)[/-]?\d+(?:[/?#]|$)|[?&](?:page|paged|pg|seite|pagina|p)=\d+"


@dataclass(frozen=True)
class Filter:
    """A filter's switch, its name for the user, and which rows it keeps."""

    active: bool
    label: str
    keep: Callable[[pd.DataFrame], pd.Series]


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The rows kept (index: labels of `export.raw`), and how many rows each filter removed, in order of application."""

    export: Export
    table: pd.DataFrame
    removed: Mapping[str, int]


def clean_backlinks(export: Export, filters: BacklinkFilters) -> Cleaned:
    """Return the backlinks to score.

    They also get referring_key, target_key (normalised URLs), referring_domain, target_domain, followed and is_lost.

    Raises:
        NoRowsLeft: names the filter that removed the last rows.
    """
    table = export.table.assign(followed=_followed(export.table), is_lost=_is_lost(export.table))
    table, removed = _filtered(
        export,
        table,
        (
            Filter(
                filters.web_urls, "Not a web address", lambda rows: _is_web(rows["referring_url"], rows["target_url"])
            ),
            Filter(
                filters.repeats,
                "Exact repeats",
                lambda rows: ~rows.duplicated(["referring_url", "target_url", "anchor"]),
            ),
            Filter(filters.lost, "Lost links", lambda rows: ~rows["is_lost"]),
            Filter(filters.dead_pages, "Dead referring pages", lambda rows: _is_alive(rows["http_status"])),
            Filter(filters.outside_content, "Outside the content", lambda rows: _true_or_unknown(rows["in_content"])),
        ),
    )
    table = pd.concat([table, export.link_keys.loc[table.index]], axis=1)
    best = Filter(filters.one_per_domain, "More than one link from a domain", _best_of_domain)
    table, removed_last = _filtered(export, table, (best,))
    return Cleaned(export, table, removed | removed_last)


def clean_pages(export: Export, filters: PageFilters) -> Cleaned:
    """Return the pages to compare, with url_key. Rows without a web address are always removed.

    Raises:
        NoRowsLeft: names the filter that removed the last rows.
    """
    table, removed = _filtered(
        export,
        export.table,
        (
            Filter(True, "Not a web address", lambda rows: _is_web(rows["url"])),
            Filter(filters.not_html, "Not HTML", lambda rows: _is_html(rows["content_type"])),
            Filter(
                filters.not_ok, "Status not 200", lambda rows: rows["http_status"].isna() | rows["http_status"].eq(200)
            ),
            Filter(
                filters.not_indexable, "Not indexable", lambda rows: ~_matches(rows["indexability"], _NOT_INDEXABLE)
            ),
            Filter(filters.paginated, "Paginated", lambda rows: ~_matches(rows["url"], _PAGINATED)),
            Filter(filters.parameters, "With parameters", lambda rows: ~rows["url"].str.contains("?", regex=False)),
        ),
    )
    table = table.assign(url_key=normalise_urls(table["url"]))
    once = Filter(filters.duplicates, "Duplicates", lambda rows: ~rows.duplicated("url_key"))
    table, removed_last = _filtered(export, table, (once,))
    return Cleaned(export, table, removed | removed_last)


def _filtered(export: Export, table: pd.DataFrame, filters: Sequence[Filter]) -> tuple[pd.DataFrame, dict[str, int]]:
    """Apply the active filters in order; return the rows kept and how many each removed."""
    removed: dict[str, int] = {}
    for label, keep in ((one.label, one.keep) for one in filters if one.active):
        kept = table[keep(table)]
        removed[label] = len(table) - len(kept)
        if len(table) and kept.empty:
            raise NoRowsLeft(
                export.name,
                f"no rows are left: of {len(export.table):,}, the filter “{label}” removed the last {len(table):,}; "
                "switch it off or bring another export.",
            )
        table = kept
    return table, removed


def _followed(table: pd.DataFrame) -> pd.Series:
    """Whether neither nofollow nor UGC nor sponsored is known of a link."""
    return ~(_known(table["nofollow"]) | _known(table["ugc"]) | _known(table["sponsored"]))


def _is_lost(table: pd.DataFrame) -> pd.Series:
    status = ~table["lost_status"].str.casefold().isin(NOT_LOST)
    dropped = ~table["drop_reason"].str.casefold().isin(NOT_LOST)
    return table["lost_date"].notna() | status | dropped | _known(table["lost_link"])


def _known(flags: pd.Series) -> pd.Series:
    """Return bool: true only where a flag is known to be."""
    return flags.fillna(False).astype(bool)


def _true_or_unknown(flags: pd.Series) -> pd.Series:
    return flags.fillna(True).astype(bool)


def _is_alive(status: pd.Series) -> pd.Series:
    return status.isna() | status.between(200, 299) | status.isin(NOT_CHECKED)


def _is_web(*columns: pd.Series) -> pd.Series:
    keep = _matches(columns[0], WEB_ADDRESS)
    for column in columns[1:]:
        keep &= _matches(column, WEB_ADDRESS)
    return keep


def _is_html(content_type: pd.Series) -> pd.Series:
    return content_type.eq("") | content_type.str.contains("html", case=False, regex=False)


def _best_of_domain(rows: pd.DataFrame) -> pd.Series:
    """Keep the link with the highest page rating of each referring domain, the first of equals."""
    order = rows["url_rating"].fillna(-1).sort_values(ascending=False, kind="stable").index
    best = rows.loc[order, "referring_domain"].drop_duplicates().index
    return pd.Series(rows.index.isin(best), index=rows.index)


def _matches(text: pd.Series, pattern: str) -> pd.Series:
    found = pc.match_substring_regex(pa.array(text, type=pa.large_string(), from_pandas=True), pattern)
    return pd.Series(found.to_numpy(zero_copy_only=False).astype(bool), index=text.index)
