"""What the tabs of the internal links show: sentences to edit, trees, lists of pages, and pairs set aside."""

import pandas as pd
import streamlit as st

from backlink_audit.pipelines.interlinks.competing import competing_pages
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.interlinks.subject import off_topic_pages
from backlink_audit.report.charts.link_trees import TreeLook
from backlink_audit.ui import session
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show
from backlink_audit.ui.tables.worktable import Meaning

CHOSEN_AT_FIRST = 12
"""Pages of the heat map before its reader chooses."""
PAIRS = (
    "source_title",
    "target_title",
    "anchor",
    "anchor_match",
    "similarity",
    "score",
    "sentence",
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
UNPLACED = tuple(column for column in PAIRS if column not in ("anchor", "anchor_match", "sentence"))
FILTERS = ("anchor_match", "reverse", "source_cluster", "target_cluster")
ALIKE = ("source_title", "target_title", "similarity", "source_url", "target_url")
SOURCES = ("source_title", "anchor", "anchor_match", "similarity", "sentence", "source_url")
TARGETS = ("target_title", "anchor", "anchor_match", "similarity", "sentence", "target_url")
SENTENCES = 5
"""Sentences to edit shown in full, on each side of the page picker."""
FAR = ("title", "site_similarity", "language", "url")
COMPETING = (
    *("source_title", "target_title", "shared_queries", "similarity", "shared_words", "source_url", "target_url"),
)
ALL_PAGES = ("title", "cluster", "inlinks", "word_count", "nearest", "language", "url")
LONELY = (
    "title",
    "ready_links",
    "ready_anchor",
    "ready_source",
    "cluster",
    "word_count",
    "inlinks",
    "nearest_title",
    "nearest",
    "url",
    "nearest_url",
)
"""The columns of orphans and isolated pages: what says whether to expand, merge or link one."""


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
    show.table(first, "links", columns=PAIRS, filters=FILTERS, noun="link", stem="links", meaning=meaning)
    if len(result.unplaced):
        st.markdown("**Without an anchor**")
        st.caption(
            "No phrase in the text of these source pages fits the target, so a link needs a new sentence. Release "
            "notes and pages of a single day come last."
        )
        show.table(
            result.unplaced,
            "links-without-anchor",
            columns=UNPLACED,
            noun="link",
            stem="links-without-anchor",
            meaning=meaning,
        )


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
    lists = {
        "Near duplicates": (result.near_duplicates, "alike", "These pages are nearly the same: consider merging them."),
        "Translations": (result.translations, "translations", "These are the same page in two languages."),
        "Same template": (result.templates, "templates", "The titles of these pages differ only in numbers."),
    }
    if not result.set_aside:
        st.info(f"None: no two pages have a similarity of {result.settings.near_duplicate:g} or more.")
    for name, (pairs, key, reason) in lists.items():
        if len(pairs):
            st.markdown(f"**{show.plain(name)}**")
            st.caption(show.plain(reason))
            show.table(pairs, key, columns=ALIKE, noun="pair", stem=key)


def list_of_pages(pages: pd.DataFrame | None, key: str, noun: str) -> None:
    """Show a list of pages, or say why it cannot be known."""
    if pages is None:
        st.info("To find orphan pages, load the “All inlinks” export of the same crawl and run again.")
        return
    st.caption(
        "If a page has few words, add content. If it is almost the same as its nearest page, merge the two. "
        "Otherwise link to it from the nearest page."
    )
    show.table(pages, key, columns=LONELY, noun=noun, stem=key)


def all_pages(result: Opportunities, meaning: Meaning) -> None:
    """Show every page, to search in."""
    show.table(
        result.pages,
        "pages",
        columns=ALL_PAGES,
        filters=("language", "cluster"),
        noun="page",
        stem="pages",
        meaning=meaning,
    )


def subjects(result: Opportunities) -> None:
    """Show the pages far from the site's subject, and those that compete for one."""
    st.markdown("**Off-topic pages: far from what the site is about**")
    st.caption("Check whether the site still needs them. Pages without much text are often among them.")
    # Both are about all pages, whatever the links are narrowed by.
    sources = (result.vectors, result.queries)
    far, pairs = session.made_of(Key.SUBJECTS, sources, lambda: (off_topic_pages(result), competing_pages(result)))
    show.table(far, "off-topic", columns=FAR, search=False, noun="page", stem="off-topic-pages")
    st.markdown("**Competing pages: one subject, nearly the same title**")
    st.caption("Decide which of the two should rank, and give the other page another subject or merge them.")
    if not result.queries:
        st.caption(
            "To see which search queries two pages share, load clicks with the columns Page and Query, as tools make "
            "them with the API of Search Console. Such pairs then come first."
        )
    show.table(pairs, "competing", columns=COMPETING, noun="pair", stem="competing-pages")
