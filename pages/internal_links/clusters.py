"""What is the site about: which pages belong together, and which page is the hub of each subject?"""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.clusters import charts
from backlink_audit.clusters.result import GROUPS, LINKING, MISSING, ON_MAP, PAGES, Clusters, tables, with_figures
from backlink_audit.clusters.run import find_clusters, rename_cluster, split_cluster, usual_range
from backlink_audit.embedding import models
from backlink_audit.embedding.models import model_for
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import figures
from backlink_audit.progress import Progress
from backlink_audit.settings import ClusterSettings, asked
from backlink_audit.ui import inputs, jobs, menu, session, show, upload_state, uploads
from backlink_audit.ui.session import Key

REFERRING = "referring "  # Before the numbers of referring pages, which are those of the site's pages too
GIVEN, CHOSEN = "given", "chosen"
MOST_CLUSTERS = 200  # Clusters that can be asked for on the page; the terminal takes more
MOST_TRIED = 200  # The upper end of the range that can be tried on the page
NAME_WORDS = (1, 2, 3, 4)
MOST_PARTS = 20  # Parts that a cluster can be split into on the page


def asked_settings(pages: Export, key: str = "clusters") -> ClusterSettings:
    """Show everything the clusters can be tuned by, and return it as settings."""
    defaults = ClusterSettings()
    with st.grid(min_column_width=260):
        model = inputs.model(f"{key}:model")
        text = inputs.page_text(key)
        columns = inputs.columns(pages, key)
        brands = inputs.brands(pages, key)
    k, k_range = _number(pages, key)
    name_words = int(
        st.segmented_control(
            asked(ClusterSettings, "name_words").label,
            NAME_WORDS,
            default=defaults.name_words,
            required=True,
            key=f"{key}:name_words",
            persist_state="session",
            help=asked(ClusterSettings, "name_words").help,
        )
    )
    return ClusterSettings(
        model=model,
        text=text,
        columns=columns,
        k=k,
        k_range=k_range,
        name_words=name_words,
        across_languages=inputs.setting(ClusterSettings, "across_languages", f"{key}:across_languages"),
        brands=brands,
        filters=inputs.page_filters(f"{key}:filters"),
    )


def run(pages: Export, settings: ClusterSettings, place: DeltaGenerator) -> Clusters | None:
    """Show where the embeddings come from, the button and the progress; return the last result, or None."""
    others = upload_state.sources("clusters")
    try:
        with place:
            given = inputs.given_vectors(pages, "clusters")
    except AuditError as problem:
        show.problem(problem)
        return None

    def work(progress: Progress) -> Clusters:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return find_clusters(pages, settings, encoder, sources=others, vectors=given, on_progress=progress)

    key = (pages.fingerprint, others.key, given.fingerprint if given else None, settings)
    return jobs.run(key, menu.CLUSTERS.button, work, again_in=place)


def say_what_was_cut(result: Clusters) -> None:
    """Say what was cut from titles, and everything the reader should know."""
    if result.texts.brands:
        st.caption(f"Text removed from the titles: {show.plain(', '.join(result.texts.brands))}.")
    for note in result.notes:
        st.info(show.plain(note))


def pages_on_the_map(result: Clusters) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the site's pages and the referring pages that are drawn, with their places; no two have the same label."""
    pages, referring = result.pages.join(result.topic_map.pages, how="inner"), result.topic_map.referring
    return pages, referring.set_axis(REFERRING + referring.index.astype("str"))


def with_edits(found: Clusters) -> Clusters:
    """Return the clusters as their reader renamed and split them; those found where nothing was changed."""
    known: tuple[Clusters, Clusters] | None = session.kept(Key.CLUSTER_EDITS, lambda: None)
    return known[1] if known and known[0] is found else found


def with_earnings(result: Clusters) -> Clusters:
    """Return the clusters with what their pages earn, where such a file is loaded."""
    earned = upload_state.get("performance")
    if earned is None:
        return result
    return session.made_of(Key.CLUSTERS_EARNED, (result, earned), lambda: with_figures(result, earned))


def edit(found: Clusters, result: Clusters) -> None:
    """Show how a cluster is renamed or split. `found`: the run's result, `result`: with what was changed since."""
    with st.expander("Rename or split a cluster"):
        names = result.groups["cluster"]
        with st.container(horizontal=True, vertical_alignment="bottom"):
            number = st.selectbox("Cluster", names.index, format_func=names.__getitem__, key="clusters:edited")
            name = st.text_input("New name", names[number], key=f"clusters:name:{number}:{names[number]}")
            rename = st.button("Rename", key="clusters:rename")
            parts = st.number_input("Split into", 2, MOST_PARTS, 2, key="clusters:parts", width=140)
            split = st.button("Split", key="clusters:split")
        try:
            if rename:
                _keep_edit(found, rename_cluster(result, number, name))
            if split:
                with st.spinner("Splitting the cluster"):
                    encoder = models.load_encoder(result.settings.model)
                    fitting = encoder if encoder.name == result.model else None
                    _keep_edit(found, split_cluster(result, number, int(parts), fitting))
        except AuditError as problem:
            st.error(show.plain(str(problem)))
        if result is not found and st.button("Undo all changes", key="clusters:undo"):
            _keep_edit(found, found)
        st.caption("New names and splits apply to tables, charts and downloads until you close or reload the app.")


def _keep_edit(found: Clusters, changed: Clusters) -> None:
    session.keep(Key.CLUSTER_EDITS, (found, changed))
    st.rerun()


def missing_links(result: Clusters) -> None:
    """Show the links missing inside the clusters, or say which file they need."""
    if result.missing_links is None:
        st.info("To find missing links, load the “All inlinks” export of the same crawl.")
        if upload_state.get("inlinks") is None:
            uploads.upload("inlinks", key="clusters")
        return
    show.table(MISSING, result)


def _number(pages: Export, key: str) -> tuple[int | None, tuple[int, int] | None]:
    """Show how many clusters there are to be: a number, or the range that is tried; None: what the site suggests."""
    words = {CHOSEN: "Automatic (best silhouette score)", GIVEN: "Number"}
    usual = usual_range(pages)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        way = inputs.one_of("Number of clusters", (CHOSEN, GIVEN), f"{key}:way", words)
        if way == GIVEN:
            first = (usual[0] + usual[1]) // 2
            k = st.number_input("Clusters", 1, MOST_CLUSTERS, first, key=f"{key}:k", persist_state="session", width=160)
            return int(k or 1), None
        low, high = st.slider(
            "Minimum and maximum",
            2,
            MOST_TRIED,
            usual,
            key=f"{key}:range:{usual}",
            persist_state="session",
            help=(
                "The default range is around the square root of the number of pages. The app uses the number that "
                "separates the pages best."
            ),
        )
    return None, None if (low, high) == usual else (low, high)


st.title(menu.CLUSTERS.title)
place = inputs.place("clusters", "pages", words=[inputs.model_named("clusters:model")], label=menu.CLUSTERS.button)
with place:
    pages = inputs.file("pages")
    inputs.other_files("clusters")
    with st.expander("Settings"):
        settings = asked_settings(pages)
settings = replace(settings, model=model_for(settings.model, pages))
inputs.offer_multilingual(settings.model, [pages], "clusters:model")
found = run(pages, settings, place)
if found is None:
    st.stop()
edited = with_edits(found)
result = with_earnings(edited)

show.headline(result.headline)
sizes = result.groups["size"].tolist()
counted = {"pages": len(result.pages), "clusters": result.k, "largest": sizes[0], "smallest": sizes[-1]}
show.figures(figures("clusters", counted | {"mean_similarity": result.mean_similarity}))
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
say_what_was_cut(result)

names = ["Topic map", "Clusters", "Tree map", "Missing links", "Pages", "Download"]
topic_map, groups, tree, links, table, download = st.tabs(names, on_change="rerun", key="clusters:tabs")
if topic_map.open:
    with topic_map:
        drawn, referring = pages_on_the_map(result)
        selection = show.chart(charts.topic_map(drawn, result.groups, referring), "topic-map", select=True)
        linking = selection.rows(referring, "x", "y")
        if selection and len(linking):
            show.table(LINKING, result, rows=linking)
        chosen = selection.rows(drawn, "x", "y")
        if len(chosen):
            show.table(ON_MAP, result, rows=chosen)
if groups.open:
    with groups:
        if result.worth:
            show.chart(charts.earned(result.groups, *result.worth), "earned")
        edit(found, edited)
        show.table(GROUPS, result)
if tree.open:
    with tree:
        show.chart(charts.tree_map(result.pages, result.groups), "tree-map")
if links.open:
    with links:
        missing_links(result)
if table.open:
    with table:
        show.table(PAGES, result)
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the pages with their clusters.")
        show.downloads(tables(result), "clusters")
