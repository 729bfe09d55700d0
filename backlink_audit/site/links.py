"""The links of a site as a graph of its pages: which URLs are pages, where redirects end, what each link weighs.

What counts, and why, is written down in docs/pages/authority.md.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.clean import End, follow_redirects
from backlink_audit.exports.recognise import Export
from backlink_audit.site.pages import Crawled, Urls, best_status, read_crawled
from backlink_audit.text.urls import normalise_urls, registrable_domains
from backlink_audit.wording import by_number, count, part_of, percent

COLUMNS = ("link_type", "source_url", "target_url", "http_status", "follow", "rel", "link_position")
"""What is read of an inlinks export."""
_REDIRECT = r"(?i)redirect|refresh|umleitung|weiterleitung|redirección|redirecionamento|reindirizzamento"
"""How the type of a row is called that is no link but a redirect."""
_NOFOLLOW = r"(?i)\bnofollow\b"
NO_LINK, ELSEWHERE, FILE, ITSELF = (
    "No hyperlinks",
    "To other sites",
    "To files that are not pages",
    "To the page itself",
)
MANY_UNKNOWN = 0.1  # the share of pages that a crawl does not know from which it is probably of another day
HYPERLINKS = r"(?i)^\s*(?:hyper|hiper|href|a\s?href|link|enlace|collegamento|$)"
"""How the type of a link that readers can follow begins, in the languages of the exports; blank counts."""
CONTENT = r"(?i)^\s*(?:conten|inhalt|conteúdo|$)"
"""How the position of a link in the page's content begins; blank counts: old exports do not have it."""
REFUSED = (403, 429, 999)  # HTTP answers that say that the crawler was not let in, not that the page is dead


@dataclass(frozen=True, eq=False)
class SiteLinks:
    """The links between the pages of a site.

    `pages` has one row per page: url, key (normalised), status (HTTP, NaN: unknown), in_crawl (bool). `links` has one
    row per hyperlink of the export between two different pages of the site, redirects followed: row (its place in the
    export), source, target (rows of `pages`), followed, in_content, status (what the URL it names answers), steps
    (redirects on its way). `left_out` counts the other rows of the export by the reason. `redirects`: the key of each
    URL that redirects -> where it ends. `knows_positions`: whether the export has the positions of links.
    """

    name: str
    pages: pd.DataFrame
    links: pd.DataFrame
    left_out: Mapping[str, int]
    redirects: Mapping[str, End]
    knows_positions: bool
    notes: tuple[str, ...] = ()

    def weights(self, outside_content: float) -> sp.csr_matrix:
        """Return what each page's link to each other one weighs, float64 (pages, pages).

        However often one page links to another, that counts once, by the link that weighs most: 1 for one in content,
        `outside_content` for any other, 0 for nofollow.
        """
        in_content = self._matrix(self.links["followed"] & self.links["in_content"])
        weighed = outside_content * self.linked() + (1 - outside_content) * in_content
        weighed.eliminate_zeros()
        return weighed.tocsr()

    def linked(self) -> sp.csr_matrix:
        return self._matrix(self.links["followed"])

    def find(self, urls: pd.Series) -> np.ndarray:
        """Return the row of the page that each URL leads to in the end, -1 where it is none of the site's."""
        keys = [self._end(key) for key in normalise_urls(urls)]
        return pd.Index(self.pages["key"]).get_indexer(pd.Index(keys, dtype="str"))

    def _end(self, key: str) -> str:
        end = self.redirects.get(key)
        return key if end is None or end.url is None else end.url

    def _matrix(self, wanted: pd.Series) -> sp.csr_matrix:
        links, size = self.links[wanted], len(self.pages)
        ones = np.ones(len(links), dtype=bool)
        return sp.csr_matrix((ones, (links["source"], links["target"])), shape=(size, size)).astype(np.float64)


def read_site_links(tables: Iterable[pd.DataFrame], name: str, crawl: Export | None = None) -> SiteLinks:
    """Return the links of an inlinks export called `name`, given as mapped tables with COLUMNS, each below the other.

    `crawl` adds pages that nothing links to, redirects, and what a URL is. Raises NoRowsLeft without any hyperlink,
    or where the crawl has no page.
    """
    urls = Urls()
    blocks: list[pd.DataFrame] = []
    redirects: dict[int, int] = {}
    rows = moves = 0
    for table in tables:
        is_link = table["link_type"].str.contains(HYPERLINKS).to_numpy(bool)
        moved = table[table["link_type"].str.contains(_REDIRECT).to_numpy(bool) & ~is_link]
        ends = zip(urls.numbers(moved["source_url"]).tolist(), urls.numbers(moved["target_url"]).tolist(), strict=True)
        redirects |= {one: other for one, other in ends if one >= 0 and other >= 0}
        blocks.append(_hyperlinks(table[is_link], np.flatnonzero(is_link) + rows, urls))
        rows, moves = rows + len(table), moves + len(moved)
    links = pd.concat(blocks, ignore_index=True)
    if links.empty:
        raise NoRowsLeft(name, f"none of its {count(rows, 'row')} is a hyperlink, so there are no links between pages.")
    sources = np.unique(links["source"][links["source"] >= 0])
    crawled, notes = _fitting_crawl(crawl, urls, sources, name)
    built = _Builder(urls, links, redirects | dict(crawled.redirects if crawled else {}), crawled)
    return built.site_links(name, {NO_LINK: rows - len(links) - moves}, notes)


def _hyperlinks(links: pd.DataFrame, rows: np.ndarray, urls: Urls) -> pd.DataFrame:
    nofollow = links["follow"].eq(False).fillna(False).to_numpy(bool) | links["rel"].str.contains(_NOFOLLOW).to_numpy(
        bool
    )
    return pd.DataFrame(
        {
            "row": rows.astype(np.int32),
            "source": urls.numbers(links["source_url"]).astype(np.int32),
            "target": urls.numbers(links["target_url"]).astype(np.int32),
            "followed": ~nofollow,
            "in_content": links["link_position"].str.contains(CONTENT).to_numpy(bool),
            "has_position": links["link_position"].ne("").to_numpy(bool),
            "status": links["http_status"].to_numpy(np.float32),
        }
    )


def _fitting_crawl(
    crawl: Export | None, urls: Urls, sources: np.ndarray, name: str
) -> tuple[Crawled | None, tuple[str, ...]]:
    """Return what the crawl knows, and what to say of it; None for a crawl that has not one of the linking pages."""
    if crawl is None:
        return None, ()
    crawled = read_crawled(crawl, urls)
    known = int(crawled.known[sources].sum())
    if not known:
        ours, theirs = urls.hosts().iloc[sources].mode().iloc[0], urls.hosts()[crawled.known].mode().iloc[0]
        sentence = f"it is from {theirs}, but the links are from {ours}" if ours != theirs else "their URLs differ"
        return None, (
            f"{crawl.name}: it contains none of the linking pages in {name}: {sentence}. The file is not used.",
        )
    unknown = len(sources) - known
    if unknown < MANY_UNKNOWN * len(sources):
        return crawled, ()
    return crawled, (
        f"{part_of(unknown, len(sources), 'linking page')} ({percent(unknown / len(sources))}) "
        f"{by_number(unknown, 'is', 'are')} not in {crawl.name}. The files may be from different days.",
    )


@dataclass(frozen=True, eq=False)
class _Builder:
    """Numbered hyperlinks and redirects on the way to a graph of pages."""

    urls: Urls
    links: pd.DataFrame
    moves: Mapping[int, int]
    crawled: Crawled | None

    def site_links(self, name: str, left_out: Mapping[str, int], notes: tuple[str, ...]) -> SiteLinks:
        """Follow the redirects, and keep the links between two pages of the site."""
        keys, links = self.urls.keys, self.links
        ends = follow_redirects({keys[one]: keys[other] for one, other in self.moves.items()})
        last, steps = self._ends(ends)
        ours, files = self._ours(), self._files()
        source, target = last[links["source"]], last[links["target"]]
        reasons = {
            ELSEWHERE: (source < 0) | (target < 0) | ~ours[source] | ~ours[target],
            FILE: files[source] | files[target],
            ITSELF: source == target,
        }
        named = np.select(list(reasons.values()), list(reasons), "")
        kept = links.assign(source=source, target=target, steps=steps[links["target"]])[named == ""]
        numbers = self._pages(np.concatenate([source, kept["target"]]), ours & ~files, last)
        row_of = np.full(len(keys), -1)
        row_of[numbers] = np.arange(len(numbers))
        knows_positions = bool(links["has_position"].any())
        kept = kept.assign(source=row_of[kept["source"]], target=row_of[kept["target"]]).drop(columns="has_position")
        return SiteLinks(
            name=name,
            pages=self._page_table(numbers),
            links=kept.reset_index(drop=True),
            left_out={**left_out, **{reason: int((named == reason).sum()) for reason in reasons}},
            redirects=ends,
            knows_positions=knows_positions,
            notes=notes,
        )

    def _ends(self, ends: Mapping[str, End]) -> tuple[np.ndarray, np.ndarray]:
        """Return for each URL's number that of its end (itself where it runs in a circle), and the steps to it.

        Both have one more entry, for -1.
        """
        number = {key: place for place, key in enumerate(self.urls.keys)}
        last = np.append(np.arange(len(number)), -1)
        steps = np.zeros(len(last), dtype=np.int16)
        for key, end in ends.items():
            steps[number[key]] = end.steps
            last[number[key]] = number[end.url or key]
        return last, steps

    def _ours(self) -> np.ndarray:
        hosts = self.urls.hosts()
        sources = self.links["source"]
        return hosts.isin(set(hosts.iloc[sources[sources >= 0].unique()])).to_numpy(bool)

    def _files(self) -> np.ndarray:
        files = self.urls.are_files()
        if self.crawled is not None:
            size = len(self.crawled.is_file)
            files[:size] = (files[:size] & ~self.crawled.is_page) | self.crawled.is_file
        return files

    def _pages(self, met: np.ndarray, may_be: np.ndarray, last: np.ndarray) -> np.ndarray:
        is_page = np.zeros(len(may_be), dtype=bool)
        is_page[met[met >= 0]] = True
        if self.crawled is not None:
            is_page[: len(self.crawled.is_page)] |= self.crawled.is_page
        return np.flatnonzero(is_page & may_be & (last[:-1] == np.arange(len(may_be))))

    def _page_table(self, numbers: np.ndarray) -> pd.DataFrame:
        status = best_status(self.links["target"].to_numpy(), self.links["status"], len(self.urls))
        in_crawl = np.zeros(len(status), dtype=bool)
        if self.crawled is not None:
            size = len(self.crawled.known)
            in_crawl[:size] = self.crawled.known
            status[:size] = np.where(np.isnan(self.crawled.status), status[:size], self.crawled.status)
        return pd.DataFrame(
            {
                "url": pd.Series([self.urls.spelled[number] for number in numbers], dtype="str"),
                "key": pd.Series([self.urls.keys[number] for number in numbers], dtype="str"),
                "status": status[numbers],
                "in_crawl": in_crawl[numbers],
            }
        )


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
    """Return the sentence for an inlinks export of which many URLs are not in the crawl at all; "" for few."""
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
    from_others = (target >= 0) & (source != target)
    links = pd.DataFrame({"source": source_keys.to_numpy()[from_others], "target": target[from_others]})
    return np.bincount(links.drop_duplicates()["target"], minlength=pages)


def _anchors(page: np.ndarray, other: np.ndarray, anchors: pd.Series, pages: int) -> list[dict[str, int]]:
    found: list[dict[str, set[int]]] = [{} for _ in range(pages)]
    for number, end, words in zip(page.tolist(), other.tolist(), anchors.str.strip(), strict=True):
        if words and number >= 0:
            found[number].setdefault(words, set()).add(end)
    return [{words: len(own[words]) for words in sorted(own)} for own in found]


def is_broken(status: pd.Series) -> pd.Series:
    return (status >= 400) & ~status.isin(REFUSED)
