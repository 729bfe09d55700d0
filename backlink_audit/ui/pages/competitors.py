"""Profiles side by side in the browser: which files can be compared, and the comparison."""

from collections.abc import Sequence

import streamlit as st

from backlink_audit.ui import menu
from backlink_audit.competitors.result import SideBySide, compare_profiles
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress
from backlink_audit.settings import BacklinkFilters, LinkChoice
from backlink_audit.ui import jobs, show, upload_state

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
