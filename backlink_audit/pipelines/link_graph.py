"""The links that a site already has, between the pages of its crawl."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.exports.recognise import Export
from backlink_audit.text.urls import normalise_urls, registrable_domains

HYPERLINKS = r"(?i)^\s*(?:hyper|hiper|href|a\s?href|link|enlace|collegamento|$)"
"""How the type of a link that readers can follow begins, in the languages of the exports; blank counts."""
CONTENT = r"(?i)^\s*(?:conten|inhalt|conteúdo|$)"
"""How the position of a link in the page's content begins; blank counts: old exports do not tell."""


@dataclass(frozen=True, eq=False)
class LinkGraph:
    """Existing links between the pages of a crawl; pages are row numbers.

    `linked` (pages, pages), bool: true where the row links to the column, among the links that count. `inlinks` counts
    for each page the other pages that link to it, from any place. `anchors` are the words linked already in the content
    of each page.
    """

    linked: sp.csr_matrix
    inlinks: np.ndarray
    anchors: tuple[tuple[str, ...], ...]

    def has(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Return for each pair whether it is linked, bool (pairs,)."""
        return np.asarray(self.linked[sources, targets]).ravel().astype(bool)


def read_links(inlinks: Export, pages: pd.DataFrame, *, content_only: bool) -> LinkGraph | None:
    """Return the links among the pages (columns url, url_key); None if not one row joins two of them."""
    number_of = pd.Series(range(len(pages)), index=pages["url_key"])
    number_of = number_of[~number_of.index.duplicated()]
    table = inlinks.table[inlinks.table["link_type"].str.contains(HYPERLINKS)]
    source = number_of.reindex(normalise_urls(table["source_url"])).to_numpy()
    target = number_of.reindex(normalise_urls(table["target_url"])).to_numpy()
    known = ~np.isnan(source) & ~np.isnan(target)
    if not known.any():
        return None
    apart = known & (source != target)
    in_content = table["link_position"].str.contains(CONTENT).to_numpy()
    counts = apart & in_content if content_only else apart
    everywhere = _matrix(source[apart], target[apart], len(pages))
    return LinkGraph(
        linked=_matrix(source[counts], target[counts], len(pages)),
        inlinks=np.asarray(everywhere.sum(axis=0)).ravel(),
        anchors=_anchors(source[in_content], table["anchor"][in_content], len(pages)),
    )


def why_nothing_matched(inlinks: Export, pages: pd.DataFrame) -> str:
    """Return the sentence for an inlinks export of which no link joins two pages of the crawl."""
    ours, theirs = _main_domain(pages["url"]), _main_domain(inlinks.table["source_url"])
    reason = (
        f"it is about {theirs}, the crawl about {ours}"
        if ours != theirs
        else "their URLs differ, or these pages were set aside by the filters"
    )
    return (
        f"{inlinks.name}: none of its {len(inlinks.table):,} links joins two of the {len(pages):,} pages: {reason}. "
        "So which links exist already is unknown."
    )


def _main_domain(urls: pd.Series) -> str:
    domains = registrable_domains(urls)
    return str(domains.mode().iloc[0]) if len(domains) else "no site"


def _matrix(source: np.ndarray, target: np.ndarray, pages: int) -> sp.csr_matrix:
    ones = np.ones(len(source), dtype=bool)
    return sp.csr_matrix((ones, (source.astype(np.int64), target.astype(np.int64))), shape=(pages, pages), dtype=bool)


def _anchors(source: np.ndarray, anchors: pd.Series, pages: int) -> tuple[tuple[str, ...], ...]:
    found: list[set[str]] = [set() for _ in range(pages)]
    for number, words in zip(source, anchors.str.strip(), strict=True):
        if words and not np.isnan(number):
            found[int(number)].add(words)
    return tuple(tuple(sorted(words)) for words in found)
