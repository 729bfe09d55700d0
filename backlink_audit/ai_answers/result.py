"""Citations in AI answers: a result that answers for itself, and its tables for the reader."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.wording import Figure, by_number, count, percent

WHAT_THEY_ARE = (
    "Citations are counted by Bing Webmaster Tools: answers of Microsoft Copilot, Bing and partners. Other engines do "
    "not report theirs."
)
WELL_LINKED, HARDLY_LINKED = 2 / 3, 1 / 3
"""Share of the site's pages with a lower link score, from which a page is well linked, and below which hardly."""


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
        return [
            ("Citations", self.total, WHAT_THEY_ARE),
            ("Cited pages", int((self.pages["citations"] > 0).sum()), "Pages with citations at the latest date."),
            ("Cited, hardly linked", len(self.hardly_linked) if known else None, "load all inlinks to see this"),
            ("Visited, never cited", len(self.never_cited) if known else None, "load all inlinks to see this"),
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
