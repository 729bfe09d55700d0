"""The authority of a site's pages: a result that answers for itself, its tables, and what added links would change."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.glossary import TERMS
from backlink_audit.labels import AUTHORITY_VERDICTS, BROKEN_PAGE, ORPHAN, UNDERLINKED
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.settings import AuthoritySettings
from backlink_audit.site.links import SiteLinks
from backlink_audit.wording import by_number, count, part_of, percent, reasons

MOVED = 0.001
"""A page gains or loses if its share changes by more than a thousandth of it: less is the price of any new link."""
TOP = 0.1  # the strongest tenth of the pages, whose part of all authority is in the headline
PAGES = sheet("authority.pages", lambda result: result.pages)
WHAT_IF = sheet("authority.what_if", lambda result: result.what_if and result.what_if.pages)
SOURCES = sheet("authority.sources", lambda result: result.sources)


@dataclass(frozen=True, eq=False)
class Added:
    """Links to try out. `source`, `target`: rows of the pages, each pair once, with no link in content as yet.

    `pairs`: how many were given; `unknown`: those with a URL that is no page of the site; `existing`: those linked
    already; `repeated`: those given before, or from a page to itself; `beyond`: those after the best few of their
    source page.
    """

    source: np.ndarray
    target: np.ndarray
    pairs: int
    unknown: int
    existing: int
    repeated: int
    beyond: int = 0

    @property
    def sentence(self) -> str:
        """What is added and what is not."""
        left_out = {
            "with a URL that is not in the file of links": self.unknown,
            "already linked in the content": self.existing,
            "listed twice or from a page to itself": self.repeated,
            "after the best few of their page": self.beyond,
        }
        why = "; ".join(f"{number:,} {what}" for what, number in left_out.items() if number)
        added = len(self.source)
        if not added:
            return f"These links change nothing: of {count(self.pairs, 'link')}, {why}."
        sentence = f"{part_of(added, self.pairs, 'link')} {by_number(added, 'is', 'are')} added"
        return f"{sentence} (not used: {why})." if why else f"{sentence}."


@dataclass(frozen=True, eq=False)
class WhatIf:
    """What was added, and what it changes.

    `pages` has one row per page, most gained first: url, pagerank, share_after, share_change (0.1: a tenth
    more than before).
    """

    added: Added
    pages: pd.DataFrame

    @property
    def gains(self) -> pd.DataFrame:
        return self.pages[self.pages["share_change"] > MOVED]

    @property
    def losses(self) -> pd.DataFrame:
        return self.pages[self.pages["share_change"] < -MOVED].iloc[::-1]

    @property
    def sentence(self) -> str:
        """What comes of it."""
        if not len(self.added.source):
            return self.added.sentence
        gain, lose = len(self.gains), len(self.losses)
        return (
            f"{self.added.sentence} {count(gain, 'page')} {by_number(gain, 'gains', 'gain')} authority, "
            f"{lose:,} {by_number(lose, 'loses', 'lose')} authority."
        )


def read_added(pairs: pd.DataFrame, links: SiteLinks, per_page: int) -> Added:
    """Return which of the pairs (columns source_url, target_url) are new links between pages of the site.

    With a column rank, only the `per_page` best of each source page: nobody adds all that was suggested.
    """
    if "rank" in pairs and pairs["rank"].notna().any():
        best = pairs.sort_values("rank", kind="stable").groupby("source_url", sort=False).head(per_page)
        added = read_added(best[["source_url", "target_url"]], links, per_page)
        return replace(added, pairs=len(pairs), beyond=len(pairs) - len(best))
    source, target = links.find(pairs["source_url"]), links.find(pairs["target_url"])
    unknown = (source < 0) | (target < 0)
    place = source * len(links.pages) + target
    known = links.links[links.links["followed"] & links.links["in_content"]]
    existing = np.isin(place, known["source"].to_numpy() * len(links.pages) + known["target"].to_numpy()) & ~unknown
    repeated = (pd.Series(place).duplicated().to_numpy() | (source == target)) & ~unknown & ~existing
    new = ~(unknown | existing | repeated)
    return Added(source[new], target[new], len(pairs), int(unknown.sum()), int(existing.sum()), int(repeated.sum()))


def with_added(weights: sp.csr_matrix, added: Added) -> sp.csr_matrix:
    """Return the weights with the new links, which are in the content."""
    new = sp.csr_matrix((np.ones(len(added.source)), (added.source, added.target)), shape=weights.shape)
    return weights.maximum(new).tocsr()


def compare(pages: pd.DataFrame) -> pd.DataFrame:
    """Return the pages (columns url, pagerank, share_after) with share_change, most gained first."""
    change = pages["share_after"] / pages["pagerank"] - 1
    return pages.assign(share_change=change).sort_values(
        "share_change", ascending=False, kind="stable", ignore_index=True
    )


@dataclass(frozen=True, eq=False)
class SiteAuthority:
    """How much authority reaches each page.

    `pages` has one row per page, strongest first: url, title ("" where unknown), link_score (0-100), pagerank (all
    add up to 1), from_outside (share of the CAS of live followed backlinks, all add up to 1; NaN without), inside
    (the share by the site's links alone), links_in, links_out (other pages, by followed links), status, verdict
    (`labels.AUTHORITY_VERDICTS`), why, deserving (bool: underlinked, or wanted and not among the strongest); and
    share_after, score_after where links are tried out (`what_if`). `sources`: the pages worth linking from for each
    that is deserving, by what the link would pass: target_url, source_url, source_title, anchor, sentence,
    page_relevance (0-100), passes (share of all authority); None where there is none, or no crawl.
    """

    graph: SiteLinks
    settings: AuthoritySettings
    pages: pd.DataFrame
    what_if: WhatIf | None = None
    sources: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        top = max(1, round(TOP * len(self.pages)))
        sentence = (
            f"The strongest {count(top, 'page')} of {len(self.pages):,} {by_number(top, 'has', 'have')} "
            f"{percent(self.pages['pagerank'].head(top).sum())} of the site's authority"
        )
        wanting = {
            "underlinked (strong backlinks, few internal links)": self.verdict_counts[UNDERLINKED.word],
            "broken but linked to": self.verdict_counts[BROKEN_PAGE.word],
            "orphaned": self.verdict_counts[ORPHAN.word],
        }
        parts = [f"{number:,} {by_number(number, 'is', 'are')} {what}" for what, number in wanting.items() if number]
        return f"{sentence}; {', '.join(parts)}." if parts else f"{sentence}."

    @cached_property
    def verdict_counts(self) -> dict[str, int]:
        """How many pages have each verdict, those that none has included."""
        found = self.pages["verdict"].value_counts()
        return {label.word: int(found.get(label.word, 0)) for label in AUTHORITY_VERDICTS}

    @property
    def knows_outside(self) -> bool:
        return bool(self.pages["from_outside"].notna().any())

    @property
    def counted(self) -> str:
        """Which links counted, and what they weighed."""
        links = len(self.graph.links)
        left_out = sum(self.graph.left_out.values())
        rows = links + left_out
        sentence = f"{part_of(links, rows, 'row')} {by_number(links, 'is a link', 'are links')} between two pages"
        if self.graph.knows_positions:
            sentence += f"; links in the content have weight 1, other links {self.settings.outside_content:g}"
        return f"{sentence}; excluded: {left_out:,} ({reasons(self.graph.left_out)})." if left_out else f"{sentence}."


def tables(result: SiteAuthority) -> WholeTables:
    return tables_of(result, PAGES, (PAGES, WHAT_IF, SOURCES), lambda: summary(result))


def summary(result: SiteAuthority) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    graph = result.graph
    weight = result.settings.outside_content if graph.knows_positions else "1 (link positions are unknown)"
    return summary_table(
        [
            ("Run", "File", graph.name),
            ("Run", "Created", result.made_at),
            ("Settings", "Weight of links outside the content", weight),
            ("Rows", "Internal links", len(graph.links)),
            *(("Rows", f"Excluded: {reason}", rows) for reason, rows in graph.left_out.items()),
            ("Result", "In a sentence", result.headline),
            ("Result", "Pages", len(result.pages)),
            *(("Result", label.word, result.verdict_counts[label.word]) for label in AUTHORITY_VERDICTS),
            *([("Result", "What if", result.what_if.sentence)] if result.what_if else []),
            *rows_of_notes(result.notes),
            *(("Formulas", TERMS[name].label, TERMS[name].help) for name in ("link_score", "pagerank", "from_outside")),
        ]
    )
