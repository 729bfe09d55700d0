"""The audit of the loaded backlinks: started on its page, used by every other."""

from dataclasses import replace

import pandas as pd

from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.progress import Progress
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.ui import columns, detail, instant, jobs, loaded, session, show
from backlink_audit.ui.session import Key

LABEL = "Run the audit"
FILTERS = ("verdict", "band", "page_kind", "topic_field", "link_state")
COLUMNS = ("verdict", "referring_page", "anchor", "target_url", "domain_rating", "url_rating", "relevance", "why")
"""What a table of links shows at first: the story of a row, from left to right."""
MORE = (
    *("similarity", "cas", "cas_percentile", "page_kind", "topic_field", "topic", "anchor_fit", "names_site"),
    *("external_links", "followed", "link_state", "placement", "http_status", "language", "first_seen", "last_seen"),
    *("link_type", "target_status", "page_traffic", "domain_traffic", "toxic_score", "author"),
    *("over_redirect", "linked_url", "redirects", "redirect_status", "redirect_chain"),
    *("referring_domain", "referring_title", "referring_url"),
)
"""Columns that can be added."""


def run(backlinks: Export, settings: AuditSettings, pages: Export | None) -> Audit | None:
    """Show the audit's button and progress; return its last result (marked if it is not of these inputs), or None."""

    def work(progress: Progress, model: str = settings.model) -> Audit:
        encoder = models.load_encoder(model, on_progress=progress)
        return audit_backlinks(backlinks, replace(settings, model=model), encoder, pages, on_progress=progress)

    key = (backlinks.fingerprint, pages.fingerprint if pages else None, settings)
    preview = instant.preview_of(LABEL, settings.model, [backlinks], work)
    return jobs.run(key, LABEL, work, at_once=loaded.starts_by_itself(LABEL), preview=preview)


def last() -> Audit | None:
    """Return the last audit if it is of the backlinks that are loaded now, else None."""
    audit, backlinks = jobs.last(LABEL), loaded.get("backlinks")
    if audit is None or backlinks is None or audit.cleaned.export.fingerprint != backlinks.fingerprint:
        return None
    return audit


def chosen(whole: Audit, choice: LinkChoice) -> Audit:
    """Return the audit with figures of these links; the last choice is kept, and so is what is computed of it."""
    made: dict[LinkChoice, Audit] = session.made_of(Key.CHOSEN_LINKS, (whole,), dict)
    if choice not in made:
        made.clear()
        made[choice] = whole.chosen(choice)
    return made[choice]


def strongest_first(links: pd.DataFrame) -> pd.DataFrame:
    """Return the table's columns, the links with the highest CAS first and those without one last."""
    wanted = columns.sources([*COLUMNS, *MORE, *FILTERS])
    strongest = (-links["cas"]).to_numpy().argsort(kind="stable")
    return links[[name for name in wanted if name in links.columns]].take(strongest)


def filtered(links: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show the search and the filters of links, and return the links they leave."""
    return show.filtered(links, key, columns=columns.sources([*COLUMNS, *MORE]), filters=FILTERS)


def table(links: pd.DataFrame, key: str, audit: Audit, stem: str, *, with_filters: bool = False) -> None:
    """Show links of an audit as a table; the selected one is shown in full, as it is in the user's file too."""
    labels, in_file = audit.authority_labels, audit.cleaned.export.raw

    def in_full(row: pd.Series) -> None:
        link = detail.same_row(audit.scored, row)
        detail.show(link, detail.LINK, labels=labels, in_file=detail.same_row(in_file, row))

    show.table(
        links,
        key,
        columns=COLUMNS,
        more=MORE,
        filters=FILTERS if with_filters else (),
        search=with_filters,
        noun="link",
        stem=stem,
        labels=labels,
        detail=in_full,
    )
