"""Which backlinks come from pages about the same subject as the page they point to?"""

import streamlit as st

from backlink_audit.audit import charts
from backlink_audit.audit.tables import tables
from backlink_audit.ui import files_panel, instant, menu, show, upload_state, uploads
from backlink_audit.ui.pages import audit, inputs, report, to_do
from backlink_audit.ui.pages import inputs as pages_inputs

st.title(menu.AUDIT.title)
given = upload_state.get("backlinks")
if given is not None and not audit.is_shown():
    files_panel.card(given)
start, place = st.container(), audit.inputs_place()
with place:
    shown = st.container()
    backlinks = inputs.file("backlinks")
    others = inputs.other_files("audit")
    with st.expander("Settings"):
        settings = inputs.audit_settings()
instant.offer_multilingual(settings.model, [backlinks], audit.MODEL)
with start:
    whole = audit.run(backlinks, settings, others, place)
if whole is None:
    st.stop()
with shown:
    result = audit.chosen(whole, pages_inputs.shown_links())
if result.links.empty:
    show.nothing_chosen(result.state_counts)
    st.stop()

show.headline(result.headline)
show.note(result.choice_sentence)
show.note(result.subject_note)
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
show.figures(audit.figures(result))

to_do_now, links, domains, explored, downloads = st.tabs(
    ["Do this now", "Links", "Domains", "Explore", "Downloads"], on_change="rerun", key=audit.TABS
)
if to_do_now.open:
    with to_do_now:
        to_do.opened_list(result, to_do.cards(result))
        show.chart_of(result, lambda it: charts.verdicts(it.links, it.lost_note), "verdicts", audit.open_links)
if links.open:
    with links:
        audit.links(result)
if domains.open:
    with domains:
        audit.domains(result)
if explored.open:
    with explored:
        audit.show_view(result)
if downloads.open:
    with downloads:
        st.caption(
            "Every scored link. The workbook also contains excluded rows, if there are any. Files are created when "
            "you click."
        )
        show.downloads(tables(result), "backlink-audit")
        uploads.offer(result)
        uploads.offer_template(result)
        report.offer(result)
