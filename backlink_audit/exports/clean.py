"""Sets aside the rows that should not be scored, and notes by which filter; and where redirects lead in the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.api.types import union_categoricals

from backlink_audit import labels
from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.recognise import Export
from backlink_audit.settings import BacklinkFilters, PageFilters
from backlink_audit.text.urls import are_web_addresses, normalise_urls

KEYS = ("referring_key", "target_key", "referring_domain", "target_domain")
"""Columns of `Export.link_keys` that every cleaned backlink has."""
NOT_CHECKED = (0, 403, 429)  # answers that say that the crawler was not let in, not that the page is dead
NOT_LOST = ("", "-", "live", "active", "false", "no")
_NOT_INDEXABLE = r"(?i)^\s*(?:non|no|not|nicht|não|nao|false|0)\b"
"""How "Non-Indexable" begins in each language, and how a plain no is written."""
_PAGINATED = r"(?i)/(?:(?:page|seite|pagina|página)[/-]?|p)\d{1,4}(?:[/?#]|$)|[?&](?:page|paged|pg|seite|pagina|p)=\d+"


@dataclass(frozen=True)
class End:
    """Where a redirect leads: the last URL and how many steps away it is; None where it runs in a circle."""

    url: str | None
    steps: int


def follow_redirects(redirects: Mapping[str, str]) -> dict[str, End]:
    """Return for each URL that redirects where it leads in the end. One that redirects to itself does not redirect.

    >>> follow_redirects({"a": "b", "b": "c", "x": "y", "y": "x"})["a"]
    End(url='c', steps=2)
    >>> follow_redirects({"a": "b", "b": "c", "x": "y", "y": "x"})["x"]
    End(url=None, steps=2)
    """
    real = {one: other for one, other in redirects.items() if one != other}
    return {url: _end(url, real) for url in real}


def _end(url: str, redirects: Mapping[str, str]) -> End:
    seen = {url}
    while url in redirects:
        url = redirects[url]
        if url in seen:
            return End(None, len(seen))
        seen.add(url)
    return End(url, len(seen) - 1)


@dataclass(frozen=True)
class Filter:
    """A filter's switch, its name for the user, and which rows it keeps."""

    active: bool
    label: str
    keep: Callable[[pd.DataFrame], pd.Series]


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The rows kept, and of every other row the name of the filter that set it aside.

    Both have labels of `export.raw`. The categories of `set_aside` are the active filters, in order of application.
    """

    export: Export
    table: pd.DataFrame
    set_aside: pd.Series

    @cached_property
    def removed(self) -> dict[str, int]:
        return counted(self.set_aside)


def clean_backlinks(export: Export, filters: BacklinkFilters) -> Cleaned:
    """Return the backlinks to score.

    They also get referring_key, target_key (normalised URLs), referring_domain, target_domain, followed, is_lost,
    link_state and placement. Raises NoRowsLeft, which names the filter that removed the last rows.
    """
    cleaned = Cleaned(export, *filter_backlinks(export.table, export.link_keys, filters))
    check_left(export.name, len(export.table), cleaned.removed)
    return cleaned


def filter_backlinks(
    table: pd.DataFrame, keys: pd.DataFrame, filters: BacklinkFilters
) -> tuple[pd.DataFrame, pd.Series]:
    """Return the backlinks that no filter removes, and of the others which did (`Cleaned.set_aside`).

    They get followed, is_lost, link_state (`labels.LINK_STATES`) and placement too. `keys` are
    the `link_keys` of the rows, with is_repeat; both have the same index.
    """
    kept, set_aside = _filtered(
        table.assign(
            followed=~(_known(table["nofollow"]) | _known(table["ugc"]) | _known(table["sponsored"])),
            is_lost=_is_lost(table),
            link_state=link_states(table),
            placement=placements(table),
            **keys[["is_web", "is_repeat"]],
        ),
        (
            Filter(filters.web_urls, "Not http(s) URLs", lambda rows: rows["is_web"]),
            Filter(filters.repeats, "Exact duplicates", lambda rows: ~rows["is_repeat"]),
        ),
    )
    links = pd.concat([kept.drop(columns=["is_web", "is_repeat"]), keys.loc[kept.index, list(KEYS)]], axis=1)
    return links, set_aside


def clean_pages(export: Export, filters: PageFilters) -> Cleaned:
    """Return the pages to compare, with url_key. Rows without a web address are always removed.

    Raises NoRowsLeft, which names the filter that removed the last rows.
    """
    table, set_aside = _filtered(
        export.table,
        (
            Filter(True, "Not http(s) URLs", lambda rows: are_web_addresses(rows["url"])),
            Filter(filters.not_html, "Not HTML", lambda rows: _is_html(rows["content_type"])),
            Filter(
                filters.not_ok, "Status not 200", lambda rows: rows["http_status"].isna() | rows["http_status"].eq(200)
            ),
            Filter(filters.not_indexable, "Not indexable", is_indexable),
            Filter(filters.paginated, "Paginated", lambda rows: ~is_paginated(rows)),
            Filter(filters.parameters, "With parameters", lambda rows: ~rows["url"].str.contains("?", regex=False)),
        ),
    )
    table = table.assign(url_key=normalise_urls(table["url"]))
    once = Filter(filters.duplicates, "Duplicates", lambda rows: ~rows.duplicated("url_key"))
    table, set_aside_last = _filtered(table, (once,))
    cleaned = Cleaned(export, table, _together(set_aside, set_aside_last))
    check_left(export.name, len(export.table), cleaned.removed)
    return cleaned


def is_indexable(pages: pd.DataFrame) -> pd.Series:
    return ~_matches(pages["indexability"], _NOT_INDEXABLE)


def is_paginated(pages: pd.DataFrame) -> pd.Series:
    return _matches(pages["url"], _PAGINATED)


def counted(set_aside: pd.Series) -> dict[str, int]:
    return {str(label): int(rows) for label, rows in set_aside.value_counts(sort=False).items()}


def check_left(name: str, rows: int, removed: Mapping[str, int]) -> None:
    """Raise NoRowsLeft if the filters removed all `rows` of the file, naming the one that removed the last."""
    left = rows
    for label, count in removed.items():
        if count == left > 0:
            raise NoRowsLeft(
                name,
                f"no rows are left: of {rows:,}, the filter “{label}” removed the last {left:,}; turn this filter "
                "off or use another export.",
            )
        left -= count


def _filtered(table: pd.DataFrame, filters: Sequence[Filter]) -> tuple[pd.DataFrame, pd.Series]:
    """Apply the active filters in order; return the rows kept, and of the others which filter set them aside."""
    active = [one for one in filters if one.active]
    gone = []
    for one in active:
        keep = one.keep(table).to_numpy(dtype=bool)
        gone.append(table.index[~keep])
        table = table[keep]
    codes = np.repeat(np.arange(len(active)), np.array([len(rows) for rows in gone], dtype=int))
    reasons = pd.Categorical.from_codes(codes, pd.Index([one.label for one in active], dtype="str"))
    return table, pd.Series(reasons, table.index[:0].append(gone))


def _together(first: pd.Series, last: pd.Series) -> pd.Series:
    return pd.Series(union_categoricals([first.array, last.array]), first.index.append(last.index))


def link_states(table: pd.DataFrame) -> pd.Series:
    """Return the state of each link, a word of `labels.LINK_STATES`; a lost link on a dead page is lost."""
    words = np.select(
        [_is_lost(table), ~_is_alive(table["http_status"])],
        [labels.LINK_LOST.word, labels.LINK_DEAD_PAGE.word],
        labels.LINK_LIVE.word,
    )
    return pd.Series(words, table.index, dtype="str")


def placements(table: pd.DataFrame) -> pd.Series:
    """Return where on its page each link is, a label's word; sitewide links are outside content."""
    outside = table["in_content"].eq(False).fillna(False) | _known(table["sitewide"])
    inside = _known(table["in_content"])
    words = np.select(
        [outside, inside], [labels.OUTSIDE_CONTENT.word, labels.IN_CONTENT.word], labels.PLACEMENT_UNKNOWN.word
    )
    return pd.Series(words, table.index, dtype="str")


def _is_lost(table: pd.DataFrame) -> pd.Series:
    status = ~table["lost_status"].str.casefold().isin(NOT_LOST)
    dropped = ~table["drop_reason"].str.casefold().isin(NOT_LOST)
    return table["lost_date"].notna() | status | dropped | _known(table["lost_link"])


def _known(flags: pd.Series) -> pd.Series:
    return flags.fillna(False).astype(bool)


def _is_alive(status: pd.Series) -> pd.Series:
    return status.isna() | status.between(200, 299) | status.isin(NOT_CHECKED)


def _is_html(content_type: pd.Series) -> pd.Series:
    return content_type.eq("") | content_type.str.contains("html", case=False, regex=False)


def _matches(text: pd.Series, pattern: str) -> pd.Series:
    found = pc.match_substring_regex(pa.array(text, type=pa.large_string(), from_pandas=True), pattern)
    return pd.Series(found.to_numpy(zero_copy_only=False).astype(bool), index=text.index)
