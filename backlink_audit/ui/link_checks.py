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
    with st.grid(min_column_width=240):
        pace = inputs.setting(CheckSettings, "pace", f"{key}:pace")
        age = inputs.setting(CheckSettings, "max_age", f"{key}:age")
    return CheckSettings(pace=pace, max_age=age)
