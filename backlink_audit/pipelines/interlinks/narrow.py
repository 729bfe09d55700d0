"""The suggested links narrowed down after a run: by similarity, and by where their pages stand in the site."""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import pandas as pd
import pyarrow as pa

from backlink_audit.analysis.patterns import matched
from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.interlinks.result import Opportunities, path_of

PATTERN_SECONDS = 2.0
"""A pattern may take so long over all addresses together; one that takes longer is refused."""
LONGEST_PATTERN = 1_000


@dataclass(frozen=True)
class PathChoice:
    """Which pages one end of a link may be: their path holds one of `contains` and none of `excludes`.

    `pattern` is a regular expression (RE2) found in it; `folders` are groups of pages (see `folder_of`). Empty: all.
    """

    contains: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    pattern: str = ""
    folders: tuple[str, ...] = ()

    def mask(self, urls: pd.Series) -> pd.Series:
        """Return which URLs are chosen, bool with the index of `urls`. Raises InvalidSetting for a bad pattern."""
        known = pd.Series(urls.unique(), dtype="str")
        paths = path_of(known)
        chosen = pd.Series(True, index=known.index)
        if self.contains:
            chosen &= paths.map(lambda path: any(text in path for text in self.contains)).astype(bool)
        if self.excludes:
            chosen &= ~paths.map(lambda path: any(text in path for text in self.excludes)).astype(bool)
        if self.folders:
            chosen &= known.map(folder_of).isin(self.folders)
        if self.pattern:
            chosen &= _found(self.pattern, paths)
        return urls.isin(known[chosen])


def narrowed(
    result: Opportunities,
    min_similarity: float = -1.0,
    sources: PathChoice | None = None,
    targets: PathChoice | None = None,
) -> Opportunities:
    """Return the result with the suggested links that fit alone; lists of pages and of what was set aside stay."""
    table = result.table
    keep = table["similarity"] >= min_similarity
    for choice, column in ((sources, "source_url"), (targets, "target_url")):
        if choice is not None and choice != PathChoice():
            keep &= choice.mask(table[column])
    return result if keep.all() else replace(result, table=table[keep].reset_index(drop=True))


def folder_of(url: str) -> str:
    """Return the group of a page: the first folder of its address, "/" for a page in none.

    >>> folder_of("https://a.example/blog/2024/x"), folder_of("https://a.example/about")
    ('/blog/', '/')
    """
    first, found, _ = urlsplit(url).path.lstrip("/").partition("/")
    return f"/{first}/" if found else "/"


def folders_of(urls: Collection[str]) -> list[str]:
    """Return the groups of these pages, the largest first."""
    return pd.Series(list(urls), dtype="str").map(folder_of).value_counts().index.tolist()


def _found(pattern: str, paths: pd.Series) -> pd.Series:
    """Return in which paths a pattern is found; looked for in more and more of them at once, with an eye on the clock.

    RE2 refuses what it cannot find in time that grows with the text alone, and lets other visitors in meanwhile.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise InvalidSetting(
            f"A pattern can have at most {LONGEST_PATTERN:,} characters; this one has {len(pattern):,}."
        )
    found: list[bool] = []
    size, end = 1, time.monotonic() + PATTERN_SECONDS
    try:
        while len(found) < len(paths):
            found += matched(paths.iloc[len(found) : len(found) + size], pattern).tolist()
            size *= 2
            if time.monotonic() > end:
                raise InvalidSetting(f"“{pattern}” takes too long to search; use a simpler pattern.")
    except pa.ArrowInvalid as problem:
        reason = str(problem).removeprefix("Invalid regular expression: ")
        raise InvalidSetting(f"“{pattern}” is not a valid regular expression: {reason}.") from problem
    return pd.Series(found, index=paths.index, dtype=bool)
