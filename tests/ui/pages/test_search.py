"""The search box of a table by meaning: on the links, prospects, suggestions and pages of the sample (toy encoder)."""

import pytest

from tests.ui.app import open_app

INTERLINKS = "pages/internal_links/internal_links.py"
PLACES = [
    ("pages/backlinks/audit.py", "audit:tabs", "Links", "links"),
    ("pages/backlinks/gap.py", "gap:tabs", "Prospects", "prospects"),
    (INTERLINKS, "interlinks:tabs", "Links", "links"),
    (INTERLINKS, "interlinks:tabs", "Pages", "pages"),
]


def searched(monkeypatch, place, words):
    page, tabs, tab, key = place
    app = open_app(monkeypatch, page, with_sample=True)
    app.session_state[tabs] = tab
    app.run()
    whole = len(app.dataframe[0].value)
    app.toggle(key=f"{key}:meaning").set_value(True)
    app.text_input(key=f"{key}:search").set_value(words).run()
    assert not app.exception
    return app, whole


@pytest.mark.parametrize("place", PLACES)
def test_a_table_is_searched_by_meaning_best_match_first_and_says_why_each_row_was_found(place, monkeypatch):
    app, whole = searched(monkeypatch, place, "panniers")
    left = app.dataframe[0].value
    assert 0 < len(left) < whole
    assert left["match"].iloc[0] == "exact words"


def test_a_query_without_a_word_leaves_no_row_and_says_so(monkeypatch):
    app, _ = searched(monkeypatch, PLACES[0], "?!")
    assert "No links match the filters." in [box.value for box in app.info]
