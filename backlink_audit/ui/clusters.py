"""The clusters of the loaded crawl: their settings, their run, and what their page says around them."""

import pandas as pd
import streamlit as st

from backlink_audit.embedding import models
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.clusters.result import Clusters
from backlink_audit.pipelines.clusters.run import find_clusters
from backlink_audit.progress import Progress
from backlink_audit.settings import ClusterSettings
from backlink_audit.ui import choices, crawl, inputs, jobs, loaded, show, uploads

LABEL = "Find the clusters"
REFERRING = "referring "
"""Before the numbers of referring pages, which are those of the site's pages too."""
GIVEN, CHOSEN = "given", "chosen"
MOST_CLUSTERS = 200
"""Clusters that can be asked for on the page; the terminal takes more."""


def settings(pages: Export, key: str = "clusters") -> ClusterSettings:
    """Show everything the clusters can be tuned by, and return it as settings."""
    defaults = ClusterSettings()
    with st.grid(min_column_width=260):
        model = inputs.model(f"{key}:model")
        text = crawl.page_text(key)
        columns = crawl.columns(pages, key)
        brands = crawl.brands(pages, key)
    k, k_range = _number(key, defaults)
    return ClusterSettings(
        model=model,
        text=text,
        columns=columns,
        k=k,
        k_range=k_range,
        brands=brands,
        filters=inputs.page_filters(f"{key}:filters"),
    )


def run(pages: Export, settings: ClusterSettings) -> Clusters | None:
    """Show where the embeddings come from, the button and the progress; return the last result, or None.

    A result is marked if it is not of these inputs.
    """
    inlinks, backlinks = loaded.get("inlinks"), loaded.get("backlinks")
    try:
        given = crawl.given_vectors(pages, "clusters")
    except AuditError as problem:
        st.error(str(problem))
        return None

    def work(progress: Progress) -> Clusters:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return find_clusters(
            pages, settings, encoder, inlinks=inlinks, backlinks=backlinks, vectors=given, on_progress=progress
        )

    others = tuple(other.fingerprint if other else None for other in (inlinks, backlinks, given))
    return jobs.run((pages.fingerprint, *others, settings), LABEL, work, at_once=loaded.starts_by_itself(LABEL))


def say_what_was_cut(result: Clusters) -> None:
    """Say what was cut from titles, and everything the reader should know."""
    if result.texts.brands:
        st.caption(f"Parts removed from the titles: {show.plain(', '.join(result.texts.brands))}.")
    for note in result.notes:
        st.info(note)


def pages_on_the_map(result: Clusters) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the site's pages and the referring pages that are drawn, with their places; no two have the same label."""
    pages, referring = result.pages.join(result.topic_map.pages, how="inner"), result.topic_map.referring
    return pages, referring.set_axis(REFERRING + referring.index.astype("str"))


def missing_links(result: Clusters, columns: tuple[str, ...]) -> None:
    """Show the links missing between pages and their hubs, or say which file tells."""
    if result.missing_links is None:
        st.info("Which links exist already is not known. Load the “All inlinks” export of the same crawl.")
        if loaded.get("inlinks") is None:
            uploads.upload("inlinks", key="clusters")
        return
    show.table(
        result.missing_links,
        "missing",
        columns=columns,
        filters=("cluster", "direction"),
        noun="missing link",
        stem="missing-hub-links",
    )


def _number(key: str, defaults: ClusterSettings) -> tuple[int | None, tuple[int, int]]:
    """Show how many clusters there are to be: a number, or the range that is tried."""
    words = {GIVEN: "A number", CHOSEN: "Chosen by silhouette"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        way = choices.one_of("How many clusters", (GIVEN, CHOSEN), f"{key}:way", words)
        if way == GIVEN:
            k = st.number_input(
                "Clusters", 1, MOST_CLUSTERS, defaults.k, key=f"{key}:k", persist_state="session", width=160
            )
            return int(k or 1), defaults.k_range
        low, high = st.slider(
            "From, to",
            2,
            100,
            defaults.k_range,
            key=f"{key}:range",
            persist_state="session",
            help="Every number in the range is tried, and the one that separates the pages best is taken.",
        )
    return None, (low, high)
