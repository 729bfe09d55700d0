"""Which pages have the site's authority, which hold it back, and what would added links change?"""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.authority import charts
from backlink_audit.authority.result import PAGES, SOURCES, WHAT_IF, SiteAuthority, tables
from backlink_audit.authority.run import find_authority, pages_and_links, try_links, with_sources
from backlink_audit.embedding import models
from backlink_audit.exports.lists import read_pairs
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import figures
from backlink_audit.labels import BROKEN_PAGE, ORPHAN, UNDERLINKED
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_graphml
from backlink_audit.settings import AuthoritySettings
from backlink_audit.sources import Sources
from backlink_audit.ui import audit, inputs, jobs, menu, session, show, upload_state, uploads
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import download

MOST_OFFERED = 200  # Suggested links to choose from
CHOSEN_AT_FIRST = 10


def asked_settings(key: str = "authority") -> AuthoritySettings:
    """Show what the link score can be tuned by, and return it as settings."""
    chosen = inputs.settings_of(AuthoritySettings, key, "outside_content", "tried_per_page")
    return AuthoritySettings(model=inputs.model(f"{key}:model"), **chosen)


def asked_pages(key: str = "authority") -> tuple[str, ...]:
    """Show where pages to strengthen are listed, and return their URLs."""
    text = st.text_area(
        "Pages that need more authority", placeholder="One URL per line", **inputs.kept(f"{key}:wanted")
    )
    return tuple(dict.fromkeys(text.split()))


def run(
    inlinks: Export, others: Sources, settings: AuthoritySettings, wanted: tuple[str, ...], place: DeltaGenerator
) -> SiteAuthority | None:
    """Show the button and the progress; return the last result (marked if it is not of these inputs), or None."""
    audited, crawl = audit.last(), others.pages
    backlinks = None if audited is None else audited.scored

    def work(progress: Progress) -> SiteAuthority:
        found = find_authority(
            inlinks, settings, sources=others, backlinks=backlinks, wanted=wanted, on_progress=progress
        )
        if crawl is None or not found.pages["deserving"].any():
            return found
        return with_sources(
            found, crawl, inlinks.table, models.load_encoder(settings.model, on_progress=progress), progress
        )

    made = None if audited is None else (audited.cleaned.export.fingerprint, audited.settings)
    key = (inlinks.fingerprint, others.key, made, settings, wanted)
    return jobs.run(key, menu.AUTHORITY.button, work, again_in=place)


def say_what_counted(result: SiteAuthority) -> None:
    """Say which links counted, and everything the reader should know."""
    show.note(result.counted)
    for note in result.notes:
        st.info(show.plain(note))
    if not result.knows_outside and audit.last() is None:
        st.caption("To include authority from backlinks, load backlinks and run the Backlink audit first.")


def show_sources(result: SiteAuthority) -> None:
    """Show from where the pages that deserve more could be linked, or what is needed to know."""
    if result.sources is None:
        st.info(
            "No pages to strengthen yet. Load a crawl, then list pages in the settings, or run the Backlink audit "
            "to find underlinked pages."
        )
        return
    st.caption(
        "For each page: the ten links that would pass the most authority, from relevant pages that contain a "
        "suitable anchor text."
    )
    show.table(SOURCES, result)


def show_what_if(result: SiteAuthority) -> SiteAuthority:
    """Show which links are tried out and what comes of it; return the result with them."""
    pairs = _chosen_pairs()
    if pairs is None or pairs.empty:
        st.info(
            "Find links on the page “Internal links” or load a list of links, and see here how they would change "
            "the authority."
        )
        return result
    tried = try_links(result, pairs)
    assert tried.what_if is not None
    st.markdown(f"**{show.plain(tried.what_if.sentence)}**")
    if len(tried.what_if.added.source):
        show.chart(charts.gains_and_losses(tried.what_if.pages), "gains-and-losses")
        show.table(WHAT_IF, tried)
    return tried


def _chosen_pairs() -> pd.DataFrame | None:
    """Show the pairs of a file, or else the suggestions of Internal links to choose from; return the pairs."""
    new = uploads.read_at_once(
        "Links to test (csv with Source URL, Target URL)",
        ["csv", "xlsx"],
        "authority:pairs",
        lambda data, name: read_pairs(name, data),
    )
    if new:
        session.keep(Key.TRIED_LINKS, new)
    given: tuple[str, pd.DataFrame] | None = session.kept(Key.TRIED_LINKS, lambda: None)
    if given is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{show.plain(given[0])}: {len(given[1]):,} links", width="stretch")
            if st.button("Remove", key="authority:remove-pairs"):
                session.remove(Key.TRIED_LINKS)
                st.rerun()
        return given[1]
    crawl = upload_state.get("pages")
    if crawl is None or not jobs.is_of(
        menu.INTERLINKS.button, crawl.fingerprint
    ):  # of another crawl, it is of no use here
        return None
    found = jobs.last(menu.INTERLINKS.button)
    offered = found.strongest(MOST_OFFERED)[["source_url", "target_url", "source_title", "target_title"]]
    offered = offered.reset_index(drop=True)
    chosen = st.multiselect(
        f"Suggested links (of {len(offered):,})",
        offered.index.tolist(),
        offered.index.tolist()[:CHOSEN_AT_FIRST],
        format_func=lambda row: f"{offered['source_title'][row]} → {offered['target_title'][row]}",
        key="authority:suggested",
    )
    return offered.loc[chosen, ["source_url", "target_url"]]


def download_graph(result: SiteAuthority) -> None:
    """Offer the pages and their links as a file for programs that draw graphs."""
    download(
        "Graph of the site (graphml)",
        lambda: write_graphml(*pages_and_links(result)),
        "site.graphml",
        "authority:graph",
    )


st.title(menu.AUTHORITY.title)
place = inputs.place("authority", "inlinks", label=menu.AUTHORITY.button)
with place:
    inlinks = inputs.file("inlinks")
    others = inputs.other_files("authority")
    with st.expander("Settings"):
        settings = asked_settings()
        wanted = asked_pages()
result = run(inlinks, others, settings, wanted, place)
if result is None:
    st.stop()

counts = result.verdict_counts
show.headline(result.headline)
in_dead_ends = result.pages.loc[result.pages["links_out"] == 0, "pagerank"].sum()
shown = {
    "pages": len(result.pages),
    "links": len(result.graph.links),
    "underlinked": counts[UNDERLINKED.word] if result.knows_outside else None,
    "broken": counts[BROKEN_PAGE.word],
    "orphans": counts[ORPHAN.word],
    "dead_ends": f"{in_dead_ends:.0%}",
}
show.figures(figures("authority", shown))
say_what_counted(result)

names = ["Pages", "Pages to link from", "What if", "Download"]
pages, sources, what_if, download_tab = st.tabs(names, on_change="rerun", key="authority:tabs")
if pages.open:
    with pages:
        show.table(PAGES, result)
        show.chart(charts.strongest(result.pages), "strongest")
if sources.open:
    with sources:
        show_sources(result)
if what_if.open:
    with what_if:
        show_what_if(result)
if download_tab.open:
    with download_tab:
        st.caption("The workbook contains all tables; csv and parquet contain the pages.")
        show.downloads(tables(result), "authority")
        download_graph(result)
