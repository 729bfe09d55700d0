"""The audit's charts behind the answer: one view at a time, and the table of what is selected in it."""

import streamlit as st

from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.report.charts import audit as charts
from backlink_audit.report.charts import distributions
from backlink_audit.ui.pages import audit, choices
from backlink_audit.ui.tables import columns, show

REDIRECTED = (
    *("linked_url", "to_do", "links", "domains", "cas", "target_url", "redirects", "redirect_chain"),
    *("followed_domains", "redirect_status", "example_url"),
)
VIEWS = ("Strength", "Topics", "Scores", "Ranking", "Flow", "Redirects")


def show_view(result: Audit) -> None:
    """Show the choice of views, and the chosen one."""
    view = choices.one_of("View", VIEWS, "explore:view")
    views = (_strength, _topics, _scores, _ranking, _flow, _redirects)
    dict(zip(VIEWS, views, strict=True))[view](result)


def _strength(result: Audit) -> None:
    """Which links are both similar and strong, and the links that are selected of them."""
    words, authorities = result.authority_labels, columns.spread(result.links, ("domain_rating", "url_rating"))
    by = choices.one_of("Authority", authorities, "explore:by", words) if authorities else "domain_rating"
    left = audit.filtered(audit.in_order(result, "at_stake"), "explore")
    selection = show.chart(charts.scatter(left, by, words[by]), "scatter", select=True)
    audit.table(selection.rows(left, "similarity", by), "chosen", result, stem="chosen")


def _topics(result: Audit) -> None:
    show.chart_of(result.links, charts.topics, "topics")


def _scores(result: Audit) -> None:
    """How similarity, relevance and CAS are spread, and their means."""
    label = result.authority_label
    show.figures(
        [
            (
                "Mean similarity",
                result.mean_similarity,
                "How similar the referring page and the target page are: cosine of their embeddings, -1 to 1. The "
                "mean of the links shown that have one.",
            ),
            ("Median similarity", result.median_similarity, "Half of the links shown have a higher similarity."),
            (
                "Mean CAS",
                result.mean_cas,
                f"CAS (Contextual Authority Score) = {label} / external links x similarity. The mean of the links "
                "shown that have one.",
            ),
        ]
    )
    show.counts("Without a CAS", result.blank_cas)
    with st.grid(2, min_column_width=330, gap="medium"):
        show.chart_of(result.links, distributions.relevance_histogram, "relevance")
        show.chart_of(result.links, distributions.similarity_histogram, "similarity")
        show.chart_of(result.links, distributions.cas_histogram, "cas")


def _ranking(result: Audit) -> None:
    """The best or lowest links by a score, as bars."""
    order, number = choices.ranking("ranking", result.authority_labels)
    by = order.removeprefix("lowest ")
    shown = result.links.loc[result.ordered(order)[:number]]
    word = result.authority_labels.get(by, "")
    show.chart(charts.ranking(shown, by, result.backlinks, best=order == by, label=word), "ranking-chart")


def _flow(result: Audit) -> None:
    show.chart(charts.flow(result.links, *choices.flow("flow")), "flow-chart")


def _redirects(result: Audit) -> None:
    show.note(result.redirects_sentence)
    show.table(result.redirected, "redirected", columns=REDIRECTED, noun="old URL", stem="redirected-links")
