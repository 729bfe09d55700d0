"""The internal links of the loaded crawl: their settings, their run, the looks of their charts, and their downloads."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from backlink_audit.embedding import models
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.crawl.estimate import estimate_run
from backlink_audit.pipelines.interlinks.clusters import with_clusters
from backlink_audit.pipelines.interlinks.figures import with_figures
from backlink_audit.pipelines.interlinks.insertions import as_json, insertions
from backlink_audit.pipelines.interlinks.narrow import PathChoice, folders_of, narrowed
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.interlinks.run import find_internal_links
from backlink_audit.pipelines.interlinks.tables import tables
from backlink_audit.progress import Progress
from backlink_audit.report.charts.link_trees import TreeLook
from backlink_audit.report.csv import write_csv
from backlink_audit.report.matrix import MOST_PAGES, write_matrix
from backlink_audit.settings import ORDERS, InterlinkSettings, Order
from backlink_audit.ui import crawl, download, estimate, inputs, instant, jobs, loaded, session, show
from backlink_audit.ui.session import Key

LABEL = "Find the links"
PAIRS = (
    "source_title",
    "target_title",
    "anchor",
    "sentence",
    "similarity",
    "score",
    "rank",
    "existing",
    "reverse",
    "source_cluster",
    "target_cluster",
    "near_top",
    "target_position",
    "target_clicks",
    "target_views",
    "source_url",
    "target_url",
)
FILTERS = ("reverse", "source_cluster", "target_cluster")
ALIKE = ("source_title", "target_title", "similarity", "source_url", "target_url")
SOURCES = ("source_title", "anchor", "sentence", "similarity", "source_url")
TARGETS = ("target_title", "anchor", "sentence", "similarity", "target_url")
ORDER_NAMES = {
    "editorial": "Editorial: shared words, mentions, meaning",
    "learned": "Learned from the links the site has",
    "similarity": "Similarity alone",
}
SENTENCES = 5
"""Sentences to edit shown in full, on each side of the page picker."""
MATRIX_NEAREST = 50
"""Targets of each page in the matrix of a site too large for a whole one."""

LONELY = ("title", "cluster", "word_count", "inlinks", "nearest_title", "nearest", "url", "nearest_url")
"""The columns of orphans and isolated pages: what says whether to expand, merge or link one."""


def settings(pages: Export, key: str = "interlinks") -> InterlinkSettings:
    """Show everything the suggestions can be tuned by, and return it as settings."""
    defaults = InterlinkSettings()
    with st.grid(min_column_width=240):
        model = inputs.model(f"{key}:model")
        text = crawl.page_text(key)
        columns = crawl.columns(pages, key)
        order: Order = st.selectbox("Order", ORDERS, format_func=ORDER_NAMES.__getitem__, **inputs.kept(f"{key}:order"))
        per_page = st.number_input(
            "Targets for each page", 1, 1000, defaults.per_page, **inputs.kept(f"{key}:per_page")
        )
        per_target = st.number_input(
            "Sources for each target", 1, 100_000, None, placeholder="no limit", **inputs.kept(f"{key}:per_target")
        )
        minimum = st.slider(
            "Minimum similarity", -1.0, 1.0, defaults.min_similarity, 0.01, **inputs.kept(f"{key}:minimum")
        )
    chosen = InterlinkSettings(
        model=model,
        text=text,
        columns=columns,
        order=order,
        per_page=int(per_page),
        per_target=int(per_target) if per_target else None,
        min_similarity=minimum,
        content_links_only=st.toggle(
            "Only links in the content count as existing",
            defaults.content_links_only,
            help="Menus and footers link everything; a link in the text is still worth adding.",
            **inputs.kept(f"{key}:content_only"),
        ),
        brands=crawl.brands(pages, key),
    )
    return replace(_with_paths(chosen, key), filters=inputs.page_filters(f"{key}:filters"))


def run(pages: Export, settings: InterlinkSettings) -> Opportunities | None:
    """Show where the embeddings come from, the estimate, the button and the progress; return the last result."""
    inlinks = loaded.get("inlinks")
    try:
        given = crawl.given_vectors(pages, "interlinks")
    except AuditError as problem:
        show.problem(problem)
        return None

    def work(progress: Progress, model: str = settings.model) -> Opportunities:
        encoder = models.load_encoder(model, on_progress=progress)
        found = find_internal_links(pages, replace(settings, model=model), encoder, inlinks, given, progress)
        return with_clusters(found, encoder, progress)

    key = (pages.fingerprint, inlinks.fingerprint if inlinks else None, given.fingerprint if given else None, settings)
    costs = (
        pages.fingerprint,
        (settings.model, settings.text, settings.columns, settings.per_page, settings.filters),
        given is not None,
    )
    needed = estimate.needed(
        LABEL, key, lambda: estimate_run(pages, settings, embeddings_given=given is not None), costs
    )
    preview = instant.preview_of(LABEL, settings.model, needed, [pages], work)
    return jobs.run(key, LABEL, work, at_once=loaded.starts_by_itself(LABEL), needed=needed, preview=preview)


def with_earnings(result: Opportunities) -> Opportunities:
    """Return the result with what its targets earn where such a file is loaded; show in which order they come."""
    earned = loaded.get("performance")
    if earned is None:
        return result
    first = st.toggle(
        "Pages at positions 4 to 20 first",
        help="Of each page's targets, those at an average position of 4 to 20 come first.",
        **inputs.kept("interlinks:near_top"),
    )
    return session.made_of(
        Key.EARNED, (result, earned, first), lambda: with_figures(result, earned, near_top_first=first)
    )


def say_what_was_found(result: Opportunities) -> None:
    """Say what was cut from the titles, and everything the reader should know."""
    if result.texts.brands:
        st.caption(f"Parts removed from the titles: {show.plain(', '.join(result.texts.brands))}.")
    if result.set_aside:
        show.note(result.set_aside)
    for note in result.notes:
        st.info(show.plain(note))


def narrow(result: Opportunities) -> Opportunities:
    """Show what the found links can be narrowed by without a new run; return the result with those that fit."""
    folders = folders_of(result.pages["url"].tolist())
    with st.expander("Filter the links"):
        minimum = st.slider(
            "Lowest similarity shown",
            min(result.settings.min_similarity, 0.99),
            1.0,
            result.settings.min_similarity,
            0.01,
            key=f"interlinks:live_minimum:{result.settings.min_similarity:g}",
        )
        with st.grid(2, min_column_width=320):
            sources, targets = (_path_choice(end, folders) for end in ("Source", "Target"))
    try:
        return narrowed(result, minimum, sources, targets)
    except AuditError as problem:
        show.problem(problem)
        return result


def _path_choice(end: str, folders: list[str]) -> PathChoice:
    """Show which pages one end of a link may be; return the choice."""
    key = f"interlinks:live_{end.lower()}"
    with st.container():
        several = "Separate several texts with commas; one match is enough."
        contains = st.text_input(
            f"{end} path contains", key=f"{key}_contains", help=several, placeholder="/blog/, /news/"
        )
        excludes = st.text_input(
            f"{end} path does not contain", key=f"{key}_excludes", help="Separate several texts with commas."
        )
        pattern = st.text_input(f"{end} path matches a pattern", key=f"{key}_pattern", help="A regular expression.")
        groups = st.multiselect(f"{end} pages in", folders, key=f"{key}_folders", placeholder="all folders")
    held, not_held = (tuple(filter(None, map(str.strip, text.split(",")))) for text in (contains, excludes))
    return PathChoice(held, not_held, pattern.strip(), tuple(groups))


def chosen_links(result: Opportunities) -> pd.DataFrame:
    """Show whether only links with an anchor are listed; return those links, the strongest first."""
    with_anchor = st.toggle("Only links with a suggested anchor", key="interlinks:anchored")
    return result.placeable if with_anchor else result.strongest()


def tree_look(key: str) -> TreeLook:
    """Show what a tree shows and how; return it. Limits of the chart, never of a download."""
    look = TreeLook()
    with st.grid(min_column_width=170, gap="small"):
        return TreeLook(
            level_1=st.slider("Pages to link from", 1, 60, look.level_1, key=f"{key}:level_1"),
            level_2=st.slider("Targets of each", 1, 15, look.level_2, key=f"{key}:level_2"),
            node_size=st.slider("Node size", 3, 30, look.node_size, key=f"{key}:node"),
            font_size=st.slider("Font size", 7, 24, look.font_size, key=f"{key}:font"),
            height=st.slider("Height", 300, 2400, look.height, 20, key=f"{key}:height"),
        )


def pick_page(result: Opportunities) -> str:
    """Show a chooser of pages by title and URL; return the URL."""
    titles = dict(zip(result.pages["url"], result.pages["title"], strict=True))
    urls = result.pages["url"].tolist()
    promising = next(iter(result.placeable["source_url"]), urls[0])
    return str(
        st.selectbox(
            "Page",
            urls,
            index=urls.index(promising),
            format_func=lambda url: f"{titles[url]} ({url})",
            key="interlinks:page",
        )
    )


def sentences_to_edit(rows: pd.DataFrame, page: str) -> None:
    """Show the first sentences that a link can be put in, its words in bold; `page` is the column that names each."""
    shown = rows[rows["anchor"] != ""].head(SENTENCES)
    for name, anchor, sentence in zip(shown[page], shown["anchor"], shown["sentence"], strict=True):
        before, _, after = sentence.partition(anchor)
        with st.container(border=True, gap="xsmall"):
            st.caption(show.plain(name))
            st.markdown(f"{show.plain(before)}**{show.plain(anchor)}**{show.plain(after)}")


def pick_pages(result: Opportunities, key: str, default: int = 12) -> list[str]:
    """Show a chooser of several pages, those of the strongest links chosen at first; return their URLs."""
    titles = dict(zip(result.pages["url"], result.pages["title"], strict=True))
    strongest = result.strongest(default)
    first = list(dict.fromkeys([*strongest["source_url"], *strongest["target_url"]]))[:default]
    return st.multiselect("Pages", list(titles), first, format_func=titles.__getitem__, key=key)


def titles_of(result: Opportunities, urls: list[str]) -> list[str]:
    """Return the titles of these pages."""
    titles = dict(zip(result.pages["url"], result.pages["title"], strict=True))
    return [titles[url] for url in urls]


def set_aside(result: Opportunities) -> None:
    """Show the pairs that want no link, each kind in a list of its own, or say that there are none."""
    lists = {
        "Near duplicates": (result.near_duplicates, "alike", "These pages are nearly the same: consider merging them."),
        "Translations": (result.translations, "translations", "These pages are one page in two languages."),
        "Same template": (result.templates, "templates", "The titles of these pages differ by numbers alone."),
    }
    if not result.set_aside:
        st.info(f"Nothing was set aside: no two pages have a similarity of {result.settings.near_duplicate:g} or more.")
    for name, (pairs, key, reason) in lists.items():
        if len(pairs):
            st.markdown(f"**{show.plain(name)}**")
            st.caption(show.plain(reason))
            show.table(pairs, key, columns=ALIKE, noun="pair", stem=key)


def list_of_pages(pages: pd.DataFrame | None, key: str, noun: str) -> None:
    """Show a list of pages, or say why it cannot be known."""
    if pages is None:
        st.info("Not known: load the “All inlinks” export of the same crawl, and run again.")
        return
    st.caption(
        "Expand a page with few words, merge a page that is nearly the same as its nearest page, "
        "and link any other page from it."
    )
    show.table(pages, key, columns=LONELY, noun=noun, stem=key)


def downloads(result: Opportunities) -> None:
    """Offer the workbook, the pairs, the matrix and the embeddings, each built when asked for."""
    show.downloads(tables(result), "internal-links")
    whole = len(result.pages) <= MOST_PAGES
    with st.container(horizontal=True):
        download.button(
            "Similarity matrix (csv)" if whole else f"The {MATRIX_NEAREST} nearest pages of each (csv)",
            lambda: matrix(result),
            "similarity-matrix.csv",
            "text/csv",
            "interlinks:matrix",
        )
        download.button(
            "Embeddings (npz)",
            result.vectors.to_npz,
            "page-embeddings.npz",
            "application/octet-stream",
            "interlinks:npz",
        )
        download.button(
            "Sentences with their links (csv)",
            lambda: write_csv(insertions(result), for_spreadsheets=True),
            "link-insertions.csv",
            "text/csv",
            "interlinks:insertions_csv",
        )
        download.button(
            "Sentences with their links (json)",
            lambda: as_json(insertions(result)),
            "link-insertions.json",
            "application/json",
            "interlinks:insertions_json",
        )


def matrix(result: Opportunities) -> bytes:
    """Return the labelled matrix; of a site too large for it, the nearest pages of each page."""
    if len(result.pages) > MOST_PAGES:
        return write_csv(result.nearest_pairs(MATRIX_NEAREST))
    rows, columns = result.matrix_pages()
    urls, vectors = result.pages["url"].to_numpy(dtype=object), result.vectors.vectors
    return write_matrix(urls[rows].tolist(), urls[columns].tolist(), vectors[rows], vectors[columns])


def _with_paths(chosen: InterlinkSettings, key: str) -> InterlinkSettings:
    """Show the path filters, which hold for the downloads too."""
    names = {
        "source_contains": "Source path contains",
        "source_excludes": "Source path does not contain",
        "target_contains": "Target path contains",
        "target_excludes": "Target path does not contain",
    }
    with st.grid(min_column_width=210):
        paths: dict[str, Any] = {
            name: st.text_input(label, placeholder="/blog/", **inputs.kept(f"{key}:{name}"))
            for name, label in names.items()
        }
    return replace(chosen, **paths)
