"""Which links are still on their pages?"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.check.run import LINKS, LinkCheck, check, question_of, tables
from backlink_audit.embedding.encoder import checks_file
from backlink_audit.exports.recognise import Export
from backlink_audit.fetching.ask import ask, plan_of
from backlink_audit.labels import CHECK_STATES
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_csv
from backlink_audit.settings import CheckSettings
from backlink_audit.ui import audit, inputs, jobs, menu, show, upload_state


def run(links: Export, settings: CheckSettings, place: DeltaGenerator) -> LinkCheck | None:
    """Say what a check would send, show the button and the progress; return the last result, or None."""
    question = question_of(links)
    key = (links.fingerprint, settings)
    if jobs.last(menu.CHECK.button, key) is None:
        plan = plan_of(question.urls, question.sites, settings, checks_file())
        st.caption(show.plain(plan.sentence))

    def work(progress: Progress) -> LinkCheck:
        return check(question, *ask(question.urls, question.sites, settings, checks_file(), progress))

    return jobs.run(key, menu.CHECK.button, work, at_once=False, again_in=place)


def use_in_audit(result: LinkCheck) -> None:
    """Show the button that audits the export again with what its pages say."""
    if st.button("Audit the links as their pages have them", key="check-use", type="primary"):
        upload_state.put("checked", [("checked-links.csv", write_csv(tables(result).main()))])
        audit.ask()
        st.switch_page(menu.AUDIT.path)


st.title(menu.CHECK.title)
inputs.require_allowed()
place = inputs.place("check", "backlinks", label=menu.CHECK.button)
with place:
    links = inputs.file("backlinks")
    with st.expander("Settings"):
        settings = inputs.asked_settings()
result = run(links, settings, place)
if result is None:
    st.stop()

show.headline(result.headline)
show.figures([(state.word.capitalize(), result.counts[state.word], state.meaning) for state in CHECK_STATES])
use_in_audit(result)
show.table(LINKS, result)
show.downloads(tables(result), "checked-links")
