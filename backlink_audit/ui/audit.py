"""The audit of the loaded backlinks: started on its page, used by every other."""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit import glossary
from backlink_audit.audit import charts
from backlink_audit.audit.result import Audit, Order
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import CHOSEN, DOMAINS, LINKS, REDIRECTED
from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.scales import cas_formula
from backlink_audit.progress import Progress
from backlink_audit.report import charts as report_charts
from backlink_audit.report.client import ON_TOP, figure
from backlink_audit.report.rows import Sheet
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.sources import Sources
from backlink_audit.ui import column_looks, inputs, jobs, menu, session, show, upload_state, worktable
from backlink_audit.ui.session import Key

TABS = "audit:tabs"  # The key of the tabs
MODEL = "audit:model"  # The key of the widget in which the model is chosen
VIEWS = ("Strength", "Topics", "Scores", "Redirects")


def is_shown() -> bool:
    return jobs.is_shown(menu.AUDIT.button)


def ask() -> None:
    session.keep(Key.AUDIT_ASKED, True)


def inputs_place() -> DeltaGenerator:
    """Return where the files and settings are: behind one line that names them; without a file, on the page."""
    links = [inputs.links_named()] if is_shown() else []
    return inputs.place("audit", "backlinks", words=[inputs.model_named(MODEL, AuditSettings().model), *links])


def run(
    backlinks: Export, settings: AuditSettings, others: Sources, place: DeltaGenerator | None = None
) -> Audit | None:
    """Show the audit's button and progress; return its last result (marked if it is not of these inputs), or None."""

    def work(progress: Progress) -> Audit:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return audit_backlinks(backlinks, settings, encoder, others, progress)

    key = (backlinks.fingerprint, others.key, settings)
    at_once = session.kept(Key.AUDIT_ASKED, bool) or None
    session.remove(Key.AUDIT_ASKED)
    return jobs.run(key, menu.AUDIT.button, work, at_once=at_once, again_in=place)


def last() -> Audit | None:
    """Return the last audit if it is of the backlinks that are loaded now, else None."""
    audit, backlinks = jobs.last(menu.AUDIT.button), upload_state.get("backlinks")
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


def figures(audit: Audit) -> list[show.Figure]:
    """Return the figures above a result: what a consultant asks of a profile first."""
    known = audit.figures | {"lost": audit.lost, "authority_name": audit.site_word}
    return [figure(name, known) for name in ON_TOP]


def links(audit: Audit) -> None:
    """Show all links that are chosen, in an order to choose, with search and filters."""

    def ordered(rows: pd.Index) -> pd.Index:
        order = inputs.order("links", audit.authority_labels)
        return rows if order == "at_stake" else audit.ordered(order).intersection(rows, sort=False)

    table(LINKS, audit, in_order(audit, "at_stake"), ordered=ordered)


def domains(audit: Audit) -> None:
    show.table(DOMAINS, audit)


def open_links(verdict: str) -> None:
    """Open the list of all chosen links with this verdict, whatever was searched there before."""
    session.fill_in("links:search", "")
    for name in LINKS.filters:
        session.fill_in(f"links:{name}", [verdict] if name == "verdict" else [])
    session.fill_in(TABS, "Links")


def in_order(audit: Audit, order: Order) -> pd.DataFrame:
    """Return the chosen links in an order, with what a table of them can show: all columns would take a second."""
    wanted = [
        name
        for name in column_looks.sources([*LINKS.first, *LINKS.columns, *LINKS.filters])
        if name in audit.links.columns
    ]
    return audit.links[wanted].assign(at_stake=audit.stakes).loc[audit.ordered(order)]


def filtered(links: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show the search and the filters of links, and return the links they leave."""
    return show.filtered(
        links, key, columns=column_looks.sources([*LINKS.first, *LINKS.columns]), filters=LINKS.filters
    )


def table(sheet: Sheet, audit: Audit, links: pd.DataFrame, *, ordered: worktable.Ordered | None = None) -> None:
    """Show links of an audit as a table; the selected one is shown in full, as it is in the user's file too."""
    labels, in_file = audit.authority_labels, audit.cleaned.export.raw
    # Semrush's lists of links rate pages alone.
    rating = next(iter(column_looks.filled(audit.scored, ("domain_rating", "url_rating"))), "")
    first = tuple(dict.fromkeys(rating if name == "domain_rating" else name for name in sheet.first))

    def in_full(row: pd.Series) -> None:
        known = show.same_row(audit.scored, row)
        link = pd.concat([known, row[row.index.difference(known.index)]])
        show.one_row(link, show.LINK, labels=labels, in_file=show.same_row(in_file, row))

    meaning = worktable.links(audit) if sheet.search else None
    show.table(replace(sheet, first=first), audit, rows=links, detail=in_full, ordered=ordered, meaning=meaning)


def show_view(result: Audit) -> None:
    """Show the choice of views, and the chosen one."""
    view = inputs.one_of("View", VIEWS, "explore:view")
    views = (_strength, _topics, _scores, _redirects)
    dict(zip(VIEWS, views, strict=True))[view](result)


def _strength(result: Audit) -> None:
    words, authorities = result.authority_labels, column_looks.spread(result.links, ("domain_rating", "url_rating"))
    by = inputs.one_of("Authority", authorities, "explore:by", words) if authorities else "domain_rating"
    left = filtered(in_order(result, "at_stake"), "explore")
    selection = show.chart(charts.scatter(left, by, words[by]), "scatter", select=True)
    table(CHOSEN, result, selection.rows(left, "similarity", by))


def _topics(result: Audit) -> None:
    show.chart_of(result.links, charts.topics, "topics")


def _scores(result: Audit) -> None:
    known = {name: getattr(result, name) for name in ("mean_similarity", "median_similarity", "mean_cas")}
    show.figures(glossary.figures("scores", known, formula=cas_formula(result.settings, result.authority_label)))
    show.counts("Without a CAS", result.blank_cas)
    with st.grid(2, min_column_width=330, gap="medium"):
        show.chart_of(result.links, report_charts.relevance_histogram, "relevance")
        show.chart_of(result.links, report_charts.similarity_histogram, "similarity")
        show.chart_of(result.links, report_charts.cas_histogram, "cas")


def _redirects(result: Audit) -> None:
    show.note(result.redirects_sentence)
    show.table(REDIRECTED, result)
