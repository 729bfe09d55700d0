"""The risk review in the browser: the decisions of this session, the table they are made in, and the disavow file."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

import pandas as pd
import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import RISK_SIGNALS
from backlink_audit.labels import STATES, UNDECIDED
from backlink_audit.pipelines.audit import Audit
from backlink_audit.pipelines.risk import (
    DisavowFile,
    Review,
    RiskReview,
    Risks,
    Scope,
    parse_disavow_file,
    read_review,
    review_risks,
)
from backlink_audit.progress import Progress
from backlink_audit.report.csv import write_csv
from backlink_audit.settings import BacklinkFilters, RiskLimits
from backlink_audit.ui import columns as column_looks
from backlink_audit.ui import jobs, profiles, show
from backlink_audit.wording import count

LABEL = "Look for risk signals"
ROWS_A_PAGE = 500
"""Rows of the review that the browser gets at a time."""
LIMIT_NAMES = {
    "toxic_score": "Toxic score from",
    "maybe_toxic_score": "Potentially toxic from",
    "external_links": "More external links than",
    "same_anchor_domains": "Same anchor on domains",
    "same_title_domains": "Same title on domains",
    "sitewide_pages": "Same link on pages of a domain",
}

PREVIEW_LINES = 40
"""Lines of the disavow file that are shown; all of them are in the download."""

T = TypeVar("T")


def risks(backlinks: Export, audit: Audit | None, filters: BacklinkFilters, limits: RiskLimits) -> Risks | None:
    """Show the progress while the signals are looked for, and return them, or None until they are there."""

    def work(progress: Progress) -> Risks:
        return review_risks(audit or backlinks, filters, limits, on_progress=progress)

    key: Hashable = (backlinks.fingerprint, audit.made_at if audit else None, filters, limits)
    return jobs.run(key, LABEL, work, automatic=True)


def current() -> Review:
    """Return what was decided in this session; at first nothing."""
    return st.session_state.setdefault("review", Review())


def filters(audit: Audit | None, key: str) -> BacklinkFilters:
    """Show which links are set aside, and return it; links that an audit leaves out can be looked at too."""
    chosen = profiles.filters(audit, key)
    every = st.toggle(
        "Also look at links outside the content and on dead pages",
        key=f"{key}:every",
        help="Comments, forums, footers and sidebars: the audit's filters set them aside.",
    )
    return replace(chosen, outside_content=False, dead_pages=False) if every else chosen


def limits(key: str) -> RiskLimits:
    """Show from where a fact counts as a risk signal; each default is its field's."""
    defaults = RiskLimits()
    with st.grid(min_column_width=190):
        return RiskLimits(
            **{
                name: st.number_input(
                    words,
                    min_value=0,
                    value=int(getattr(defaults, name)),
                    key=f"{key}:{name}",
                    persist_state="session",
                )
                for name, words in LIMIT_NAMES.items()
            }
        )


def narrowed(rows: pd.DataFrame, key: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Show the filters of the review and return the rows they leave: signals, how many of them, words, state."""
    present = [term for term in RISK_SIGNALS if (rows[term.name] != "").any()]
    words = {term.name: term.label for term in present}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        least = st.segmented_control("Signals at least", (0, 1, 2, 3), default=1, required=True, key=f"{key}:least")
        chosen = st.multiselect(
            "Any of these signals", list(words), format_func=words.__getitem__, key=f"{key}:signals"
        )
    left = rows[rows["signals"] >= least]
    if chosen:
        left = left[(left[chosen] != "").any(axis=1)]
    return show.filtered(left, key, columns=columns, filters=("state", "verdict"))


def mark(rows: pd.DataFrame, item: str, scope: Scope, key: str, columns: tuple[str, ...]) -> None:
    """Show rows a page at a time, let some be selected, and set the state of those or of all rows.

    `item` is the column that holds what is decided: a domain or a URL.
    """
    noun = "domain" if scope == "domain" else "link"
    pages = max(1, -(-len(rows) // ROWS_A_PAGE))
    action = st.container(horizontal=True, vertical_alignment="bottom")
    page = st.number_input(f"Page (of {pages})", 1, pages, key=f"{key}:page:{pages}", width=160) if pages > 1 else 1
    shown = rows.iloc[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    visible = shown[column_looks.filled(shown, columns)]
    st.caption(count(len(rows), noun))
    turn = st.session_state.setdefault("review_turn", 0)
    selection = st.dataframe(
        column_looks.for_screen(visible),
        key=f"{key}:table:{page}:{turn}",
        hide_index=True,
        column_config=column_looks.configure(visible),
        height=show.TABLE_HEIGHT if len(visible) > 12 else "content",
        on_select="rerun",
        selection_mode="multi-row",
    )
    selected = shown.iloc[[row for row in selection["selection"]["rows"] if row < len(shown)]]
    with action:
        state = st.selectbox("State", [label.word for label in STATES], index=None, key=f"{key}:mark:state")
        note = st.text_input("Note", key=f"{key}:mark:note", placeholder="Optional")
        for words, some in (("selected", selected), ("that fit", rows)):
            label = f"Set for the {len(some):,} {words}"
            if st.button(label, key=f"{key}:mark:{words}", disabled=state is None or some.empty):
                _decide(scope, some[item].drop_duplicates().tolist(), str(state), note)


def load_review() -> None:
    """Show the uploader of a saved review; what it holds joins what was decided and has the last word."""
    loaded = _uploaded("A review that was downloaded here (csv)", ["csv"], "review", read_review)
    if loaded is not None:
        st.session_state["review"] = current().joined(loaded)
        _turn()


def download_review() -> None:
    """Offer what was decided as csv, which `load_review` takes again."""
    table = current().to_table()
    st.download_button(
        f"Review ({len(table):,} decided, csv)",
        lambda: write_csv(table, for_spreadsheets=True),
        "review.csv",
        "text/csv",
        key="review:csv",
        on_click="ignore",
        disabled=table.empty,
    )


def explained(risks: Risks) -> pd.DataFrame:
    """Return the signals with their counts and their meaning, with the headers a reader sees."""
    return risks.signal_counts.drop(columns="name").rename(columns={"label": "Signal"})


def existing_file() -> DisavowFile:
    """Show the uploader of the disavow file that Google has now, and return it; an empty one if there is none."""
    loaded = _uploaded("Your present disavow file (txt), if you have one", ["txt"], "disavow", parse_disavow_file)
    if loaded is not None:
        st.session_state["disavow_file"] = loaded
    return st.session_state.get("disavow_file", DisavowFile())


def preview(result: RiskReview, existing: DisavowFile) -> None:
    """Show what the new disavow file changes, its lines, and its download; or why it cannot be written."""
    for note in existing.notes:
        st.info(note)
    try:
        data = result.disavow_bytes(existing)
        changes = result.disavow_changes(existing)
    except AuditError as problem:
        st.error(str(problem))
        return
    new = parse_disavow_file(data)
    show.figures(
        [
            ("Domains", len(new.domains), "Lines that begin with domain:"),
            ("URLs", len(new.urls), "Single pages."),
            ("Comments", new.comments, "Lines that begin with #, kept from your file."),
            ("Added", int((changes["Change"] == "added").sum()), "Entries that your present file has not."),
            ("Left out", int((changes["Change"] == "left out").sum()), "Repeats, covered, withdrawn or broken lines."),
        ]
    )
    if not new.lines:
        st.info(
            f"Nothing is disavowed: every domain is {UNDECIDED.word} or kept. Set the state “disavow” in the review."
        )
        return
    show.table(changes, "disavow:changes", noun="change", search=False)
    st.code("\n".join(data.decode().splitlines()[:PREVIEW_LINES]), language=None)
    st.download_button(
        "Download disavow.txt", data, "disavow.txt", "text/plain", key="disavow:txt", on_click="ignore", type="primary"
    )


def _decide(scope: Scope, items: list[str], state: str, note: str) -> None:
    st.session_state["review"] = current().decide(scope, items, state, note or None)
    _turn()


def _turn() -> None:
    """Draw the review anew, with nothing selected."""
    st.session_state["review_turn"] = st.session_state.get("review_turn", 0) + 1
    st.rerun()


def _uploaded(label: str, types: list[str], key: str, read: Callable[[bytes, str], T]) -> T | None:
    """Show an uploader; return what a new file holds, once; show the sentence if it cannot be read."""
    file = st.file_uploader(label, type=types, key=f"upload:{key}")
    if file is None or st.session_state.get(f"taken:{key}") == file.file_id:
        return None
    try:
        found = read(file.getvalue(), file.name)
    except AuditError as problem:
        st.error(str(problem))
        return None
    st.session_state[f"taken:{key}"] = file.file_id
    return found
