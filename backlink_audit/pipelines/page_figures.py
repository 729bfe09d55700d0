"""Files of clicks and visits beside a table of pages: the figures joined to it, and how many found their page."""

from dataclasses import dataclass
from datetime import date

import pandas as pd

from backlink_audit.analysis.page_figures import (
    at_stake,
    clicks_by_month,
    common_host,
    figures_of,
    name_pages,
    page_figures,
    queries_of_pages,
)
from backlink_audit.exports.recognise import Export
from backlink_audit.schema import PERFORMANCE
from backlink_audit.text.urls.parts import normalise_urls
from backlink_audit.wording import by_number, count, part_of, percent

VISITS = ("views", "sessions", "users")
"""What GA4 counts; the first that a file has is used for all."""


@dataclass(frozen=True, eq=False)
class PageFigures:
    """What the pages of a site earn. `table`: one row per page (`analysis.page_figures.page_figures`)."""

    name: str
    table: pd.DataFrame
    left_out: int
    """Rows of the file that name no page."""
    by_month: pd.DataFrame
    """Clicks and impressions of each month (`analysis.page_figures.clicks_by_month`); empty where no file has dates."""
    days: tuple[date, date] | None
    """The first and the last day of the clicks by month."""

    @property
    def days_in_words(self) -> str:
        """Say which days the clicks by month cover: the first and the last month may be a part; "" without any."""
        return f"The clicks are from {self.days[0]} to {self.days[1]}." if self.days else ""

    @property
    def at_stake(self) -> str:
        """The figure that says best what a page is worth; "" where there is none."""
        return at_stake(self.table)

    def of(self, urls: pd.Series) -> pd.DataFrame:
        """Return the figures of these URLs, same index; only those that the files have."""
        return figures_of(urls, self.table)

    def found(self, urls: pd.Series) -> int:
        """Return how many of the pages with figures are among these URLs."""
        return int(self.table.index.isin(set(normalise_urls(urls))).sum())

    def note(self, urls: pd.Series, what: str) -> str:
        """Say how many of the pages with figures are among these URLs; `what` names those, as in "linked pages"."""
        found, pages = self.found(urls), len(self.table)
        if not found:
            known = f"{self.name} has {count(pages, 'page')}, but none of them matches the {what}."
            return f"{known} Is this the file of another site?"
        said = f"{self.name}: {part_of(found, pages, 'page')} ({percent(found / pages)})"
        aside = f" {count(self.left_out, 'row')} {by_number(self.left_out, 'matches', 'match')} no known page."
        return f"{said} {by_number(found, 'is', 'are')} among the {what}." + (aside if self.left_out else "")

    @property
    def own_note(self) -> str:
        """Say how many pages with visits (GA4) are among those with clicks (Search Console); "" without both."""
        visits = next((self.table[name] for name in VISITS if self.table[name].notna().any()), None)
        clicks = self.table["clicks"].notna()
        if visits is None or not clicks.any():
            return ""
        both = clicks & visits.notna()
        share = visits[both].sum() / visits.sum() if visits.sum() else 0.0
        return (
            f"{part_of(int(both.sum()), int(visits.notna().sum()), 'page')} with visits "
            f"{by_number(int(both.sum()), 'is', 'are')} among the {count(int(clicks.sum()), 'page')} "
            f"listed by Search Console; the pages in both lists have {percent(share)} of the "
            f"{PERFORMANCE.column(str(visits.name)).label.lower()}."
        )


def read_figures(performance: Export | None, urls: pd.Series) -> PageFigures | None:
    """Return the figures of a file of clicks or visits, None without one.

    `urls`: the site's pages, which give the host where the file has paths alone.
    """
    if performance is None:
        return None
    table = page_figures(performance.table, common_host(urls))
    dates = performance.by_date
    days = (dates["date"].min().date(), dates["until"].max().date()) if dates is not None and len(dates) else None
    left_out = int((~name_pages(performance.table["page"])).sum())
    return PageFigures(performance.name, table, left_out, clicks_by_month(dates), days)


def read_queries(performance: Export, urls: pd.Series) -> dict[str, dict[str, float]]:
    """Return by URL the queries that find each of these pages, and how often; empty where the file has no queries.

    See `analysis.page_figures.queries_of_pages`.
    """
    if not performance.has("query"):
        return {}
    found = queries_of_pages(performance.table, common_host(urls))
    return {url: found[key] for url, key in zip(urls, normalise_urls(urls), strict=True) if key in found}
