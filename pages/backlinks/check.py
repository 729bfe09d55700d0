"""Which links are still on their pages?"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.check.result import LinkCheck
from backlink_audit.check.run import check, question_of
from backlink_audit.check.tables import tables
from backlink_audit.embedding.cache import checks_file
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.fetching.ask import ask, plan_of, require_packages
from backlink_audit.labels import CHECK_STATES
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_csv
from backlink_audit.settings import CheckSettings
from backlink_audit.ui import audit, inputs, jobs, menu, show, store, upload_state
from backlink_audit.ui.access import limits

OFF = (
    "The link check is switched off: other people use this app, and the requests would come from this server. The "
    "administrator can allow it; or run `backlink-audit check` on your own computer."
)


def require_allowed() -> None:
    """End the page where the check is off, or its packages are missing."""
    if store.is_served_to_others() and not limits().link_checks:
        st.info(OFF)
        st.stop()
    try:
        require_packages()
    except AuditError as problem:
        st.info(show.plain(str(problem)))
        st.stop()


def asked_settings(key: str = "check") -> CheckSettings:
    """Show how the pages are asked, and return it as settings."""
    defaults = CheckSettings()
    with st.grid(min_column_width=240):
        pace = st.number_input(
            "Seconds between two requests to the same host",
            *(1.0, 3600.0, defaults.pace, 1.0),
            **inputs.kept(f"{key}:pace"),
        )
        age = st.number_input(
            "Ask again if the last answer is older than (days)",
            *(0.0, 3650.0, defaults.max_age, 1.0),
            **inputs.kept(f"{key}:age"),
        )
    return CheckSettings(pace=pace or defaults.pace, max_age=defaults.max_age if age is None else age)


def run(links: Export, settings: CheckSettings, place: DeltaGenerator) -> LinkCheck | None:
    """Say what a check would send, show the button and the progress; return the last result, or None."""
    question = question_of(links)
    key = (links.fingerprint, settings)
    if jobs.last(menu.CHECK.button, key) is None:
        plan = plan_of(question.urls, question.sites, settings, checks_file())
        st.caption(show.plain(plan.sentence))

    def work(progress: Progress) -> LinkCheck:
        return check(question, *ask(question.urls, question.sites, settings, checks_file(), progress))

    return jobs.run(key, menu.CHECK.button, work, again_in=place)


def use_in_audit(result: LinkCheck) -> None:
    """Show the button that audits the export again with what its pages say."""
    if st.button("Audit the links as their pages have them", key="check-use", type="primary"):
        upload_state.put("checked", [("checked-links.csv", write_csv(tables(result).main()))])
        audit.ask()
        st.switch_page(menu.AUDIT.path)


COLUMNS = (
    *("check_state", "check_note", "referring_page", "target_url", "anchor", "place", "text_before", "page_anchor"),
    *("text_after", "link_state", "final_url"),
)

st.title(menu.CHECK.title)
require_allowed()
place = inputs.place("check", "backlinks", label=menu.CHECK.button)
with place:
    links = inputs.file("backlinks")
    with st.expander("Settings"):
        settings = asked_settings()
result = run(links, settings, place)
if result is None:
    st.stop()

show.headline(result.headline)
show.figures([(state.word.capitalize(), result.counts[state.word], state.meaning) for state in CHECK_STATES])
use_in_audit(result)
show.table(
    result.links, "checked", columns=COLUMNS, filters=("check_state", "place"), noun="link", stem="checked-links"
)
show.downloads(tables(result), "checked-links")
