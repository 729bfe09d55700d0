"""Which of the found links are shown: chosen without a new run."""

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.pipelines.interlinks.figures import with_figures
from backlink_audit.pipelines.interlinks.narrow import PathChoice, folders_of, narrowed
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.ui import session
from backlink_audit.ui.files import upload_state
from backlink_audit.ui.pages import inputs
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show


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
            min(result.settings.min_similarity, 0.99),
            1.0,
            result.settings.min_similarity,
            0.01,
            key=f"interlinks:live_minimum:{result.settings.min_similarity:g}",
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
            f"{end} path matches a pattern",
            help="A regular expression (RE2).",
            **inputs.kept(f"{key}_pattern"),
        )
        groups = st.multiselect(f"{end} pages in", folders, placeholder="all folders", **inputs.kept(f"{key}_folders"))
    held, not_held = (tuple(filter(None, map(str.strip, text.split(",")))) for text in (contains, excludes))
    return PathChoice(held, not_held, pattern.strip(), tuple(groups))
