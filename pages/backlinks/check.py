"""Which links are still on their pages?"""

import streamlit as st

from backlink_audit.check.tables import tables
from backlink_audit.labels import CHECK_STATES
from backlink_audit.ui import menu, show
from backlink_audit.ui.pages import check, inputs

COLUMNS = (
    *("check_state", "check_note", "referring_page", "target_url", "anchor", "place", "text_before", "page_anchor"),
    *("text_after", "link_state", "final_url"),
)

st.title(menu.CHECK.title)
check.require_allowed()
place = inputs.place("check", "backlinks", label=menu.CHECK.button)
with place:
    links = inputs.file("backlinks")
    with st.expander("Settings"):
        settings = check.settings()
result = check.run(links, settings, place)
if result is None:
    st.stop()

show.headline(result.headline)
show.figures([(state.word.capitalize(), result.counts[state.word], state.meaning) for state in CHECK_STATES])
check.use_in_audit(result)
show.table(
    result.links, "checked", columns=COLUMNS, filters=("check_state", "place"), noun="link", stem="checked-links"
)
show.downloads(tables(result), "checked-links")
