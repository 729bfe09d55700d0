"""Reclaim: an audit that keeps lost links -> links to win back, and where dead pages should be redirected to."""

from dataclasses import dataclass, field
from datetime import datetime

import pandas as pd

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.changes.result import Changes
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.nearest import closest
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.losses import dead_targets, gone, links_to_reclaim, redirect_map
from backlink_audit.judgement.scales import rating_labels
from backlink_audit.judgement.verdicts import verdict_facts, worth_winning_back
from backlink_audit.labels import IGNORE, LINK_LOST, RECLAIM, REVIEW
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.schema import MARKS_OF_LOSS, PERFORMANCE
from backlink_audit.settings import AuditSettings, PageFilters
from backlink_audit.site.pages import PageFigures, read_figures
from backlink_audit.site.vectors import encode_columns
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.link_texts import anchor_text, page_words, site_texts
from backlink_audit.text.urls import map_distinct
from backlink_audit.wording import by_number, count

NO_CRAWL = "To find dead target pages and the redirect map, load a crawl of your site with HTTP status codes."
NO_LIVING = "For the page that each dead page should redirect to, load a crawl of your site."
NO_STATUS = "{name} has no HTTP status codes, so dead target pages and the redirect map are not available."
NOT_MARKED = "{name} does not mark lost links (Lost, Lost status, Drop reason or Lost link). Load an older export too."

MAY_BE_LIVE = "{number} of the lost links may still exist, because their page could not be read."
LEFT_OUT = (
    "{links}, lost or with a dead target page, {are} not listed because of low value: verdict Ignore or Review, "
    "not followed, on a list or user-generated page, off-topic, or a copy of the same link."
)
LINKS = sheet("changes.reclaim", lambda reclaim: reclaim.links, lambda reclaim: reclaim.authority_labels)
REDIRECTS = sheet("changes.redirects", lambda reclaim: reclaim.redirects, lambda reclaim: {"target_url": "Dead page"})


@dataclass(frozen=True, eq=False)
class Reclaim:
    """What to win back.

    `links`: lost links and links to dead pages that are worth it (`reclaim.links_to_reclaim`); `left_out`: how
    many others there are. `redirects`: one row per dead target page with the living page to send its visitors to.
    `notes`: what could not be found, and why.
    """

    name: str
    links: pd.DataFrame
    redirects: pd.DataFrame
    left_out: int = 0
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def lost(self) -> int:
        return int(self.links["is_lost"].sum())

    @property
    def to_dead_pages(self) -> int:
        return len(self.links) - self.lost

    @property
    def cas(self) -> float:
        return float(self.links["cas"].sum())

    @property
    def authority_labels(self) -> dict[str, str]:
        return rating_labels(self.links["scale"])

    @property
    def headline(self) -> str:
        """The answer in one sentence, or two where some of the links may still be there."""
        if self.links.empty and self.left_out:
            return "No links are worth reclaiming."
        if self.links.empty:
            return "No links are lost, and no links to dead pages were found."
        pages = self.links.loc[~self.links["is_lost"], "target_key"].nunique()
        dead = f" and {count(self.to_dead_pages, 'link')} to {count(pages, 'dead page')}" if pages else ""
        sentence = f"{count(self.lost, 'lost link')}{dead} to reclaim, with a total CAS of {self.cas:,.1f}."
        unread = int(self.links["not_read"].sum())
        return f"{sentence} {MAY_BE_LIVE.format(number=f'{unread:,}')}" if unread else sentence


def find_reclaims(
    export: Export,
    settings: AuditSettings,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    changes: Changes | None = None,
    on_progress: Progress = silent,
) -> Reclaim:
    """Find the links to win back in an export, lost ones included.

    `sources`: a crawl of the site, whose status codes show the dead pages and whose living pages take their place; what
    its pages earn, which is added to the links and the dead pages. `changes`: those of the same export against an older
    one; links that only the older one has are lost too. Raises NoRowsLeft.
    """
    pages = sources.pages
    links = audit_backlinks(export, settings, encoder, sources, on_progress).links
    older = None if changes is None else changes.gone_links()
    if older is not None:
        links = pd.concat([links, _as_lost(older, settings)], ignore_index=True)
    dead = dead_targets(links)
    redirects = _redirects(dead, pages, encoder, on_progress)
    found, notes = links_to_reclaim(links), _notes(export, pages, older is not None)
    left_out = int(gone(links).sum()) - len(found)
    if left_out:
        are = by_number(left_out, "is", "are")
        notes = (LEFT_OUT.format(links=count(left_out, "link"), are=are), *notes)
    earned = read_figures(sources.performance, links["target_url"])
    if earned is not None:
        found, redirects = (
            found.join(earned.of(found["target_url"])),
            redirects.join(earned.of(redirects["target_url"])),
        )
        notes = (*notes, _visits_at_risk(earned, redirects, links["target_url"]))
    return Reclaim(export.name, found, redirects, left_out, notes)


def _as_lost(links: pd.DataFrame, settings: AuditSettings) -> pd.DataFrame:
    lost = links.assign(is_lost=True, link_state=LINK_LOST.word)
    worth = worth_winning_back(verdict_facts(lost, settings.verdicts)).to_numpy()
    refused = lost["verdict"].isin([REVIEW.word, IGNORE.word]) | ~lost["followed"]
    return lost.assign(verdict=lost["verdict"].mask(worth & ~refused, RECLAIM.word))


def _visits_at_risk(earned: PageFigures, dead: pd.DataFrame, targets: pd.Series) -> str:
    note = earned.note(targets, "linked pages")
    by = earned.at_stake
    lost = float(dead[by].sum()) if by else 0.0
    words = PERFORMANCE.column(by).label.lower() if by else ""
    return f"{note} The dead pages still have {lost:,.0f} {words}." if lost else note


def _redirects(dead: pd.DataFrame, pages: Export | None, encoder: Encoder, on_progress: Progress) -> pd.DataFrame:
    """Return the redirect map: a dead page is found by the words of its path and by its anchors."""
    if pages is None or dead.empty:
        return dead.assign(redirect_to=pd.Series("", index=dead.index, dtype="str"), similarity=float("nan"))
    living = clean_pages(pages, PageFilters()).table
    anchors, words = map_distinct(dead["anchors"], anchor_text), map_distinct(dead["target_url"], page_words)
    columns = [(words + " " + anchors).str.strip(), *site_texts(living["url"], living["title"], living["h1"])]
    gone, *site = encode_columns(encoder, columns, on_progress)
    place, similarity = closest(gone, site, on_progress)
    return redirect_map(dead, living["url"], place, similarity)


def _notes(export: Export, pages: Export | None, knows_older: bool) -> tuple[str, ...]:
    notes = []
    knows_dead = export.has("target_http_status")
    if not (knows_older or knows_dead or any(export.has(name) for name in MARKS_OF_LOSS)):
        notes.append(NOT_MARKED.format(name=export.name))
    if pages is None:
        notes.append(NO_LIVING if knows_dead else NO_CRAWL)
    elif not pages.has("http_status"):
        notes.append(NO_STATUS.format(name=pages.name))
    return tuple(notes)


def tables(reclaim: Reclaim) -> WholeTables:
    return tables_of(reclaim, LINKS, (LINKS, REDIRECTS), lambda: summary(reclaim))


def summary(reclaim: Reclaim) -> pd.DataFrame:
    """Return what was looked at and what came out, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Reclaim", "In a sentence", reclaim.headline),
            ("Reclaim", "File", reclaim.name),
            ("Reclaim", "Created", reclaim.made_at),
            ("Formulas", "CAS", TERMS["cas"].help),
            *rows_of_notes(reclaim.notes),
        ]
    )
