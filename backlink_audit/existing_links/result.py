"""The judged links of a site: a result that answers for itself, and its tables for the reader."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit.glossary import TERMS
from backlink_audit.labels import FAR_OFF, GOOD_LINK, INLINK_VERDICTS, MEND, REWORD
from backlink_audit.report.rows import Sheet, WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.settings import InlinkSettings
from backlink_audit.site.links import SiteLinks
from backlink_audit.wording import by_number, count, part_of

LINKS = sheet("existing.links", lambda result: result.links)
ANCHORS = sheet("existing.anchors", lambda result: result.anchors)
PAGES = sheet("existing.pages", lambda result: result.pages)


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


def _of_verdict(word: str) -> Sheet:
    return replace(LINKS, name=word, rows=lambda result: result.links[result.links["verdict"] == word])


def tables(result: InlinkAudit) -> WholeTables:
    """Return the tables of the audit: every judged link, and the workbook with those of each verdict to work on."""
    by_verdict = (_of_verdict(label.word) for label in INLINK_VERDICTS[:-1])
    return tables_of(result, LINKS, (LINKS, *by_verdict, ANCHORS, PAGES), lambda: summary(result))


def summary(result: InlinkAudit) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    settings, graph = result.settings, result.graph
    return summary_table(
        [
            ("Run", "File", graph.name),
            ("Run", "Created", result.made_at),
            ("Run", "Model", result.model),
            ("Settings", "Links checked", "in the content" if result.in_content else "anywhere on the page"),
            ("Settings", "Off-topic below", settings.off_topic_below),
            ("Settings", "Links with the same anchor, minimum", settings.same_anchor),
            ("Rows", "Internal links", len(graph.links)),
            *(("Rows", f"Excluded: {reason}", rows) for reason, rows in graph.left_out.items()),
            ("Result", "In a sentence", result.headline),
            ("Result", "Links checked", len(result.links)),
            *(("Result", label.word, result.verdict_counts[label.word]) for label in INLINK_VERDICTS),
            *rows_of_notes(result.notes),
            ("Formulas", TERMS["page_relevance"].label, TERMS["page_relevance"].help),
        ]
    )
