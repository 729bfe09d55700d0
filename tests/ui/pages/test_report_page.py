"""The report for a client is offered with an audit and with a project's history, and says what they say."""

import pytest
import sqlalchemy as sa
import streamlit as st

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.projects import find_or_refuse
from backlink_audit.projects.snapshots import every_snapshot, remove
from backlink_audit.projects.store import SNAPSHOT_LINKS, open_store
from backlink_audit.ui.session import Key
from tests.ui.app import figures, open_app, sentences
from tests.ui.pages.test_history_page import open_history


@pytest.fixture
def files(monkeypatch):
    """Every file that is offered, by its name: what makes it."""
    offered = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, name, *_, **__: offered.update({name: data}))
    return offered


def test_an_audit_without_a_project_has_its_own_report(monkeypatch, files):
    app = open_app(monkeypatch, "pages/backlinks/audit.py", with_sample=True)
    app.session_state["audit:tabs"] = "Downloads"
    app.run()
    app.text_input(key="report:name").input("<b>Agency</b>").run()
    assert not app.exception and sentences(app) == []
    html = files["backlinks-report.html"]().decode()
    assert app.subheader[0].value.replace("\\", "") in html and "What it is worth" in html and "CAS" not in html
    assert f"<dt>Backlinks</dt><dd>{figures(app)['Backlinks']}</dd>" in html
    assert "&lt;b&gt;Agency" in html and "<th>Change</th>" not in html
    assert html.count("<svg") == 3 and len(html) < 5_000_000


def test_a_projects_report_is_compared_with_the_snapshot_before_and_has_the_logo(monkeypatch, files):
    app = open_history(monkeypatch, "Report")
    app.session_state[Key.LOGO] = ("logo.png", "data:image/png;base64,AAAA")
    app.run()
    assert not app.exception and sentences(app) == []
    assert "on the project's last snapshot, compared with the one before" in " ".join(one.value for one in app.markdown)
    html = files["long-road-report.html"]().decode()
    assert "compared with 2020-01-01" in html and "<th>Change</th>" in html
    assert 'src="data:image/png;base64,AAAA"' in html
    app.button(key="report-no-logo").click().run()
    assert "data:image" not in files["long-road-report.html"]().decode()


def test_a_snapshot_that_cannot_be_read_gives_no_other_report_in_its_place(monkeypatch, files):
    app = open_history(monkeypatch)
    app.session_state["audit:tabs"] = "Downloads"
    app.switch_page("pages/backlinks/audit.py").run()
    made = files["long-road-report.html"]
    with open_store() as store:
        with store.writing() as connection:
            connection.execute(sa.delete(SNAPSHOT_LINKS))
        with pytest.raises(StoreProblem, match="no longer"):
            made()
        for one in every_snapshot(store, find_or_refuse(store, "Long Road")):
            remove(store, one)
    assert b"<th>Change</th>" not in made()  # without any snapshot it is the audit's
    app.run()
    assert "**Report for a client** on this audit" in [one.value for one in app.markdown]


def test_a_logo_that_is_no_picture_is_a_sentence(monkeypatch, files):
    app = open_history(monkeypatch, "Report")
    uploader = next(box for box in app.get("file_uploader") if "upload:logo" in box.key)
    uploader.upload("logo.png", b"no picture", "image/png")
    app.run()
    assert "this is not an image" in sentences(app)[0]
