"""The authority of a site's pages, as a result that answers for itself."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit.authority.what_if import WhatIf
from backlink_audit.labels import AUTHORITY_VERDICTS, BROKEN_PAGE, ORPHAN, UNDERLINKED
from backlink_audit.settings import AuthoritySettings
from backlink_audit.site.links import SiteLinks
from backlink_audit.wording import by_number, count, part_of, percent, reasons

TOP = 0.1  # the strongest tenth of the pages, whose part of all authority is in the headline


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
    def dead_end_share(self) -> float:
        return float(self.pages.loc[self.pages["links_out"] == 0, "pagerank"].sum())

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
