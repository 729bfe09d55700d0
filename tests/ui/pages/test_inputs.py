import pytest
from streamlit.testing.v1 import AppTest

from backlink_audit.settings import DEFAULT_MODEL, AuditSettings, BacklinkFilters, PageFilters
from backlink_audit.ui import menu
from tests.ui.app import open_app, sample_file, upload


def audit_settings():
    import streamlit as st

    from backlink_audit.ui import inputs as asked

    st.session_state["settings"] = asked.audit_settings()


def page_filters():
    import streamlit as st

    from backlink_audit.ui import inputs as asked

    st.session_state["settings"] = asked.page_filters("pages")


def test_the_widgets_of_an_audit_default_to_the_fields_defaults():
    app = AppTest.from_function(audit_settings, default_timeout=30).run()
    assert app.session_state["settings"] == AuditSettings()


def test_the_widgets_of_page_filters_default_to_the_fields_defaults():
    app = AppTest.from_function(page_filters, default_timeout=30).run()
    assert app.session_state["settings"] == PageFilters()


def test_a_changed_widget_changes_its_setting_alone():
    app = AppTest.from_function(audit_settings, default_timeout=30).run()
    app.checkbox(key="audit:filters:repeats").uncheck().run()
    assert app.session_state["settings"] == AuditSettings(filters=BacklinkFilters(repeats=False))


def test_the_model_chooser_says_which_models_are_ready():
    app = AppTest.from_function(audit_settings, default_timeout=30).run()
    options = app.selectbox(key="audit:model").options
    assert any(option.startswith("all-MiniLM-L6-v2") and "ready" in option for option in options)
    assert any("will be downloaded" in option for option in options)


FOLDING = {
    "backlinks/profile": ("longroad-backlinks-2025-11.csv", "live links"),
    "backlinks/competitors": ("farpedal-backlinks.csv", "live links"),
    "backlinks/risk": ("longroad-backlinks-2025-11.csv",),
    "backlinks/gap": ("farpedal-backlinks.csv", AuditSettings().model),
    "backlinks/changes": ("longroad-backlinks-2025-05.csv", AuditSettings().model),
    "internal_links/authority": ("longroad-all-inlinks.csv (",),
    "internal_links/clusters": ("longroad-crawl.csv (", DEFAULT_MODEL),
    "internal_links/existing_links": ("longroad-all-inlinks.csv (",),
    "internal_links/internal_links": ("longroad-crawl.csv (", "longroad-all-inlinks.csv", DEFAULT_MODEL),
    "internal_links/redirects": ("longroad-crawl-2023.csv (", "longroad-crawl.csv"),
}
"""Pages that run something, and what the line of their inputs names of the sample."""


@pytest.mark.parametrize("page", FOLDING)
def test_once_there_is_a_result_the_inputs_are_behind_one_line_that_names_them(monkeypatch, page):
    app = open_app(monkeypatch, f"pages/{page}.py", with_sample=True)
    [line] = [box for box in app.expander if box.label.startswith("Change files and settings: ")]
    assert all(words in line.label for words in FOLDING[page])
    inside = [box.label for box in line.expander]
    assert "Settings" in inside and len(inside) > 1
    beside = {box.label for box in app.main.expander} - {line.label, *inside}
    assert not {name for name in beside if ".csv" in name}, "no file stands outside the line"
    runs = [button for button in app.main.button if (button.key or "").startswith("run:")]
    assert all(_within(line, button) for button in runs)


def test_before_the_run_files_and_settings_are_on_the_page(monkeypatch):
    app = upload(open_app(monkeypatch, "pages/internal_links/clusters.py"), *sample_file("pages"), role="pages")
    assert not any(box.label.startswith("Change files") for box in app.expander)
    app.button(key=f"run:{menu.CLUSTERS.button}").click().run()
    [line] = [box for box in app.expander if box.label.startswith("Change files and settings: ")]
    assert _within(line, app.button(key=f"run:{menu.CLUSTERS.button}"))


def _within(line, button):
    return any(one.key == button.key for one in line.button)
