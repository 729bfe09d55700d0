"""A row in full beside its table."""

from streamlit.testing.v1 import AppTest

from backlink_audit.ui.show import link, plain
from tests.ui.app import open_app

PAGE = "pages/backlinks/audit.py"


def open_table(monkeypatch):
    app = open_app(monkeypatch, PAGE, with_sample=True)
    app.session_state["audit:tabs"] = "Links"
    return app.run()


def texts(app):
    return "\n".join(text.value for text in app.markdown)


def test_a_selected_link_is_shown_in_full_beside_the_table(monkeypatch):
    app = open_table(monkeypatch)
    shown = app.dataframe[0].value
    assert "On: [" not in texts(app)

    key = f"links:table:{hash(tuple(shown.index))}"
    app.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [(2, "anchor")]}}
    app.run()
    link = shown.iloc[2]
    assert f"](<{link['open_referring_page']}>)" in texts(app)
    assert f"](<{link['target_url']}>)" in texts(app)
    assert f"**Why:** {link['why'].split()[0]}" in texts(app)
    assert f"**{link['anchor']}**" in texts(app)
    assert "| CAS percentile |" in texts(app)
    assert "This row in your file" in [box.label for box in app.expander]


def test_a_row_selected_before_a_filter_is_not_taken_for_the_row_in_its_place(monkeypatch):
    app = open_table(monkeypatch)
    key = f"links:table:{hash(tuple(app.dataframe[0].value.index))}"
    app.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [(0, "anchor")]}}
    app.run()
    assert "On: [" in texts(app)
    app.multiselect(key="links:verdict").set_value(["Review"]).run()
    assert "On: [" not in texts(app)


def test_what_a_page_says_of_itself_is_no_markup_and_no_link_but_to_the_web():
    assert link("javascript:alert(1)") == "javascript:alert(1)"
    assert link("https://a.example/<b> |x)", "y](z)") == r"[y\](z)](<https://a.example/%3Cb%3E%20|x)>)"
    assert "https://" not in plain("see https://a.example and <b>www.b.example</b>")


def test_a_row_without_most_fields_is_shown_too():
    def page():
        import pandas as pd

        from backlink_audit.ui import show

        show.one_row(pd.Series({"referring_title": "a|b", "referring_url": "ftp://a", "cas": float("nan")}), show.LINK)

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.markdown[0].value.startswith("**a|b**")
    assert "On: ftp" in texts(app)
