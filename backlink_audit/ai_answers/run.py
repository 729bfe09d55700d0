"""AI answers: citations by page and query -> beside crawl, links, clicks and backlinks -> what to do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit.ai_answers.bots import FALSE
from backlink_audit.authority.run import find_authority
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import WrongExport
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.fields import cosine_spread, load_topics, name_topics
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.schema import CITATIONS
from backlink_audit.search.run import ALIKE, SearchIndex, index_pages
from backlink_audit.settings import AuthoritySettings, PageFilters
from backlink_audit.site.pages import read_figures
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.urls import normalise_urls, registrable_domains, url_words
from backlink_audit.wording import Figure, by_number, count, percent

WHAT_THEY_ARE = (
    "Citations are counted by Bing Webmaster Tools: answers of Microsoft Copilot, Bing and partners. Other engines do "
    "not report theirs."
)
WELL_LINKED, HARDLY_LINKED = 2 / 3, 1 / 3
"""Share of the site's pages with a lower link score, from which a page is well linked, and below which hardly."""
CITED = sheet("citations.cited", lambda answers: answers.cited)
TO_ADD = sheet("citations.to_add", lambda answers: answers.links_to_add)
NEVER = sheet("citations.never", lambda answers: answers.never_cited)
QUERIES = sheet("citations.queries", lambda answers: answers.queries)
SHEETS = (
    CITED,
    sheet("citations.hardly_linked", lambda answers: answers.hardly_linked),
    TO_ADD,
    NEVER,
    QUERIES,
    sheet("citations.without_page", lambda answers: answers.without_page),
    sheet("citations.changes", lambda answers: answers.changes),
    sheet("citations.topics", lambda answers: answers.topics),
    sheet("citations.by_date", lambda answers: answers.by_date),
    sheet("citations.bots", lambda answers: answers.bots if len(answers.bots) else None),
)
_DATE = re.compile(r"20\d\d-\d\d-\d\d|20\d{6}")
SOURCES_EACH = 3  # pages from which a link to a cited page is suggested
LIKE = 0.3  # cosine of two titles from which a link between their pages makes sense
NO_BOTS = pd.DataFrame({"page_path": pd.Series(dtype="str"), "visits": pd.Series(dtype="int64")})
UNDATED = "{files} without a date in the name: their citations are not counted beside those of files with one."
NO_CRAWL = "To find links to add, and queries without a page, load a crawl of your site."
NO_INLINKS = "To find cited pages that are hardly linked, load all inlinks of the crawl."
OTHER_SITE = "{name} cites pages of {theirs}, but the crawl is of {ours}: is this the file of another site?"


@dataclass(frozen=True, eq=False)
class AiAnswers:
    """Who is cited, for what, and what to do about it.

    `pages`: a row for each page of the crawl, and each cited one that it lacks: url, title, citations, cited_before,
    cited_change, clicks, link_score, link_rank (0-1), links_in, linking_domains, topic_field, in_crawl, and where logs
    are given bot_visits. `queries`: query, citations, cited_before, cited_change, intent, query_topic, page_url,
    page_title, query_similarity, answered (bool). `links_to_add`: source_url, target_url, titles, similarity.
    `by_date`: cited_on, citations, cited_pages. `dates`: the snapshots compared, the earlier first.
    """

    name: str
    pages: pd.DataFrame
    queries: pd.DataFrame
    links_to_add: pd.DataFrame
    by_date: pd.DataFrame
    bots: pd.DataFrame
    dates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @cached_property
    def cited(self) -> pd.DataFrame:
        """The cited pages, most cited first."""
        found = self.pages[(self.pages["citations"] > 0) | (self.pages["cited_before"] > 0)]
        return found.sort_values("citations", ascending=False, kind="stable")

    @cached_property
    def hardly_linked(self) -> pd.DataFrame:
        return self.cited[(self.cited["citations"] > 0) & (self.cited["link_rank"] < HARDLY_LINKED)]

    @cached_property
    def never_cited(self) -> pd.DataFrame:
        """Pages that are well linked, or visited, and never cited; the most visited first."""
        uncited = self.pages[
            (self.pages["citations"] == 0) & (self.pages["cited_before"] == 0) & self.pages["in_crawl"]
        ]
        clicked = uncited["clicks"].fillna(0) > 0
        strong = uncited["link_rank"] >= WELL_LINKED
        chosen = strong & clicked if self.pages["clicks"].notna().any() else strong
        return uncited[chosen].sort_values(["clicks", "link_rank"], ascending=False, kind="stable")

    @cached_property
    def without_page(self) -> pd.DataFrame:
        return self.queries[~self.queries["answered"]]

    @cached_property
    def changes(self) -> pd.DataFrame:
        """Pages whose citations changed between the two dates, the largest change first."""
        moved = self.cited.loc[self.cited["cited_change"].fillna(0) != 0]
        return moved.loc[moved["cited_change"].abs().sort_values(ascending=False, kind="stable").index]

    @cached_property
    def topics(self) -> pd.DataFrame:
        """Citations by topic: topic_field, pages (cited), citations, share (0-1)."""
        groups = self.cited[self.cited["citations"] > 0].groupby("topic_field")
        sums = groups.agg(pages=("url", "size"), citations=("citations", "sum"))
        table = sums.sort_values("citations", ascending=False).reset_index()
        return table.assign(share=table["citations"] / max(1.0, table["citations"].sum()))

    @property
    def total(self) -> int:
        return int(self.pages["citations"].sum()) or int(self.queries["citations"].sum())

    @property
    def figures(self) -> list[Figure]:
        """The overview."""
        known = self.pages["link_rank"].notna().any()
        never = len(self.never_cited) if known and self.pages["clicks"].notna().any() else None
        return [
            ("Citations", self.total, WHAT_THEY_ARE),
            ("Cited pages", int((self.pages["citations"] > 0).sum()), "Pages with citations at the latest date."),
            ("Cited, hardly linked", len(self.hardly_linked) if known else None, "load all inlinks to see this"),
            ("Visited, never cited", never, "load all inlinks and clicks to see this"),
            ("Queries without a page", len(self.without_page) if self.queries_compared else None, "load a crawl"),
        ]

    @property
    def queries_compared(self) -> bool:
        return bool(len(self.queries)) and bool(self.queries["page_url"].ne("").any())

    @property
    def headline(self) -> str:
        """The answer in a sentence or two."""
        pages = int((self.pages["citations"] > 0).sum())
        on = f" ({self.dates[-1]})" if self.dates else ""
        said = f"{count(self.total, 'citation')} of {count(pages, 'page')}{on}."
        if len(self.dates) > 1 and len(self.changes):
            before = int(self.pages["cited_before"].sum())
            said = f"{said[:-1]}, {before:,} on {self.dates[-2]}."
        if len(self.hardly_linked):
            n = len(self.hardly_linked)
            said += f" {count(n, 'cited page')} {by_number(n, 'is', 'are')} hardly linked inside your site."
        if self.queries_compared and len(self.without_page):
            share = self.without_page["citations"].sum() / max(1.0, self.queries["citations"].sum())
            said += f" {count(len(self.without_page), 'query', 'queries')} without a page ({percent(share)})."
        return said


def tables(result: AiAnswers) -> WholeTables:
    return tables_of(result, CITED, SHEETS, lambda: _summary(result))


def _summary(result: AiAnswers) -> pd.DataFrame:
    return summary_table(
        [
            ("AI answers", "In a sentence", result.headline),
            ("AI answers", "File", result.name),
            ("AI answers", "Created", result.made_at),
            *(("Figures", name, "" if value is None else value) for name, value, _ in result.figures),
            *rows_of_notes([WHAT_THEY_ARE, *result.notes]),
        ]
    )


def read_answers(
    citations: Export,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    bots: pd.DataFrame | None = None,
    on_progress: Progress = silent,
) -> AiAnswers:
    """Return what is cited, beside what the other files say of the pages.

    `citations`: one or more files of citations by page, by query or by day; the date of each is in its name.
    `sources`: a crawl, all inlinks, clicks and backlinks. `bots`: visits of bots (`bots.read_logs`).
    """
    if citations.kind != CITATIONS.name:
        raise WrongExport(citations.name, f"this is “{citations.format.name}”, but citations are required.")
    table = citations.table.assign(cited_on=_dates(citations.table["source_file"]))
    by_page = table[table["page"] != ""]
    pages = _compared(by_page.assign(key=normalise_urls(by_page["page"])), "key", "page")
    queries = _compared(
        table[table["query"] != ""].assign(key=lambda rows: rows["query"].str.casefold()), "key", "query"
    )
    undated = table.loc[table["cited_on"] == "", "source_file"].nunique()
    notes = [UNDATED.format(files=count(undated, "file"))] if undated and table["cited_on"].any() else []
    crawl = None if sources.pages is None else clean_pages(sources.pages, PageFilters()).table
    pages = _with_crawl(pages, crawl)
    if crawl is not None and len(by_page):
        theirs, ours = _site(by_page["page"]), _site(crawl["url"])
        notes += [OTHER_SITE.format(name=citations.name, theirs=theirs, ours=ours)] if theirs != ours else []
    pages = _with_links(pages, sources, on_progress)
    earned = read_figures(sources.performance, pages["url"])
    clicks = earned.of(pages["url"]).reindex(columns=["clicks"]) if earned is not None else pd.DataFrame()
    pages = pages.assign(clicks=clicks["clicks"] if "clicks" in clicks else np.nan)
    if bots is not None:
        read = bots[(bots["bot_verified"] != FALSE) & (bots["answer_status"] < 400)]
        visits = read.groupby("page_path")["visits"].sum()
        pages = pages.assign(bot_visits=_paths(pages["url"]).map(visits).fillna(0).astype("int64"))
    index = index_pages(pages.assign(h1="", meta_description=""), encoder, on_progress) if len(pages) else None
    topics = encoder.encode(load_topics().phrases)
    if index is not None:
        taxonomy, own = load_topics(), index.vectors[index.ends[0]]
        every, no_words = np.ones(len(own), dtype=bool), np.zeros(len(own), dtype=np.int64)
        named = name_topics(own @ topics.T, every, no_words, cosine_spread(topics, taxonomy), taxonomy)
        pages = pages.assign(topic_field=pd.array(named.field, dtype="str"))
    queries = _answered(queries, index, pages, encoder, topics, on_progress, known=crawl is not None)
    notes += [NO_CRAWL] if crawl is None else []
    notes += [NO_INLINKS] if sources.inlinks is None else []
    return AiAnswers(
        citations.name,
        pages,
        queries,
        _links_to_add(pages, index, sources.inlinks),
        _by_date(table),
        NO_BOTS if bots is None else bots,
        tuple(sorted(set((by_page if len(by_page) else table)["cited_on"]) - {""})),
        (*notes, *([earned.note(pages["url"], "pages")] if earned is not None else [])),
    )


def _dates(files: pd.Series) -> pd.Series:
    found = {name: match[0] if (match := _DATE.search(name)) else "" for name in files.unique()}
    days = {name: f"{day[:4]}-{day[4:6]}-{day[6:]}" if len(day) == 8 else day for name, day in found.items()}
    return files.map(days).astype("str")


def _compared(rows: pd.DataFrame, key: str, word: str) -> pd.DataFrame:
    """Return a row for each page or query: citations of the latest date, cited_before and cited_change.

    Spellings of one page in one file are added up; of two files of one date the higher number counts.
    """
    per_file = rows.groupby(["cited_on", "source_file", key])["citations"].sum()
    per_date = per_file.groupby(level=["cited_on", key]).max().unstack("cited_on")
    dates = sorted(filter(None, per_date.columns)) or list(per_date.columns)
    known = rows.drop_duplicates(key, keep="last").set_index(key)
    table = known.loc[per_date.index, [word, "intent", "query_topic"]]
    now = per_date[dates[-1]] if dates else pd.Series(dtype="float64")
    before = per_date[dates[-2]] if len(dates) > 1 else pd.Series(np.nan, per_date.index)
    table = table.assign(citations=now.fillna(0.0), cited_before=before.fillna(0.0 if len(dates) > 1 else np.nan))
    table["cited_change"] = table["citations"] - table["cited_before"]
    return table.sort_values("citations", ascending=False, kind="stable").reset_index()


def _with_crawl(cited: pd.DataFrame, crawl: pd.DataFrame | None) -> pd.DataFrame:
    """Return the pages of the crawl and those that are cited: url, title, in_crawl, key, and the citations."""
    cited = cited.drop(columns=["intent", "query_topic"])
    if crawl is None:
        return cited.rename(columns={"page": "url"}).assign(title="", in_crawl=False)
    known = pd.DataFrame(
        {"key": crawl["url_key"], "url": crawl["url"], "title": crawl["title"].where(crawl["title"] != "", crawl["h1"])}
    )
    table = known.drop_duplicates("key").merge(cited, on="key", how="outer", indicator=True)
    table = table.assign(
        url=table["url"].fillna(table["page"]),
        title=table["title"].fillna(""),
        in_crawl=table["_merge"] != "right_only",
    )
    amounts = table[["citations", "cited_before", "cited_change"]]
    dated = bool(cited["cited_before"].notna().any())
    table[["citations"]] = amounts[["citations"]].fillna(0.0)
    table[["cited_before", "cited_change"]] = amounts[["cited_before", "cited_change"]].fillna(0.0 if dated else np.nan)
    return table.drop(columns=["page", "_merge"])


def _with_links(pages: pd.DataFrame, sources: Sources, on_progress: Progress) -> pd.DataFrame:
    """Return the pages with link_score, link_rank (0-1), links_in and linking_domains, NaN where they are not known."""
    pages = pages.assign(link_score=np.nan, links_in=np.nan, linking_domains=np.nan)
    if sources.inlinks is not None:
        graph = find_authority(
            sources.inlinks, AuthoritySettings(), sources=Sources(pages=sources.pages), on_progress=on_progress
        )
        scored = graph.pages.drop_duplicates("key").set_index("key").reindex(pages["key"]).set_axis(pages.index)
        pages = pages.assign(link_score=scored["link_score"], links_in=scored["links_in"].astype("float64"))
    if sources.backlinks is not None:
        keys = sources.backlinks.link_keys
        linked = keys.groupby("target_key")["referring_domain"].nunique()
        pages = pages.assign(linking_domains=pages["key"].map(linked).fillna(0).astype("float64"))
    return pages.assign(link_rank=pages["link_score"].rank(pct=True))


def _answered(
    queries: pd.DataFrame,
    index: SearchIndex | None,
    pages: pd.DataFrame,
    encoder: Encoder,
    topics: np.ndarray,
    on_progress: Progress,
    *,
    known: bool,
) -> pd.DataFrame:
    """Return the queries with the nearest page by meaning, and whether it is near enough to answer them."""
    if index is None or not known or queries.empty:
        blank = pd.Series("", queries.index, dtype="str")
        return queries.assign(page_url=blank, page_title=blank, query_similarity=np.nan, answered=True)
    vectors = encoder.encode(queries["query"].tolist(), on_progress)
    found, above = [], []
    for vector in vectors:
        cosines = index.similarity(vector)
        best = int(cosines.argmax())
        chance = topics @ vector
        found.append((best, float(cosines[best])))
        above.append((cosines[best] - chance.mean()) / max(float(chance.std()), 1e-6))
    rows = [place for place, _ in found]
    return queries.assign(
        page_url=pages["url"].iloc[rows].to_numpy(),
        page_title=pages["title"].iloc[rows].to_numpy(),
        query_similarity=[cosine for _, cosine in found],
        answered=np.array(above) >= ALIKE,
    )


def _links_to_add(pages: pd.DataFrame, index: SearchIndex | None, inlinks: Export | None) -> pd.DataFrame:
    """Return links from well linked pages of like titles to cited pages that are hardly linked, not set yet."""
    names = ("source_url", "source_title", "target_url", "target_title", "similarity")
    cited = np.flatnonzero((pages["citations"] > 0) & (pages["link_rank"] < HARDLY_LINKED) & pages["in_crawl"])
    if index is None or inlinks is None or not len(cited):
        return pd.DataFrame(columns=list(names))
    there = set(zip(*(normalise_urls(inlinks.table[name]) for name in ("source_url", "target_url")), strict=True))
    own = index.vectors[index.ends[0]]
    fitting = (pages["link_rank"] >= HARDLY_LINKED).to_numpy() & pages["in_crawl"].to_numpy(dtype=bool)
    rows = []
    for target in cited:
        cosines = np.where(fitting, own @ own[target], -1.0)
        sources = [place for place in np.argsort(-cosines) if _may_link(pages, int(place), int(target), there)]
        rows += [(place, target, float(cosines[place])) for place in sources[:SOURCES_EACH] if cosines[place] >= LIKE]
    ends = {
        end: pages.iloc[np.array([row[number] for row in rows], dtype=int)]
        for number, end in enumerate(("source", "target"))
    }
    columns = {f"{end}_{name}": part[name].to_numpy() for end, part in ends.items() for name in ("url", "title")}
    return pd.DataFrame({**columns, "similarity": [row[2] for row in rows]})[list(names)]


def _may_link(pages: pd.DataFrame, source: int, target: int, there: set[tuple[str, str]]) -> bool:
    keys = pages["key"].iloc[source], pages["key"].iloc[target]
    return keys[0] != keys[1] and keys not in there


def _by_date(table: pd.DataFrame) -> pd.DataFrame:
    of_pages = table[table["page"] != ""]
    rows = of_pages if len(of_pages) else table[table["query"] != ""]
    rows = rows[rows["cited_on"] != ""] if rows["cited_on"].any() else rows
    groups = rows.groupby("cited_on")["citations"]
    return groups.agg(citations="sum", cited_pages="size").reset_index()


def _paths(urls: pd.Series) -> pd.Series:
    return urls.str.replace(r"^[a-z]+://[^/]*", "", regex=True).str.partition("?")[0].str.rstrip("/").replace("", "/")


def _site(urls: Sequence[str] | pd.Series) -> str:
    counts = registrable_domains(pd.Series(urls)).value_counts()
    return str(counts.index[0]) if len(counts) else ""


def dead_addresses(bots: pd.DataFrame, pages: pd.DataFrame, encoder: Encoder) -> pd.DataFrame:
    """Return what bots ask for and do not get, with the page to redirect each to, "" where none is like it."""
    dead = bots[bots["answer_status"] >= 400].groupby("page_path")["visits"].sum().reset_index()
    dead = dead.sort_values(["visits"], ascending=False, ignore_index=True)
    living = pages[pages["in_crawl"]]
    if dead.empty or living.empty:
        return dead.assign(redirect_to="")
    index = index_pages(living.assign(h1="", meta_description=""), encoder)
    words = [url_words(f"https://site.example{path}") for path in dead["page_path"]]
    cosines = [index.similarity(vector) for vector in encoder.encode(words)]
    best = [living["url"].iloc[int(row.argmax())] if row.max() >= LIKE else "" for row in cosines]
    return dead.assign(redirect_to=best)
