"""The suggested links narrowed down after a run: by similarity, and by where their pages stand in the site."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import pandas as pd
import regex

from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.interlinks.result import Opportunities, path_of

PATTERN_SECONDS = 2.0
"""A pattern may take so long over all addresses; one that takes longer is refused."""


@dataclass(frozen=True)
class PathChoice:
    """Which pages one end of a link may be: their path holds one of `contains` and none of `excludes`.

    `pattern` is a regular expression found in the path; `folders` are groups of pages (see `folder_of`). Empty: all.
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
    try:
        wanted = regex.compile(pattern)
        return paths.map(lambda path: bool(wanted.search(path, timeout=PATTERN_SECONDS))).astype(bool)
    except regex.error as problem:
        raise InvalidSetting(f"“{pattern}” is not a valid regular expression: {problem}.") from problem
    except TimeoutError as problem:
        raise InvalidSetting(f"“{pattern}” takes too long to search; use a simpler pattern.") from problem
