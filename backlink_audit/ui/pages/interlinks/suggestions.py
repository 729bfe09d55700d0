"""The links that are suggested: the settings they are found by, and their run."""

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.embedding import models
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.interlinks.clusters import with_clusters
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.interlinks.run import find_internal_links
from backlink_audit.progress import Progress
from backlink_audit.settings import ORDERS, InterlinkSettings, Order
from backlink_audit.ui.files import upload_state
from backlink_audit.ui.jobs import instant, jobs
from backlink_audit.ui.pages import crawl, inputs
from backlink_audit.ui.tables import show

LABEL = "Find the links"
ORDER_NAMES = {
    "editorial": "Editorial: by shared words, mentions of the title, and meaning",
    "learned": "Learned from existing links",
    "similarity": "Similarity only",
}


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
            "Only count links in the content as existing",
            defaults.content_links_only,
            help="Menus and footers often link to every page; a link in the text is still useful.",
            **inputs.kept(f"{key}:content_only"),
        ),
        across_languages=st.toggle(
            "Suggest links between languages",
            defaults.across_languages,
            help="By default, links are only suggested between pages in the same language.",
            **inputs.kept(f"{key}:across_languages"),
        ),
        brands=crawl.brands(pages, key),
    )
    return replace(_with_paths(chosen, key), filters=inputs.page_filters(f"{key}:filters"))


def run(pages: Export, settings: InterlinkSettings, place: DeltaGenerator) -> Opportunities | None:
    """Show where the embeddings come from, the button and the progress; return the last result."""
    others = upload_state.sources("interlinks")
    try:
        with place:
            given = crawl.given_vectors(pages, "interlinks")
    except AuditError as problem:
        show.problem(problem)
        return None

    def work(progress: Progress, model: str = settings.model) -> Opportunities:
        encoder = models.load_encoder(model, on_progress=progress)
        found = find_internal_links(pages, replace(settings, model=model), encoder, others, given, progress)
        return with_clusters(found, encoder, progress)

    key = (pages.fingerprint, others.key, given.fingerprint if given else None, settings)
    preview = instant.preview_of(LABEL, settings.model, [pages], work) if given is None else None
    return jobs.run(key, LABEL, work, at_once=upload_state.starts_by_itself(LABEL), preview=preview, again_in=place)


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
