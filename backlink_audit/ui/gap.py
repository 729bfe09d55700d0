"""The gap in the browser: competitors' files, the filters of prospects, and the prospects as a file."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.gap.result import TO_FILL_IN, Gap
from backlink_audit.gap.run import find_gap
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_csv
from backlink_audit.settings import GapSettings
from backlink_audit.sources import Sources
from backlink_audit.ui import inputs, jobs, menu, show, upload_state, uploads
from backlink_audit.ui.worktable import download


def competitors() -> tuple[Export, ...]:
    """Show the competitors' files, ways to add and remove some, and return them; without any, stop the page."""
    exports = upload_state.competitors()
    if not exports:
        uploads.ask("competitors")
        st.stop()
    with st.expander(f"Competitors: {show.plain(', '.join(export.name for export in exports))}"):
        for place, export in enumerate(exports):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"{show.plain(export.name)}: {uploads.summary(export)}", width="stretch")
                if st.button("Remove", key=f"gap:remove:{place}"):
                    upload_state.drop_competitor(export.name)
                    st.rerun()
        uploads.upload("competitors", key="add")
    return exports


def run(backlinks: Export, theirs: Sequence[Export], model: str, others: Sources, place: DeltaGenerator) -> Gap | None:
    """Show the button and the progress; return the last gap (marked if it is not of these files), or None."""
    settings = GapSettings(model=model)

    def work(progress: Progress) -> Gap:
        encoder = models.load_encoder(model, on_progress=progress)
        return find_gap(backlinks, theirs, settings, encoder, others, progress)

    files = tuple(export.fingerprint for export in theirs)
    key = (backlinks.fingerprint, files, others.key, settings)
    return jobs.run(key, menu.GAP.button, work, again_in=place)


def filtered(gap: Gap) -> Gap:
    """Show the filters of prospects and return the gap with them: nothing is computed again."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        least = tuple(
            (
                rating,
                st.slider(
                    f"Minimum {show.plain(rating)}",
                    0,
                    100,
                    int(limit),
                    key=f"gap:min_authority:{rating}",
                    persist_state="session",
                    help="Each tool has its own scale, so each rating has its own limit.",
                    width=240,
                ),
            )
            for rating, limit in gap.limits.items()
        )
        keys = {"keep_unknown_authority": "unknown", "followed_only": "followed", "in_content_only": "content"}
        keys |= {"by_visitors": "visitors"}
        chosen = {name: inputs.setting(GapSettings, name, f"gap:{key}") for name, key in keys.items()}
    return gap.with_settings(GapSettings(model=gap.settings.model, min_authority=least, **chosen))


def in_full(row: pd.Series) -> None:
    show.one_row(row, show.PROSPECT)


def download_prospects(gap: Gap) -> None:
    """Offer the prospects as csv, with columns for the outreach and the pitch to each."""
    download(
        f"Prospects with pitch emails ({len(gap.prospects):,}, csv)",
        lambda: write_csv(TO_FILL_IN.written(TO_FILL_IN.rows(gap), gap), for_spreadsheets=True),
        "prospects.csv",
        "gap:prospects",
        disabled=gap.prospects.empty,
    )
