from streamlit.testing.v1 import AppTest

from backlink_audit.settings import AuditSettings, BacklinkFilters, PageFilters
from backlink_audit.ui.pages import inputs


def audit_settings():
    import streamlit as st

    from backlink_audit.ui.pages import inputs

    st.session_state["settings"] = inputs.audit_settings()


def page_filters():
    import streamlit as st

    from backlink_audit.ui.pages import inputs

    st.session_state["settings"] = inputs.page_filters("pages")


def test_the_widgets_of_an_audit_default_to_the_fields_defaults():
    app = AppTest.from_function(audit_settings, default_timeout=30).run()
    assert app.session_state["settings"] == AuditSettings()


def test_the_widgets_of_page_filters_default_to_the_fields_defaults():
    app = AppTest.from_function(page_filters, default_timeout=30).run()
    assert app.session_state["settings"] == PageFilters()


def test_every_filter_has_a_name_on_screen():
    assert set(inputs.BACKLINK_FILTER_NAMES) == set(BacklinkFilters.__dataclass_fields__)
    assert set(inputs.PAGE_FILTER_NAMES) == set(PageFilters.__dataclass_fields__)


def test_a_changed_widget_changes_its_setting_alone():
    app = AppTest.from_function(audit_settings, default_timeout=30).run()
    app.checkbox(key="audit:filters:repeats").uncheck().run()
    assert app.session_state["settings"] == AuditSettings(filters=BacklinkFilters(repeats=False))


def test_the_model_chooser_says_which_models_are_ready():
    app = AppTest.from_function(audit_settings, default_timeout=30).run()
    options = app.selectbox(key="audit:model").options
    assert any(option.startswith("all-MiniLM-L6-v2") and "ready" in option for option in options)
    assert any("will be downloaded" in option for option in options)
