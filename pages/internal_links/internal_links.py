"""Which pages of the site should link to each other, on which words, in which sentence?"""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.embedding import models
from backlink_audit.embedding.models import model_for
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import figures
from backlink_audit.internal_links import charts
from backlink_audit.internal_links.charts import TreeLook
from backlink_audit.internal_links.result import (
    Opportunities,
    PathChoice,
    folders_of,
    narrowed,
    with_clusters,
    with_figures,
)
from backlink_audit.internal_links.run import find_internal_links, off_topic_pages
from backlink_audit.internal_links.tables import (
    ALIKE,
    BLOCKS,
    COMPETING,
    FAR,
    ISOLATED,
    LEFT_OUT,
    MERGE,
    OLD,
    ORPHANS,
    PAGES,
    PAIRS,
    SECTIONS,
    SOURCES,
    TARGETS,
    TEMPLATES,
    TRANSLATIONS,
    UNPLACED,
    as_json,
    blocks,
    competing_pages,
    focus,
    insertions,
    old_pages,
    pages_to_merge,
    tables,
)
from backlink_audit.progress import Progress
from backlink_audit.report.files import MOST_PAGES, NEAREST, similarity_matrix, write_csv
from backlink_audit.report.rows import Sheet
from backlink_audit.settings import InterlinkSettings
from backlink_audit.ui import inputs, jobs, menu, session, show, upload_state, worktable
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import Meaning, download


def asked_settings(pages: Export, key: str = "interlinks") -> InterlinkSettings:
    """Show everything the suggestions can be tuned by, and return it as settings."""
    defaults = InterlinkSettings()
    with st.grid(min_column_width=240):
        model = inputs.model(f"{key}:model")
        text = inputs.page_text(key)
        columns = inputs.columns(pages, key)
        shown = inputs.settings_of(InterlinkSettings, key, "order", "per_page", "per_target")
        least = defaults.least_similarity
        minimum = inputs.setting(InterlinkSettings, "min_similarity", f"{key}:minimum", value=least)
    chosen = {
        **shown,
        "content_links_only": inputs.setting(InterlinkSettings, "content_links_only", f"{key}:content_only"),
        "across_languages": inputs.setting(InterlinkSettings, "across_languages", f"{key}:across_languages"),
        "brands": inputs.brands(pages, key),
    }
    with st.grid(min_column_width=210):  # they hold for the downloads too
        ends = [f"{end}_{way}" for end in ("source", "target") for way in ("contains", "excludes")]
        chosen |= inputs.settings_of(InterlinkSettings, key, *ends)
    return InterlinkSettings(
        model=model,
        text=text,
        columns=columns,
        min_similarity=None if minimum == least else minimum,
        filters=inputs.page_filters(f"{key}:filters"),
        **chosen,
    )


def run(pages: Export, settings: InterlinkSettings, place: DeltaGenerator) -> Opportunities | None:
    """Show where the embeddings come from, the button and the progress; return the last result."""
    others = upload_state.sources("interlinks")
    try:
        with place:
            given = inputs.given_vectors(pages, "interlinks")
    except AuditError as problem:
        show.problem(problem)
        return None

    def work(progress: Progress) -> Opportunities:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        found = find_internal_links(pages, settings, encoder, others, given, progress)
        return with_clusters(found, encoder, progress)

    key = (pages.fingerprint, others.key, given.fingerprint if given else None, settings)
    return jobs.run(key, menu.INTERLINKS.button, work, again_in=place)


def with_earnings(result: Opportunities) -> Opportunities:
    """Return the result with what its targets earn where such a file is loaded; show in which order they come."""
    earned = upload_state.get("performance")
    if earned is None:
        return result
    first = st.toggle(
        "Striking-distance pages (Google positions 4 to 20) first",
        help="For each source page, targets at an average Google position of 4 to 20 come first.",
        **inputs.kept("interlinks:near_top"),
    )
    return session.made_of(
        Key.EARNED, (result, earned, first), lambda: with_figures(result, earned, near_top_first=first)
    )


def narrow(result: Opportunities) -> Opportunities:
    """Show what the found links can be narrowed by without a new run; return the result with those that fit."""
    folders = folders_of(result.pages["url"].tolist())
    with st.expander("Filter the links"):
        minimum = st.slider(
            "Minimum similarity shown",
            min(result.settings.least_similarity, 0.99),
            1.0,
            result.settings.least_similarity,
            0.01,
            key=f"interlinks:live_minimum:{result.settings.least_similarity:g}",
            persist_state="session",
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
        several = "Separate several texts with commas. One of them must match."
        contains = st.text_input(
            f"{end} path contains", help=several, placeholder="/blog/, /news/", **inputs.kept(f"{key}_contains")
        )
        excludes = st.text_input(
            f"{end} path does not contain", help="Separate several texts with commas.", **inputs.kept(f"{key}_excludes")
        )
        pattern = st.text_input(
            f"{end} path matches a pattern", help="A regular expression (RE2).", **inputs.kept(f"{key}_pattern")
        )
        groups = st.multiselect(f"{end} pages in", folders, placeholder="all folders", **inputs.kept(f"{key}_folders"))
    held, not_held = (tuple(filter(None, map(str.strip, text.split(",")))) for text in (contains, excludes))
    return PathChoice(held, not_held, pattern.strip(), tuple(groups))


def offer(result: Opportunities) -> None:
    """Offer the workbook, the pairs, the matrix and the embeddings, each built when asked for."""
    show.downloads(tables(result), "internal-links")
    whole = len(result.pages) <= MOST_PAGES
    with st.container(horizontal=True):
        download(
            "Similarity matrix (csv)" if whole else f"The {NEAREST} most similar pages of each page (csv)",
            lambda: matrix(result),
            "similarity-matrix.csv",
            "interlinks:matrix",
        )
        download("Embeddings (npz)", result.vectors.to_npz, "page-embeddings.npz", "interlinks:npz")
        download(
            "Sentences with new links (csv)",
            lambda: write_csv(insertions(result), for_spreadsheets=True),
            "link-insertions.csv",
            "interlinks:insertions_csv",
        )
        download(
            "Sentences with new links (json)",
            lambda: as_json(insertions(result)),
            "link-insertions.json",
            "interlinks:insertions_json",
        )


def matrix(result: Opportunities) -> bytes:
    """Return the labelled matrix; of a site too large for it, the nearest pages of each page."""
    vectors = result.vectors.vectors
    return similarity_matrix(result.pages["url"], vectors, *result.matrix_pages(), result.nearest_pairs)


CHOSEN_AT_FIRST = 12  # Pages of the heat map before its reader chooses
SENTENCES = 5  # Sentences to edit shown in full, on each side of the page picker


def say_what_was_found(result: Opportunities) -> None:
    """Say what was cut from the titles, and everything the reader should know."""
    if result.texts.brands:
        st.caption(f"Text removed from the titles: {show.plain(', '.join(result.texts.brands))}.")
    if result.set_aside:
        show.note(result.set_aside)
    for note in result.notes:
        st.info(show.plain(note))


def lists_of_links(result: Opportunities, meaning: Meaning) -> None:
    """Show the links with an anchor, and in a list of their own those without; of a crawl without content one list."""
    first = result.placeable if result.has_content else result.strongest()
    show.table(PAIRS, result, rows=first, meaning=meaning)
    if len(result.unplaced):
        st.markdown("**Without an anchor**")
        st.caption(
            "No phrase in the text of these source pages fits the target: add the sentence of “See also”, or your own."
        )
        show.table(UNPLACED, result, rows=result.unplaced, meaning=meaning)


def tree_look(key: str, height: int = TreeLook().height) -> TreeLook:
    """Show what a tree shows and how; return it. Limits of the chart, never of a download."""
    look = TreeLook()
    with st.grid(min_column_width=170, gap="small"):
        return TreeLook(
            level_1=st.slider("Pages to link from", 1, 60, look.level_1, key=f"{key}:level_1"),
            level_2=st.slider("Targets of each", 1, 15, look.level_2, key=f"{key}:level_2"),
            node_size=st.slider("Node size", 3, 30, look.node_size, key=f"{key}:node"),
            font_size=st.slider("Font size", 7, 24, look.font_size, key=f"{key}:font"),
            height=st.slider("Height", 300, 2400, height, 20, key=f"{key}:height"),
        )


def numbered(titles: list[str]) -> None:
    """Show the titles that stand in a chart as numbers."""
    with st.grid(min_column_width=280, gap="xsmall"):
        for number, title in enumerate(titles, 1):
            st.caption(show.plain(f"{number}. {title}"))


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
    for name, anchor, sentence, at in shown[[page, "anchor", "sentence", "anchor_at"]].itertuples(index=False):
        before, after = sentence[:at], sentence[at + len(anchor) :]
        with st.container(border=True, gap="xsmall"):
            st.caption(show.plain(name))
            st.markdown(f"{show.plain(before)}**{show.plain(anchor)}**{show.plain(after)}")


def pick_pages(result: Opportunities, key: str) -> list[str]:
    """Show a chooser of several pages, those of the strongest links chosen at first; return their URLs."""
    titles = dict(zip(result.pages["url"], result.pages["title"], strict=True))
    strongest = result.strongest(CHOSEN_AT_FIRST)
    first = list(dict.fromkeys([*strongest["source_url"], *strongest["target_url"]]))[:CHOSEN_AT_FIRST]
    return st.multiselect("Pages", list(titles), first, format_func=titles.__getitem__, key=key)


def titles_of(result: Opportunities, urls: list[str]) -> list[str]:
    """Return the titles of these pages."""
    titles = dict(zip(result.pages["url"], result.pages["title"], strict=True))
    return [titles[url] for url in urls]


def set_aside(result: Opportunities) -> None:
    """Show the pairs that want no link, each kind in a list of its own, or say that there are none."""
    reasons = {
        ALIKE: "These pages are nearly the same: consider merging them.",
        TRANSLATIONS: "These are the same page in two languages.",
        TEMPLATES: "The titles of these pages differ only in numbers.",
    }
    if not result.set_aside:
        st.info(f"None: no two pages have a similarity of {result.settings.near_duplicate:g} or more.")
    for sheet, reason in reasons.items():
        rows = sheet.rows(result)
        if rows is not None and len(rows):
            st.markdown(f"**{sheet.name}**")
            st.caption(reason)
            show.table(sheet, result)


NOW = 10  # Links to add that are shown first


def do_this_now(result: Opportunities) -> None:
    """Show what to do first: links to add where they matter most, pages to merge, old pages, and blocks."""
    best = result.placeable if result.has_content else result.strongest()
    if "target_clicks" in best:
        best = best.sort_values(["target_clicks", "score"], ascending=False, kind="stable", na_position="last")
    sources = (result.vectors, result.queries, result.settings)
    merge, old, families = session.made_of(
        Key.TO_DO_LISTS, sources, lambda: (pages_to_merge(result), old_pages(result), blocks(result))
    )
    tasks = (
        ("Add these links", PAIRS, best.head(NOW), "The best links; those to pages with most clicks first."),
        ("Merge or redirect", MERGE, merge, "Two pages say the same. Keep the first, redirect the other."),
        ("Refresh, redirect or leave", OLD, old, "Their time is over. No link to them is suggested."),
        ("Link by a block", BLOCKS, families, "Pages of one pattern: one block on all of them, not single links."),
    )
    for title, sheet, rows, reason in tasks:
        with st.expander(f"{title} ({len(rows):,})", expanded=sheet is PAIRS):
            st.caption(show.plain(reason))
            if len(rows):
                show.table(sheet, result, rows=rows, key=f"now-{sheet.key}")


def lists_of_pages(result: Opportunities, meaning: Meaning) -> None:
    """Show the pages: all, alone, excluded, left out, and what the site is about; one list at a time."""
    names = ["All", "Orphans and isolated", "Subject", "Excluded pairs", "Excluded"]
    chosen = st.segmented_control("Pages", names, default=names[0], key="interlinks:list", label_visibility="collapsed")
    if chosen == names[1]:
        with st.grid(2, min_column_width=380, gap="medium"):
            with st.container():
                st.markdown("**Orphan pages: no inlinks**")
                list_of_pages(result, ORPHANS)
            with st.container():
                st.markdown("**Isolated pages: no similar page**")
                list_of_pages(result, ISOLATED)
    elif chosen == names[2]:
        said, sections = focus(result)
        st.markdown(show.plain(said))
        show.table(SECTIONS, result, rows=sections)
        show_subjects(result)
    elif chosen == names[3]:
        set_aside(result)
    elif chosen == names[4]:
        st.caption("No link from or to these pages is suggested: they are of no use to readers of other pages.")
        show.table(LEFT_OUT, result)
    else:
        show.table(PAGES, result, meaning=meaning)


def explored(result: Opportunities) -> None:
    """Show one chart of the links at a time, its sliders folded."""
    names = ["Tree", "Radial tree", "Network", "Heat map"]
    chosen = st.segmented_control(
        "Chart", names, default=names[0], key="interlinks:chart", label_visibility="collapsed"
    )
    if chosen == "Radial tree":
        with st.expander("Settings of the chart"):
            look = tree_look("radial")
        show.chart(charts.radial_tree(result.suggested, look), "link-radial-tree")
        numbered(charts.numbered(result.suggested, look))
    elif chosen == "Network":
        with st.expander("Settings of the chart"):
            strongest = st.slider("Strongest links", 10, 300, 60, 10, key="network:strongest")
        show.chart(charts.network(result.strongest(strongest), len(result.suggested)), "link-network")
    elif chosen == "Heat map":
        pages = pick_pages(result, "heat:pages")
        show.chart(charts.heat_map(result.similarities(pages), titles_of(result, pages)), "link-heat-map")
    else:
        with st.expander("Settings of the chart"):
            look = tree_look("tree", charts.TREE_HEIGHT)
        show.chart(charts.tree(result.suggested, look), "link-tree")


def list_of_pages(result: Opportunities, sheet: Sheet) -> None:
    """Show a list of pages, or say why it cannot be known."""
    if sheet is ORPHANS and result.orphans is None:
        st.info("To find orphan pages, load the “All inlinks” export of the same crawl and run again.")
        return
    st.caption(
        "If a page has few words, add content. If it is almost the same as its nearest page, merge the two. "
        "Otherwise link to it from the nearest page."
    )
    show.table(sheet, result)


def show_subjects(result: Opportunities) -> None:
    """Show the pages far from the site's subject, and those that compete for one."""
    st.markdown("**Off-topic pages: far from what the site is about**")
    st.caption("Check whether the site still needs them. Pages without much text are often among them.")
    # Both are about all pages, whatever the links are narrowed by.
    sources = (result.vectors, result.queries)
    far, pairs = session.made_of(Key.SUBJECTS, sources, lambda: (off_topic_pages(result), competing_pages(result)))
    show.table(FAR, result, rows=far)
    st.markdown("**Competing pages: one subject, nearly the same title**")
    st.caption("Decide which of the two should rank, and give the other page another subject or merge them.")
    if not result.queries:
        st.caption(
            "To see which search queries two pages share, load clicks with the columns Page and Query, as tools make "
            "them with the API of Search Console. Such pairs then come first."
        )
    show.table(COMPETING, result, rows=pairs)


st.title(menu.INTERLINKS.title)
place = inputs.place(
    "interlinks", "pages", words=[inputs.model_named("interlinks:model")], label=menu.INTERLINKS.button
)
with place:
    pages = inputs.file("pages")
    inputs.other_files("interlinks")
    with st.expander("Settings"):
        settings = asked_settings(pages)
settings = replace(settings, model=model_for(settings.model, pages))
inputs.offer_multilingual(settings.model, [pages], "interlinks:model")
result = run(pages, settings, place)
if result is None:
    st.stop()

result = narrow(with_earnings(result))
show.headline(result.headline)
orphans = result.orphans
shown = {
    "pages": len(result.pages),
    "suggested": len(result.suggested),
    "with_anchor": result.with_anchor,
    "mean_similarity": result.mean_similarity,
    "orphans": None if orphans is None else len(orphans),
    "isolated": len(result.isolated),
}
show.figures(figures("interlinks", shown, exact=result.with_exact_anchor, near=result.with_near_anchor))
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
say_what_was_found(result)

now, links, every_page, explore, download_tab = st.tabs(
    ["Do this now", "Links", "Pages", "Explore", "Download"], on_change="rerun", key="interlinks:tabs"
)
if now.open:
    with now:
        do_this_now(result)
if links.open:
    with links:
        lists_of_links(result, worktable.pairs(result))
        st.markdown("**One page**")
        url = pick_page(result)
        with st.grid(2, min_column_width=380, gap="medium"):
            sources, targets = result.sources_for(url), result.targets_for(url)
            with st.container():
                st.markdown("**Pages that should link here**")
                sentences_to_edit(sources, "source_title")
                show.table(SOURCES, result, rows=sources)
            with st.container():
                st.markdown("**Pages it should link to**")
                sentences_to_edit(targets, "target_title")
                show.table(TARGETS, result, rows=targets)
if every_page.open:
    with every_page:
        lists_of_pages(result, worktable.pages(result))
if explore.open:
    with explore:
        explored(result)
if download_tab.open:
    with download_tab:
        offer(result)
