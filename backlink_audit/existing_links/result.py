"""The judged links of a site, as a result that answers for itself."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit.labels import FAR_OFF, GOOD_LINK, INLINK_VERDICTS, MEND, REWORD
from backlink_audit.settings import InlinkSettings
from backlink_audit.site.links import SiteLinks
from backlink_audit.wording import by_number, count, part_of


@dataclass(frozen=True, eq=False)
class InlinkAudit:
    """The links between the pages of a site, judged.

    `links` has one row per judged link, those that need work first: source_url, target_url (as the export names them),
    anchor, position, similarity (cosine; NaN: unknown), page_relevance (0-100; NaN: unknown), anchor_class, verdict
    (`labels.INLINK_VERDICTS`), why, source_title, target_title. `anchors` has one row per anchor that leads to
    several pages, those to be reworded first: anchor, targets, links, verdict, why, example_targets. `pages` has one
    row per page of the site: url, title, depth (clicks from the home page; NaN: it is not reached), links_in, links_out
    (other pages, by followed links), anchors (different ones that lead to it, among the judged links), top_anchors (the
    most frequent three).
    """

    graph: SiteLinks
    settings: InlinkSettings
    links: pd.DataFrame
    anchors: pd.DataFrame
    pages: pd.DataFrame
    model: str
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        if self.links.empty:
            return f"None of {count(len(self.graph.links), 'internal link')} is in the content."
        counts = self.verdict_counts
        work = len(self.links) - counts[GOOD_LINK.word]
        sentence = f"{part_of(work, len(self.links), 'link')}{' in the content' if self.in_content else ''}"
        shared = int((self.anchors["verdict"] == REWORD.word).sum())
        does = by_number(shared, "does", "do")
        vague = f" {count(shared, 'anchor')} {does} not show which of several pages is meant." if shared else ""
        return (
            f"{sentence} should be improved: {counts[MEND.word]:,} to mend, {counts[REWORD.word]:,} to reword, "
            f"{counts[FAR_OFF.word]:,} off-topic.{vague}"
        )

    @property
    def in_content(self) -> bool:
        return self.settings.content_only and self.graph.knows_positions

    @cached_property
    def verdict_counts(self) -> dict[str, int]:
        """How many links have each verdict, those that none has included."""
        found = self.links["verdict"].value_counts()
        return {label.word: int(found.get(label.word, 0)) for label in INLINK_VERDICTS}
