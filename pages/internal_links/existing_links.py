"""Which of the links that the site has already need work?"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.embedding import models
from backlink_audit.existing_links import charts
from backlink_audit.existing_links.result import ANCHORS, LINKS, PAGES, InlinkAudit, tables
from backlink_audit.existing_links.run import audit_inlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import INLINK_VERDICTS
from backlink_audit.progress import Progress
from backlink_audit.settings import InlinkSettings
from backlink_audit.sources import Sources
from backlink_audit.ui import inputs, jobs, menu, show


def asked_settings(key: str = "inlinks") -> InlinkSettings:
    """Show everything the judgement can be tuned by, and return it as settings."""
    with st.grid(min_column_width=240):
        model = inputs.model(f"{key}:model")
        text = inputs.page_text(key)
        limit = inputs.setting(InlinkSettings, "off_topic_below", f"{key}:off_topic")
        same = inputs.setting(InlinkSettings, "same_anchor", f"{key}:same_anchor")
    content_only = inputs.setting(InlinkSettings, "content_only", f"{key}:content_only")
    return InlinkSettings(model, text, content_only, limit, same)


def run(inlinks: Export, others: Sources, settings: InlinkSettings, place: DeltaGenerator) -> InlinkAudit | None:
    """Show the button and the progress; return the last result (marked if it is not of these inputs), or None."""

    def work(progress: Progress) -> InlinkAudit:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return audit_inlinks(inlinks, settings, encoder, others, progress)

    key = (inlinks.fingerprint, others.key, settings)
    return jobs.run(key, menu.INLINKS.button, work, again_in=place)


def say_notes(result: InlinkAudit) -> None:
    """Say everything the reader should know."""
    for note in result.notes:
        st.info(show.plain(note))


st.title(menu.INLINKS.title)
place = inputs.place("inlinks", "inlinks", label=menu.INLINKS.button)
with place:
    links = inputs.file("inlinks")
    others = inputs.other_files("inlinks")
    with st.expander("Settings"):
        settings = asked_settings()
result = run(links, others, settings, place)
if result is None:
    st.stop()

counts = result.verdict_counts
show.headline(result.headline)
show.figures(
    [
        (
            "Links checked",
            len(result.links),
            "Links between two pages of the site; only links in the content, if you chose that in the settings.",
        ),
        *((verdict.word, counts[verdict.word], verdict.meaning) for verdict in INLINK_VERDICTS),
    ]
)
say_notes(result)

names = ["Links", "Anchors", "Pages", "Download"]
table, anchors, pages, download = st.tabs(names, on_change="rerun", key="inlinks:tabs")
if table.open:
    with table:
        show.table(LINKS, result)
        show.chart(charts.relevances(result.links), "relevances")
if anchors.open:
    with anchors:
        st.caption(
            "Anchors that are used for more than one target page. Reword those that do not show which page it is."
        )
        show.table(ANCHORS, result)
if pages.open:
    with pages:
        show.table(PAGES, result)
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the links.")
        show.downloads(tables(result), "existing-links")
