"""How did the project's figures move, and what was won and lost between any two snapshots?"""

import streamlit as st

from backlink_audit.changes import charts as change_charts
from backlink_audit.profile import charts as profile_charts
from backlink_audit.projects import charts
from backlink_audit.ui import menu, show
from backlink_audit.ui.pages import history, inputs, report

st.title(menu.HISTORY.title)
found = history.of_open_project()
if found is None:
    st.stop()
show.headline(found.headline)
show.figures(history.figures(found))

tabs = ["Over time", "Between two snapshots", "By month", "Snapshots", "Report"]
over_time, between, months, snapshots, for_client = st.tabs(tabs, on_change="rerun", key="history:tabs")
if over_time.open:
    with over_time:
        with st.grid(2, min_column_width=380, gap="medium"):
            with st.container():
                name, label = history.figure()
                show.chart(charts.over_time(found.figures, name, label, found.before), "history-figure")
            with st.container():
                earned = history.earned(found)
                if earned is not None:
                    show.chart(charts.over_time(found.figures, *earned), "history-earned")
                    show.note(history.OF_THE_FILE)
        history.compare_all(found)
        with st.grid(2, min_column_width=380, gap="medium"):
            show.chart(charts.moves(found.figures), "history-moves")
            show.chart(charts.verdicts(found.figures), "history-verdicts")
if between.open:
    with between:
        comparison = history.between(found)
        if comparison is not None:
            show.headline(comparison.headline)
            with st.grid(2, min_column_width=380, gap="medium"):
                show.chart(change_charts.cas_moved(comparison.domains), "history-cas")
                show.chart(change_charts.verdict_moves(comparison.verdict_moves), "history-verdict-moves")
            history.changed(comparison)
if months.open:
    with months:
        shown = inputs.months(found.months, "history") if len(found.months) else found.months
        show.chart(profile_charts.months(shown), "history-months")
if snapshots.open:
    with snapshots:
        history.snapshots(found)
if for_client.open:
    with for_client:
        report.offer()
