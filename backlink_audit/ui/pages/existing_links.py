"""The links that the loaded site has already: their settings and their run."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.ui import menu
from backlink_audit.embedding import models
from backlink_audit.existing_links.result import InlinkAudit
from backlink_audit.existing_links.run import audit_inlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress
from backlink_audit.settings import InlinkSettings
from backlink_audit.sources import Sources
from backlink_audit.ui import jobs, show, upload_state
from backlink_audit.ui.pages import crawl, inputs



def settings(key: str = "inlinks") -> InlinkSettings:
    """Show everything the judgement can be tuned by, and return it as settings."""
    defaults = InlinkSettings()
    with st.grid(min_column_width=240):
        model = inputs.model(f"{key}:model")
        text = crawl.page_text(key)
        limit = st.slider(
            "Off-topic if relevance is below",
            *(0.0, 100.0, float(defaults.off_topic_below), 1.0),
            **inputs.kept(f"{key}:off_topic"),
        )
        same = st.number_input(
            "Too many links with the same anchor: this number or more",
            2,
            1_000_000,
            defaults.same_anchor,
            **inputs.kept(f"{key}:same_anchor"),
        )
    content_only = st.toggle(
        "Only check links in the content",
        defaults.content_only,
        help="Links in menus and footers are the same on every page.",
        **inputs.kept(f"{key}:content_only"),
    )
    return InlinkSettings(
        model=model, text=text, content_only=content_only, off_topic_below=limit, same_anchor=int(same or 2)
    )


def run(inlinks: Export, others: Sources, settings: InlinkSettings, place: DeltaGenerator) -> InlinkAudit | None:
    """Show the button and the progress; return the last result (marked if it is not of these inputs), or None."""

    def work(progress: Progress) -> InlinkAudit:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return audit_inlinks(inlinks, settings, encoder, others, progress)

    key = (inlinks.fingerprint, others.key, settings)
    return jobs.run(key, menu.INLINKS.button, work, at_once=upload_state.starts_by_itself(menu.INLINKS.button), again_in=place)


def say_notes(result: InlinkAudit) -> None:
    """Say everything the reader should know."""
    for note in result.notes:
        st.info(show.plain(note))
