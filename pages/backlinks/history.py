"""How did the project's figures move, and what was won and lost between any two snapshots?"""

import streamlit as st

from backlink_audit.changes import charts as change_charts
from backlink_audit.errors import StoreProblem
from backlink_audit.profile import charts as profile_charts
from backlink_audit.progress import Progress
from backlink_audit.projects import client_report
from backlink_audit.projects import history as kept
from backlink_audit.projects.history import Comparison, History, compare, keep_earned, source_in_words
from backlink_audit.projects.snapshots import Snapshot, remove, set_day
from backlink_audit.report.client import EARNED_KEY, LABELS, in_words, label_of
from backlink_audit.report.rows import sheet
from backlink_audit.ui import changes, inputs, jobs, menu, projects, report, show, upload_state
from backlink_audit.wording import count

PAIR_LABEL = "Compare the two snapshots"
DOMAINS = sheet("history.domains", lambda comparison: comparison.domains)
LINKS = sheet("history.links", lambda comparison: comparison.ranked, lambda comparison: comparison.authority_labels)
SNAPSHOTS = sheet(
    "history.snapshots",
    lambda history: history.figures[::-1],
    lambda history: {"authority": label_of("authority", history.snapshots[-1].figures)},
)
OF_THE_FILE = (
    "Each snapshot has the clicks and visits of its own file. Use files that cover periods of the same length."
)


def of_open_project() -> History | None:
    """Return the history of the open project; None, said in a sentence, where there is none."""
    opened = projects.open_or_ask("History needs an open project, which saves every audit as a snapshot.")
    if opened is None:
        return None
    try:
        found = kept.history(projects.opened(), opened.project)
    except StoreProblem as problem:
        show.problem(problem)
        return None
    if found is None:
        st.info("This project has no snapshots yet. While it is open, every audit is saved as a snapshot.")
    return found


def figures(history: History) -> list[show.Figure]:
    """Return the figures of the last snapshot."""
    last = history.snapshots[-1].figures
    help_text = f"In the snapshot of {history.snapshots[-1].day}."
    return [(label_of(name, last), in_words(name, last.get(name)), help_text) for name in LABELS]


def figure() -> tuple[str, str]:
    """Show which figure is drawn over the snapshots, and return its name and its word."""
    names = ("domains", *(name for name in LABELS if name != "domains"))
    name = st.selectbox("Metric", names, format_func=lambda name: LABELS[name], key="history:figure", width=260)
    return name, LABELS[name]


def earned_figure(history: History) -> tuple[str, str] | None:
    """Show which clicks or visits are drawn beside it, and return their name and word; None, said, without any."""
    words = history.earned
    if not words:
        st.caption(
            "No snapshot has clicks or visits yet. A new snapshot saves them from the loaded file. For an older "
            "snapshot, load its file, then select the snapshot on the tab Snapshots."
        )
        return None
    names = list(words)
    name = st.selectbox("Clicks and visits", names, format_func=words.__getitem__, key="history:earned", width=260)
    return name, words[name]


def compare_all(history: History) -> None:
    """Offer to compare each snapshot with the one before, where some were not."""
    if not history.uncompared:
        return
    place = projects.opened()

    def work(progress: Progress) -> int:
        return kept.compare_neighbours(place, history, progress)

    key = tuple(one.id for one in history.snapshots), len(history.moves)
    show.note(f"New and lost links are not calculated yet for {count(history.uncompared, 'snapshot')}.")
    if jobs.run(key, menu.HISTORY.button, work) is not None:
        jobs.put(menu.HISTORY.button, None, None)
        st.rerun()


def show_between(history: History) -> Comparison | None:
    """Show which two snapshots are compared, and return the comparison once it is made."""
    snapshots = list(history.snapshots)
    if len(snapshots) < 2:
        st.info("There is only one snapshot. Audit a newer file to add a second one.")
        return None
    with st.container(horizontal=True):
        older = _choose("Older", snapshots[:-1], len(snapshots) - 2)
        newer = _choose("Newer", [one for one in snapshots if snapshots.index(one) > snapshots.index(older)], -1)
    place = projects.opened()
    key = (older.id, newer.id, older.audited_at, newer.audited_at)
    result: Comparison | None = jobs.run(key, PAIR_LABEL, lambda _: compare(place, older, newer), automatic=True)
    return result if jobs.last(PAIR_LABEL, key) is not None else None


def changed(comparison: Comparison) -> None:
    """Show the links and the referring domains of a comparison."""
    show.table(LINKS, comparison, detail=changes.in_full(comparison.authority_labels))
    st.subheader("Referring domains", anchor=False)
    show.table(DOMAINS, comparison)


def all_snapshots(history: History) -> None:
    """Show the snapshots, the newest first, with a way to set the day of one right and to delete it."""
    st.caption("Select a snapshot to change its date, to add clicks and visits, or to delete it.")
    show.table(SNAPSHOTS, history, detail=lambda row: _edit(history.snapshots[int(str(row.name))]))


def _choose(label: str, snapshots: list[Snapshot], place: int) -> Snapshot:
    place = place % len(snapshots)
    chosen = st.selectbox(
        show.plain(label), snapshots, place, format_func=_named, key=f"history:{label.lower()}", width=340
    )
    return chosen if chosen in snapshots else snapshots[place]


def _named(snapshot: Snapshot) -> str:
    return f"{snapshot.day}, {snapshot.origin['file']}"


def _keep_earned(snapshot: Snapshot) -> None:
    opened, performance = projects.current(), upload_state.get("performance")
    words, found = source_in_words(snapshot.figures), snapshot.figures.get(EARNED_KEY, {})
    st.caption(f"Clicks and visits: {show.plain(words or 'none')}")
    if opened is None or performance is None or found.get("fingerprint") == performance.fingerprint:
        return
    label = f"{'Replace them with' if words else 'Add'} the file {show.plain(performance.name)}"
    if st.button(label, key=f"history:earned:{snapshot.id}"):
        projects.attempt(lambda: keep_earned(projects.opened(), opened.project, snapshot, performance, replace=True))


def _edit(snapshot: Snapshot) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="bottom"):
        day = st.date_input(
            f"Date of {show.plain(snapshot.origin['file'])}", snapshot.day, key=f"history:day:{snapshot.id}", width=260
        )
        if st.button("Edit the date", key=f"history:set:{snapshot.id}", disabled=day == snapshot.day):
            projects.attempt(lambda: set_day(projects.opened(), snapshot, day))
        with st.popover("Delete"):
            st.markdown(
                f"The snapshot of {show.plain(str(snapshot.day))} and its links will be deleted. This cannot be undone."
            )
            if st.button("Delete it", key=f"history:delete:{snapshot.id}", type="primary"):
                projects.attempt(lambda: remove(projects.opened(), snapshot))
    _keep_earned(snapshot)


st.title(menu.HISTORY.title)
found = of_open_project()
if found is None:
    st.stop()
show.headline(found.headline)
show.figures(figures(found))

tabs = ["Over time", "Between two snapshots", "By month", "Snapshots", "Report"]
over_time, between, months, snapshots, for_client = st.tabs(tabs, on_change="rerun", key="history:tabs")
if over_time.open:
    with over_time:
        with st.grid(2, min_column_width=380, gap="medium"):
            with st.container():
                name, label = figure()
                show.chart(client_report.over_time(found.figures, name, label, found.before), "history-figure")
            with st.container():
                earned = earned_figure(found)
                if earned is not None:
                    show.chart(client_report.over_time(found.figures, *earned), "history-earned")
                    show.note(OF_THE_FILE)
        compare_all(found)
        with st.grid(2, min_column_width=380, gap="medium"):
            show.chart(client_report.moves(found.figures), "history-moves")
            show.chart(client_report.verdicts(found.figures), "history-verdicts")
if between.open:
    with between:
        comparison = show_between(found)
        if comparison is not None:
            show.headline(comparison.headline)
            with st.grid(2, min_column_width=380, gap="medium"):
                show.chart(change_charts.cas_moved(comparison.domains), "history-cas")
                show.chart(change_charts.verdict_moves(comparison.verdict_moves), "history-verdict-moves")
            changed(comparison)
if months.open:
    with months:
        shown = inputs.months(found.months, "history") if len(found.months) else found.months
        show.chart(profile_charts.months(shown), "history-months")
if snapshots.open:
    with snapshots:
        all_snapshots(found)
if for_client.open:
    with for_client:
        report.offer()
