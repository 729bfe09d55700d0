"""The risk review in the browser: the signals, their limits, and the table in which decisions are made."""

from collections.abc import Callable, Hashable, Mapping

import pandas as pd
import streamlit as st

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import STATES
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.risk.question import Question
from backlink_audit.pipelines.risk.result import (
    LIMIT_LABELS,
    SIGNALS,
    Review,
    RiskReview,
    Risks,
    Scope,
    read_review,
)
from backlink_audit.pipelines.risk.run import review_risks
from backlink_audit.progress import Progress
from backlink_audit.report.csv import write_csv
from backlink_audit.settings import BacklinkFilters, RiskLimits
from backlink_audit.ui import session
from backlink_audit.ui.files import uploads
from backlink_audit.ui.jobs import jobs
from backlink_audit.ui.pages import outreach_desk
from backlink_audit.ui.pages.risk import decisions
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import detail, download, show, worktable
from backlink_audit.ui.tables.columns import filled, labelled, sources
from backlink_audit.wording import count

LABEL = "Find risk signals"
SETS: Mapping[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "To review": lambda rows: rows[rows["to_review"]],
    "Signals, but not to review": lambda rows: rows[(rows["signals"] > 0) & ~rows["to_review"]],
    "All": lambda rows: rows,
}
"""What the table can show of an audit's links, and which rows that are."""


def risks(backlinks: Export, audit: Audit | None, filters: BacklinkFilters, limits: RiskLimits) -> Risks | None:
    """Show the progress while the signals are looked for, and return them, or None until they are there."""

    def work(progress: Progress) -> Risks:
        return review_risks(audit or backlinks, filters, limits, on_progress=progress)

    key: Hashable = (backlinks.fingerprint, audit.made_at if audit else None, filters, limits)
    return jobs.run(key, LABEL, work, automatic=True)


def reviewed(risks: Risks) -> RiskReview:
    """Return the risks with what was decided and won; made again only when one of these is another."""
    review, won = decisions.current(), outreach_desk.won_sites()
    before: frozenset[str] = session.kept(Key.WON, frozenset)
    won = before if won == before else session.keep(Key.WON, won)
    return session.made_of(Key.REVIEWED, (risks, review, won), lambda: RiskReview(risks, review, won))


def limits(key: str) -> RiskLimits:
    """Show from where a fact counts as a risk signal; each default is its field's.

    Limits that contradict each other leave a sentence and stop the page.
    """
    defaults = RiskLimits()
    with st.grid(min_column_width=190):
        chosen = {
            name: st.number_input(
                words,
                *RiskLimits.RANGES[name],
                int(getattr(defaults, name)),
                key=f"{key}:{name}",
                persist_state="session",
            )
            for name, words in LIMIT_LABELS.items()
        }
    try:
        return RiskLimits(**chosen)
    except InvalidSetting as problem:
        show.problem(problem)
        st.stop()


def filtered(rows: pd.DataFrame, key: str, columns: tuple[str, ...], judged: bool) -> pd.DataFrame:
    """Show the filters of the review and return the rows they leave: to review or not, signals, words, state.

    With an audit the choice is between what it asks to review and what only shows signals; without one, how many.
    """
    words = {signal.name: signal.label for signal in SIGNALS if (rows[signal.name] != "").any()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if judged:
            chosen_set = st.segmented_control(
                "Show", list(SETS), default=next(iter(SETS)), required=True, key=f"{key}:set", persist_state="session"
            )
            left = SETS[str(chosen_set)](rows)
        else:
            least = st.segmented_control(
                "Minimum signals", (0, 1, 2, 3), default=1, required=True, key=f"{key}:least", persist_state="session"
            )
            left = rows[rows["signals"] >= least]
        chosen = st.multiselect(
            "Any of these signals",
            list(words),
            format_func=words.__getitem__,
            key=f"{key}:signals",
            persist_state="session",
        )
    if chosen:
        left = left[(left[chosen] != "").any(axis=1)]
    return show.filtered(left, key, columns=sources(columns), filters=("state", "verdict"))


def mark(risks: Risks, rows: pd.DataFrame, scope: Scope, key: str, columns: tuple[str, ...]) -> None:
    """Show rows a page at a time, let some be selected, and set the state of those or of all rows."""
    noun = "domain" if scope == "domain" else "link"
    action = st.container(horizontal=True, vertical_alignment="bottom")
    decisions.offer_undo()
    page, shown = worktable.page_to_mark(rows, key)
    visible = filled(shown, columns)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(count(len(rows), noun), width="stretch")
        download.button(
            "Download these rows",
            lambda: write_csv(labelled(rows), for_spreadsheets=True),
            f"risk-{noun}s.csv",
            download.CSV,
            f"{key}:rows",
        )
    places = worktable.grid(shown, f"{key}:table:{page}:{decisions.turn()}", visible, None, select="multi-row")
    selected = shown.iloc[places]
    if len(selected) == 1:
        in_full(risks, selected.iloc[0], scope)
    with action:
        state = st.selectbox("New state", [label.word for label in STATES], index=None, key=f"{key}:mark:state")
        note = st.text_input("Note", key=f"{key}:mark:note", placeholder="Optional")
        for name, label, some in (
            ("selected", f"Apply to the {len(selected):,} selected", selected),
            ("filtered", f"Apply to all {len(rows):,} filtered", rows),
        ):
            if st.button(label, key=f"{key}:mark:{name}", disabled=state is None or some.empty):
                decisions.decide(Question(risks, scope, some, str(state), note))
    decisions.ask()


def in_full(risks: Risks, row: pd.Series, scope: Scope) -> None:
    """Show a domain or a link in full, each of its signals with its evidence."""
    evidence = [(signal.label, row[signal.name]) for signal in SIGNALS]
    story = detail.DOMAIN if scope == "domain" else detail.LINK
    in_file = None if scope == "domain" else detail.same_row(risks.export.raw, row)
    detail.show(row, story, reasons=evidence, labels=risks.authority_labels, in_file=in_file)


def load_review() -> None:
    """Show the uploader of a saved review, whose decisions replace earlier ones, and a way to remove all decisions."""
    found = uploads.read_at_once("A review downloaded from this page (csv)", ["csv"], "review", read_review)
    review = decisions.current()
    if found is not None:
        decisions.change(review.joined(found[1]), f"{count(len(found[1].decisions), 'decision')} loaded.")
    if st.button("Delete all decisions", key="review:remove", disabled=not review.decisions):
        decisions.change(Review(), f"{count(len(review.decisions), 'decision')} removed.")


def download_review() -> None:
    """Offer what was decided as csv, which `load_review` takes again."""
    table = decisions.current().to_table()
    download.button(
        f"Review ({len(table):,} decided, csv)",
        lambda: write_csv(table, for_spreadsheets=True),
        "review.csv",
        download.CSV,
        "review:csv",
        disabled=table.empty,
    )


def explained(risks: Risks) -> pd.DataFrame:
    """Return the signals with their counts and their meaning, with the headers a reader sees."""
    return risks.signal_counts.drop(columns="name").rename(columns={"label": "Signal"})
