"""The links that a site already has, between the pages of its crawl."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.crawl.site_urls import Urls
from backlink_audit.text.urls.parts import normalise_urls, registrable_domains
from backlink_audit.wording import by_number, part_of, percent

HYPERLINKS = r"(?i)^\s*(?:hyper|hiper|href|a\s?href|link|enlace|collegamento|$)"
"""How the type of a link that readers can follow begins, in the languages of the exports; blank counts."""
CONTENT = r"(?i)^\s*(?:conten|inhalt|conteúdo|$)"
"""How the position of a link in the page's content begins; blank counts: old exports do not have it."""

MANY_UNKNOWN = 0.1
"""The share of URLs that the crawl does not have from which there is a note."""


@dataclass(frozen=True, eq=False)
class LinkGraph:
    """Existing links between the pages of a crawl; pages are row numbers.

    `linked` (pages, pages), bool: true where the row links to the column, among the links that count. `inlinks` counts
    for each page the other pages of the site that link to it, from any place, those that the filters set aside among
    them. `anchors` are the words linked already in the content of each page, `anchors_to` those of the links in the
    content of others to each page, and how many of these pages use them.
    """

    linked: sp.csr_matrix
    inlinks: np.ndarray
    anchors: tuple[tuple[str, ...], ...]
    anchors_to: tuple[Mapping[str, int], ...]

    def has(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Return for each pair whether it is linked, bool (pairs,)."""
        if not len(sources):  # SciPy refuses to look up nothing
            return np.zeros(0, dtype=bool)
        return np.asarray(self.linked[sources, targets]).ravel().astype(bool)


def read_links(inlinks: pd.DataFrame, pages: pd.DataFrame, *, content_only: bool) -> LinkGraph | None:
    """Return the links among the pages (columns url, url_key); None if not one row joins two of them.

    `inlinks`: link_type, source_url, target_url, link_position, anchor.

    What is true of a URL is true of every row that has it, should the crawl list it twice.
    """
    rows, keys = pd.factorize(pages["url_key"])
    table = inlinks[inlinks["link_type"].str.contains(HYPERLINKS)]
    source_keys = normalise_urls(table["source_url"])
    source = pd.Index(keys).get_indexer(pd.Index(source_keys))
    target = pd.Index(keys).get_indexer(pd.Index(normalise_urls(table["target_url"])))
    known = (source >= 0) & (target >= 0)
    if not known.any():
        return None
    in_content = table["link_position"].str.contains(CONTENT).to_numpy()
    counts = known & (source != target) & (in_content if content_only else True)
    linked = _matrix(source[counts], target[counts], (len(keys), len(keys)))
    members = _matrix(np.arange(len(rows)), rows, (len(rows), len(keys)))
    words = table["anchor"][in_content]
    ends = source[in_content], np.where(source != target, target, -1)[in_content]
    anchors = _anchors(ends[0], ends[1], words, len(keys))
    anchors_to = _anchors(ends[1], ends[0], words, len(keys))
    return LinkGraph(
        linked=(members @ linked @ members.T).tocsr(),
        inlinks=_inlinks(source_keys, source, target, len(keys))[rows],
        anchors=tuple(tuple(anchors[row]) for row in rows),
        anchors_to=tuple(anchors_to[row] for row in rows),
    )


def same_page(pages: pd.DataFrame) -> sp.csr_matrix:
    """Return which rows are one page, bool (pages, pages): each with itself, and those of one normalised URL."""
    rows, keys = pd.factorize(pages["url_key"])
    members = _matrix(np.arange(len(rows)), rows, (len(rows), len(keys)))
    return (members @ members.T).tocsr()


def what_is_unknown(inlinks: Export, crawl: Export) -> str:
    """Return the sentence for an inlinks export of which many URLs are not in the crawl at all; "" for few.

    URLs of other sites and of files that are no pages are not counted.
    """
    urls = Urls()
    links = inlinks.table[inlinks.table["link_type"].str.contains(HYPERLINKS)]
    sources, targets = (np.unique(urls.numbers(links[end])) for end in ("source_url", "target_url"))
    hosts = urls.hosts()
    ours = hosts.isin(set(hosts.iloc[sources[sources >= 0]])).to_numpy() & ~urls.are_files()
    met = np.union1d(sources, targets)
    met = met[met >= 0]
    met = met[ours[met]]
    crawled = set(normalise_urls(crawl.table["url"]))
    unknown = sum(urls.keys[number] not in crawled for number in met.tolist())
    if not unknown or unknown < MANY_UNKNOWN * len(met):
        return ""
    return (
        f"{inlinks.name}: {part_of(unknown, len(met), 'URL')} ({percent(unknown / len(met))}) "
        f"{by_number(unknown, 'is', 'are')} not in {crawl.name}. The files may be from different days, so some "
        "suggested links may already exist."
    )


def why_nothing_matched(inlinks: Export, pages: pd.DataFrame) -> str:
    """Return the sentence for an inlinks export of which no link joins two pages of the crawl."""
    ours, theirs = _main_domain(pages["url"]), _main_domain(inlinks.table["source_url"])
    reason = (
        f"it is from {theirs}, but the crawl is from {ours}"
        if ours != theirs
        else "their URLs differ, or the filters excluded these pages"
    )
    return (
        f"{inlinks.name}: none of its {len(inlinks.table):,} links connects two of the {len(pages):,} pages: "
        f"{reason}. So existing links are unknown."
    )


def _main_domain(urls: pd.Series) -> str:
    domains = registrable_domains(urls)
    return str(domains.mode().iloc[0]) if len(domains) else "no site"


def _matrix(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sp.csr_matrix:
    return sp.csr_matrix((np.ones(len(rows), dtype=bool), (rows, columns)), shape=shape, dtype=bool)


def _inlinks(source_keys: pd.Series, source: np.ndarray, target: np.ndarray, pages: int) -> np.ndarray:
    """Count for each page the different pages that link to it, itself left out."""
    from_others = (target >= 0) & (source != target)
    links = pd.DataFrame({"source": source_keys.to_numpy()[from_others], "target": target[from_others]})
    return np.bincount(links.drop_duplicates()["target"], minlength=pages)


def _anchors(page: np.ndarray, other: np.ndarray, anchors: pd.Series, pages: int) -> list[dict[str, int]]:
    """Return for each page the words of its links, and how many other ends they have."""
    found: list[dict[str, set[int]]] = [{} for _ in range(pages)]
    for number, end, words in zip(page.tolist(), other.tolist(), anchors.str.strip(), strict=True):
        if words and number >= 0:
            found[number].setdefault(words, set()).add(end)
    return [{words: len(own[words]) for words in sorted(own)} for own in found]
