"""How does our backlink profile stand beside those of competitors?"""

from collections.abc import Sequence

import streamlit as st

from backlink_audit.competitors import charts
from backlink_audit.competitors.result import FIGURES, LINKED, PARTS, SideBySide, compare_profiles, tables
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress
from backlink_audit.settings import BacklinkFilters, LinkChoice
from backlink_audit.ui import gap, inputs, jobs, menu, show, upload_state

WITHOUT_CRAWL = (
    "Your crawl is not used here, because the competitors have none: fewer of your anchors may count as exact match "
    "than in the Backlink profile."
)
ONLY_LINKS = "{name} is not included, because it lists referring domains. A profile needs a list of backlinks."


def with_links(exports: Sequence[Export]) -> tuple[Export, ...]:
    """Return the exports that list links; say which do not, and stop the page where none is left."""
    for export in exports:
        if export.kind != "backlinks":
            st.info(show.plain(ONLY_LINKS.format(name=export.name)))
    left = tuple(export for export in exports if export.kind == "backlinks")
    if not left:
        st.stop()
    return left


def say_notes(result: SideBySide) -> None:
    """Say what the reader should know, and where the own figures differ from those of the own profile."""
    for note in result.notes:
        show.note(note)
    if upload_state.get("pages") is not None:
        show.note(WITHOUT_CRAWL)


def run(ours: Export, theirs: Sequence[Export], choice: LinkChoice, filters: BacklinkFilters) -> SideBySide | None:
    """Show the progress while the profiles are made; return them side by side, or None until they are there."""
    files = (ours, *theirs)

    def work(progress: Progress) -> SideBySide:
        return compare_profiles(files, choice, filters, on_progress=progress)

    key = (*(export.fingerprint for export in files), choice, filters)
    return jobs.run(key, menu.COMPETITORS.button, work, automatic=True)


st.title(menu.COMPETITORS.title)
with inputs.place("competitors", "backlinks", "competitors", words=[inputs.links_named()]):
    choice = inputs.shown_links()
    ours = inputs.file("backlinks")
    theirs = with_links(gap.competitors())
    with st.expander("Settings"):
        filters = inputs.backlink_filters("competitors:filters")
result = run(ours, theirs, choice, filters)
if result is None:
    st.stop()
if result.profiles[0].links.empty:
    show.nothing_chosen(result.profiles[0].state_counts)
    st.stop()

show.headline(result.headline)
say_notes(result)
overview, charted, pages, download = st.tabs(
    ["Side by side", "Charts", "Most linked pages", "Download"], on_change="rerun", key="competitors:tabs"
)
if overview.open:
    with overview:
        show.table(FIGURES, result)
if charted.open:
    with charted, st.grid(2, min_column_width=380, gap="medium"):
        for part in PARTS:
            shares = result.shares[result.shares["part"] == part]
            if len(shares):
                show.chart(charts.shares(shares, part), f"side-by-side-{part}")
if pages.open:
    with pages:
        show.table(LINKED, result)
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the metrics and shares.")
        show.downloads(tables(result), "competitors")
