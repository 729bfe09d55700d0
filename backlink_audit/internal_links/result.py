"""The suggested links of a site, as a result that answers for itself."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pyarrow as pa

from backlink_audit.clusters.names import group_and_name
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.nearest import EXACT_ROWS, nearest, top_k
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.clean import Cleaned
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.evidence import matched
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings, InterlinkSettings
from backlink_audit.site.pages import read_figures, read_queries
from backlink_audit.site.vectors import PageVectors
from backlink_audit.text.anchor_places import EXACT, NEAR
from backlink_audit.text.page_texts import PageTexts, language_groups
from backlink_audit.wording import by_number, count, part_of

NEAR_TOP = (4.0, 20.0)  # average positions from and to which a page is close to the top of the results, but not there
NO_POSITIONS = "No target page has an average position, so the order does not change."
TARGET_FIGURES = {
    "clicks": "target_clicks",
    "impressions": "target_impressions",
    "average_position": "target_position",
    "views": "target_views",
    "sessions": "target_sessions",
    "organic_traffic": "target_traffic",
}
"""Which figures of the target stand beside a suggestion, and under which names."""
PATTERN_SECONDS = 2.0  # A pattern may take so long over all addresses together; one that takes longer is refused
LONGEST_PATTERN = 1_000


@dataclass(frozen=True, eq=False)
class Opportunities:
    """The suggested links of a site.

    `table` has one row per pair, by source page and rank: source_url, target_url, similarity, score, rank, anchor,
    sentence, anchor_match (EXACT, PARTIAL, NEAR, "" without an anchor), anchor_at (where in the sentence the anchor
    begins), existing ("no", "unknown"), near_duplicate (bool), reverse ("yes", "no", "unknown"), source_title,
    target_title; source_cluster and target_cluster after `with_clusters`, and cluster in `pages`. Those of a page
    come by score, near duplicates last. `near_duplicates` has one row per pair so alike that merging the pages is
    worth a thought, most alike first: source_url, target_url, similarity, source_title, target_title.
    `translations` and `templates` have the same columns: pairs that are one page in two languages, or whose titles
    differ by numbers alone; they are in no other table. `pages` has one row per page kept: url, title, inlinks and
    word_count (NaN: unknown), nearest (its highest similarity; NaN where the filters leave it out), purpose,
    purpose_evidence and family (see `PageKind`). `notes` are sentences the user should read. `knows_links`: whether an
    inlinks export told the links that exist. `queries`: by URL the queries that find each page (`queries_of_pages`)
    after `with_figures`; else empty.
    """

    cleaned: Cleaned
    settings: InterlinkSettings
    texts: PageTexts
    vectors: PageVectors
    table: pd.DataFrame
    near_duplicates: pd.DataFrame
    translations: pd.DataFrame
    templates: pd.DataFrame
    pages: pd.DataFrame
    notes: tuple[str, ...]
    queries: Mapping[str, dict[str, float]] = field(default_factory=dict)
    knows_links: bool = False
    device: str = ""
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        if self.table.empty:
            if 2 * (self.pages["family"] >= 0).sum() > len(self.pages):
                return "No links one by one: most pages are of one template, and a block of links joins them."
            return f"No suggestions: no two of {count(len(self.pages), 'page')} are similar enough."
        if self.suggested.empty:
            pairs = f"{count(len(self.near_duplicates), 'pair')} of {count(len(self.pages), 'page')}"
            pairs += by_number(len(self.near_duplicates), " is", " are")
            return f"Only near duplicates were found: {pairs} so similar that you should merge them first."
        sources = self.suggested["source_url"].nunique()
        on_pages = part_of(sources, len(self.pages), "page")
        with_anchor = f"{self.with_anchor:,} of them {by_number(self.with_anchor, 'has', 'have')} a suggested anchor."
        if self.knows_links:
            return f"{count(len(self.suggested), 'link')} worth adding on {on_pages}; {with_anchor}"
        return (
            f"{count(len(self.suggested), 'possible link')} on {on_pages}. Some may already exist (unknown "
            f"without an inlinks export); {with_anchor}"
        )

    @cached_property
    def suggested(self) -> pd.DataFrame:
        return self.table[~self.table["near_duplicate"]]

    @property
    def set_aside(self) -> str:
        """How many pairs are in lists of their own, in words; "" where there are none."""
        kinds = {
            "near duplicates": self.near_duplicates,
            "translations": self.translations,
            "pages with the same template": self.templates,
        }
        counts = [
            count(len(pairs), f"pair of {kind}", f"pairs of {kind}") for kind, pairs in kinds.items() if len(pairs)
        ]
        return f"Excluded, in separate lists: {', '.join(counts)}." if counts else ""

    @property
    def has_content(self) -> bool:
        return any(self.texts.bodies)

    @property
    def with_anchor(self) -> int:
        return len(self.placeable)

    @property
    def with_exact_anchor(self) -> int:
        return int((self.placeable["anchor_match"] == EXACT).sum())

    @property
    def with_near_anchor(self) -> int:
        return int((self.placeable["anchor_match"] == NEAR).sum())

    @cached_property
    def placeable(self) -> pd.DataFrame:
        """The suggested links that have words to stand on, by score."""
        strongest = self.strongest()
        return strongest[strongest["anchor"] != ""]

    @cached_property
    def opportunities(self) -> pd.DataFrame:
        return self.suggested[self.suggested["anchor"] != ""] if self.has_content else self.suggested

    @cached_property
    def unplaced(self) -> pd.DataFrame:
        """The other suggested links, by score."""
        strongest = self.strongest()
        return strongest[~strongest.index.isin(self.opportunities.index)]

    @cached_property
    def orphans(self) -> pd.DataFrame | None:
        """Pages that no other page links to, each with its nearest page and what is suggested; None without inlinks.

        ready_links: how many suggested links to it have an anchor; ready_source, ready_anchor: those of the best one.
        """
        if not self.knows_links:
            return None
        lonely = self._with_nearest_page(self.pages[self.pages["inlinks"] == 0])
        to_them = self.placeable[self.placeable["target_url"].isin(set(lonely["url"]))].groupby("target_url")
        best = to_them[["source_url", "anchor"]].first().reindex(lonely["url"]).fillna("")
        return lonely.assign(
            ready_links=to_them.size().reindex(lonely["url"]).fillna(0).astype("int64").array,
            ready_source=best["source_url"].array,
            ready_anchor=best["anchor"].array,
        )

    @cached_property
    def isolated(self) -> pd.DataFrame:
        return self._with_nearest_page(self.pages[self.pages["nearest"] < self.settings.least_similarity])

    def _with_nearest_page(self, pages: pd.DataFrame) -> pd.DataFrame:
        """Return some of the pages with the title and URL of the page most similar to each, and its similarity.

        Blank, and NaN, where no other page may be compared. The nearest page is that of the whole site, whatever the
        path filters.
        """
        rows, vectors = pages.index.to_numpy(), self.vectors.vectors
        search = top_k if len(vectors) <= EXACT_ROWS else nearest
        page, score = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), np.nan)
        for group in np.unique(self.compared[rows]):
            own, members = np.flatnonzero(self.compared[rows] == group), np.flatnonzero(self.compared == group)
            found, scores = search(vectors[rows[own]], vectors[members], 2)
            place = np.argmax(members[found] != rows[own][:, None], axis=1)
            best = np.arange(len(own)), place
            page[own], score[own] = np.where(found[best] < 0, rows[own], members[found[best]]), scores[best]
        others = page != rows
        near = self.pages.iloc[page]
        return pages.assign(
            nearest=np.where(others, score.clip(-1, 1), np.nan).astype("float64"),
            nearest_title=near["title"].where(others, "").array,
            nearest_url=near["url"].where(others, "").array,
        )

    @cached_property
    def compared(self) -> np.ndarray:
        """Which pages are compared with each other: those of one number, int (pages,)."""
        groups = language_groups(self.texts)
        return np.zeros_like(groups) if self.settings.across_languages else groups

    @property
    def mean_similarity(self) -> float:
        return float(self.suggested["similarity"].mean())

    def sources_for(self, url: str) -> pd.DataFrame:
        return self.suggested[self.suggested["target_url"] == url].sort_values("score", ascending=False, kind="stable")

    def targets_for(self, url: str) -> pd.DataFrame:
        return self.suggested[self.suggested["source_url"] == url]

    def strongest(self, n: int | None = None) -> pd.DataFrame:
        """Return the n suggested links (None: all), by score."""
        ordered = self.suggested.sort_values("score", ascending=False, kind="stable")
        return ordered.head(n or len(ordered))

    def similarities(self, urls: Sequence[str]) -> pd.DataFrame:
        """Return the cosines of the chosen pages with each other, labelled with their URLs on both sides."""
        places = {url: row for row, url in enumerate(self.vectors.urls)}
        chosen = self.vectors.vectors[[places[url] for url in urls]]
        return pd.DataFrame((chosen @ chosen.T).clip(-1, 1), index=list(urls), columns=list(urls))

    def matrix_pages(self) -> tuple[np.ndarray, np.ndarray]:
        """Return which pages the matrix has as rows (sources) and as columns (targets): row numbers, by the filters."""
        chosen, urls = self.settings, self.pages["url"]
        sources = path_mask(urls, chosen.source_contains, chosen.source_excludes)
        targets = path_mask(urls, chosen.target_contains, chosen.target_excludes)
        return np.flatnonzero(sources), np.flatnonzero(targets)

    def nearest_pairs(self, k: int) -> pd.DataFrame:
        """Return the k most similar targets of every source: the matrix of a site too large for it."""
        rows, columns = self.matrix_pages()
        vectors = self.vectors.vectors
        urls = self.pages["url"].to_numpy(dtype=object)
        search = top_k if len(columns) <= EXACT_ROWS else nearest
        found, scores = search(vectors[rows], vectors[columns], k + 1)
        source, target = np.repeat(rows, found.shape[1]), columns[found.ravel()]
        table = pd.DataFrame(
            {"Source URL": urls[source], "Target URL": urls[target], "Similarity Score": scores.ravel().round(3)}
        )[(source != target) & (found.ravel() >= 0)]
        return table.groupby("Source URL", sort=False).head(k).reset_index(drop=True)


def path_of(urls: pd.Series) -> pd.Series:
    return urls.str.replace(r"^(?:[a-zA-Z][\w+.-]*:)?(?://)?[^/?#]*", "", regex=True)


def path_mask(urls: pd.Series, contains: str, excludes: str) -> np.ndarray:
    """Return which URLs hold the one text and not the other in what follows the host, letter for letter.

    >>> path_mask(pd.Series(["https://a.example/blog/1", "https://blog.example/"]), "blog", "").tolist()
    [True, False]
    """
    choice = PathChoice((contains,) if contains else (), (excludes,) if excludes else ())
    return choice.mask(urls).to_numpy(dtype=bool)


def with_figures(result: Opportunities, performance: Export, *, near_top_first: bool = False) -> Opportunities:
    """Return the result with the figures of each target page, and near_top: whether its position is 4 to 20.

    Where the file says which queries find which page, also with these.

    `near_top_first`: of each source page the targets near the top come first, and the ranks are counted anew; near
    duplicates stay last.
    """
    earned = read_figures(performance, result.pages["url"])
    if earned is None:
        return result
    figures = earned.of(result.table["target_url"])
    wanted = {name: new for name, new in TARGET_FIGURES.items() if name in figures}
    table = result.table.join(figures[list(wanted)].rename(columns=wanted))
    note = earned.note(result.pages["url"], "crawled pages")
    if "target_position" in table:
        table = table.assign(near_top=table["target_position"].between(*NEAR_TOP))
        note += f" {count(int(table['near_top'].sum()), 'suggestion')} to a page at position 4 to 20."
        table = _near_top_first(table) if near_top_first else table
    elif near_top_first:
        note += f" {NO_POSITIONS}"
    queries = read_queries(performance, result.pages["url"])
    return replace(result, table=table, queries=queries, notes=(*result.notes, note))


def _near_top_first(table: pd.DataFrame) -> pd.DataFrame:
    places = {url: place for place, url in enumerate(table["source_url"].unique())}
    order = table.assign(place=table["source_url"].map(places), later=~table["near_top"]).sort_values(
        ["place", "near_duplicate", "later", "rank"], kind="stable"
    )
    ranks = order.groupby("place").cumcount() + 1
    return order.assign(rank=ranks.astype(table["rank"].dtype)).drop(columns=["place", "later"]).reset_index(drop=True)


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


def with_clusters(result: Opportunities, encoder: Encoder, on_progress: Progress = silent) -> Opportunities:
    """Return the result with the columns source_cluster and target_cluster in its table, and cluster in its pages.

    `encoder`: the one that the vectors are from; given vectors of another model are grouped, but named by words alone.
    """
    own, urls = encoder if result.vectors.model == encoder.name else None, result.pages["url"].tolist()
    vectors, settings = result.vectors.vectors, ClusterSettings()
    found, names, *_ = group_and_name(result.texts, vectors, result.compared, settings, own, urls, on_progress)
    pages = result.pages.assign(cluster=pd.Series([names[label] for label in found.labels], dtype="str"))
    cluster_of = dict(zip(pages["url"], pages["cluster"], strict=True))
    ends = {f"{end}_cluster": result.table[f"{end}_url"].map(cluster_of).astype("str") for end in ("source", "target")}
    return replace(result, table=result.table.assign(**ends), pages=pages)
