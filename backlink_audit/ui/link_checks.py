"""Whether pages may be asked here, and how: for every page that asks some."""

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.fetching.ask import require_packages
from backlink_audit.settings import CheckSettings
from backlink_audit.ui import inputs, show, store
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
