"""Which pages have the site's authority, which hold it back, and what would added links change?"""

import streamlit as st

from backlink_audit.authority import charts
from backlink_audit.authority.tables import tables
from backlink_audit.labels import BROKEN_PAGE, ORPHAN, UNDERLINKED
from backlink_audit.ui import menu, show
from backlink_audit.ui.pages import authority, inputs

PAGES = ("verdict", "url", "link_score", "why", "title", "share", "from_outside", "links_in", "links_out")

st.title(menu.AUTHORITY.title)
place = inputs.place("authority", "inlinks", label=menu.AUTHORITY.button)
with place:
    inlinks = inputs.file("inlinks")
    others = inputs.other_files("authority")
    with st.expander("Settings"):
        settings = authority.settings()
        wanted = authority.wanted()
result = authority.run(inlinks, others, settings, wanted, place)
if result is None:
    st.stop()

counts = result.verdict_counts
show.headline(result.headline)
show.figures(
    [
        ("Pages", len(result.pages), "All pages in the crawl and in the links."),
        ("Links", len(result.graph.links), "Links between two different pages; redirects are followed."),
        (
            "Underlinked",
            counts[UNDERLINKED.word] if result.knows_outside else None,
            "run the Backlink audit to see this",
        ),
        ("Broken", counts[BROKEN_PAGE.word], "Pages that return an error or are in a redirect loop."),
        ("Orphans", counts[ORPHAN.word], "Pages with the verdict “Orphan”: no other page has a followed link to them."),
        (
            "In dead ends",
            f"{result.dead_end_share:.0%}",
            "Share of the authority on pages without followed links to other pages.",
        ),
    ]
)
authority.say_what_counted(result)

names = ["Pages", "Pages to link from", "What if", "Download"]
pages, sources, what_if, download = st.tabs(names, on_change="rerun", key="authority:tabs")
if pages.open:
    with pages:
        show.table(result.pages, "pages", columns=PAGES, filters=("verdict",), noun="page", stem="authority")
        show.chart(charts.strongest(result.pages), "strongest")
if sources.open:
    with sources:
        authority.sources(result)
if what_if.open:
    with what_if:
        authority.what_if(result)
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the pages.")
        show.downloads(tables(result), "authority")
        authority.download_graph(result)
