"""A project is kept as one goes, named in the address, and comes back whole after a reload."""

from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from backlink_audit.projects.project_files import keep_widgets, kept_disavow_file, kept_widgets
from backlink_audit.projects.projects import every_project, find_or_refuse, kept_review
from backlink_audit.projects.snapshots import every_snapshot
from backlink_audit.projects.store import open_store
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.ui import projects
from backlink_audit.ui.session import Key
from tests.ui.app import ROOT, SECONDS, figures, open_app, open_panel, sentences

PROJECTS, AUDIT, RISK = "pages/start/projects.py", "pages/backlinks/audit.py", "pages/backlinks/risk.py"


def in_a_project(monkeypatch, name="Long Road"):
    app = open_app(monkeypatch, AUDIT, with_sample=True)
    app.switch_page(PROJECTS).run()
    app.text_input(key="projects-name").input(name).run()
    return app.button(key="projects-make").click().run()


def reloaded(page, key="long-road"):
    """A new visit of the same address, as a reload is."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    app.query_params["project"] = key
    app.run()
    return app.switch_page(page).run()


def decide(app, domain, state):
    app.session_state[Key.REVIEW] = app.session_state[Key.REVIEW].decide("domain", [domain], state)
    return app.run()


def test_what_is_loaded_and_audited_is_kept_and_the_address_names_it(monkeypatch):
    app = in_a_project(monkeypatch)
    assert not app.exception and sentences(app) == []
    assert app.query_params["project"] in ("long-road", ["long-road"])
    with open_store() as store:
        [snapshot] = every_snapshot(store, find_or_refuse(store, "Long Road"))
    app.switch_page(AUDIT).run()
    assert figures(app)["Backlinks"] == str(snapshot.figures["links"])


def test_a_reload_comes_back_with_files_result_decisions_and_filters(monkeypatch):
    app = in_a_project(monkeypatch)
    app.switch_page(AUDIT).run()
    before = figures(app)
    app.switch_page(RISK).run()
    decide(app, "nhacai-tot.example", "disavow")
    app.segmented_control(key="risk:scope").set_value("domain").run()
    app.segmented_control(key="risk:domain:set").set_value("All").run()
    again = reloaded(RISK)
    assert not again.exception and sentences(again) == []
    assert again.session_state[Key.REVIEW].disavowed_domains == ["nhacai-tot.example"]
    assert again.segmented_control(key="risk:domain:set").value == "All"
    again.switch_page(AUDIT).run()
    assert figures(again) == before
    assert not again.warning


def test_what_an_uploader_holds_is_not_kept_and_not_set(monkeypatch):
    app = in_a_project(monkeypatch)
    app.session_state["upload:backlinks:unseen:0"] = []
    app.run()
    with open_store() as store:
        project = find_or_refuse(store, "Long Road")
        kept = kept_widgets(store, project)
        assert kept and not [key for key in kept if key.startswith("upload:")]
        strange = {"upload:backlinks:replace:0": [], "run:Run the audit": True, "files": "none"}
        keep_widgets(store, project, kept | strange)
    again = reloaded(RISK)
    assert not again.exception and sentences(again) == []


def test_two_windows_on_one_domain_overwrite_nothing_unseen(monkeypatch):
    one = in_a_project(monkeypatch)
    other = reloaded(RISK)
    decide(one, "nhacai-tot.example", "keep")
    decide(other, "nhacai-tot.example", "disavow")
    other.run()
    assert other.session_state[Key.REVIEW].kept_domains == ["nhacai-tot.example"]
    with open_store() as store:
        assert kept_review(store, find_or_refuse(store, "Long Road")).review.kept_domains == ["nhacai-tot.example"]


def test_many_domains_that_two_windows_decide_are_one_sentence(monkeypatch):
    one = in_a_project(monkeypatch)
    other = reloaded(RISK)
    domains = [f"site-{number:02}.example" for number in range(12)]
    for app, state in ((one, "keep"), (other, "disavow")):
        app.session_state[Key.REVIEW] = app.session_state[Key.REVIEW].decide("domain", domains, state)
        app.run()
    said = [warning.value for warning in other.warning]
    assert len(said) == 1 and said[0].endswith(
        "site-09.example and 2 more: not overwritten, because it was changed to “keep” in another window."
    ), said


def test_columns_chosen_by_hand_come_back_with_their_file(monkeypatch):
    app = in_a_project(monkeypatch)
    open_panel(app.switch_page(AUDIT), "backlinks")
    box = next(box for box in app.selectbox if box.label == "Anchor" and (box.key or "").startswith("map:backlinks"))
    box.select("Left context")
    next(button for button in app.button if button.label == "Use these columns").click().run()
    again = reloaded(AUDIT)
    assert not again.exception and sentences(again) == []
    assert again.session_state[Key.FILES]["backlinks"].exports[0].columns["anchor"] == "Left context"


def test_two_windows_on_the_disavow_file_overwrite_nothing_unseen(monkeypatch):
    one = in_a_project(monkeypatch)
    other = reloaded(RISK)
    for app, name in ((one, "theirs.txt"), (other, "mine.txt")):
        app.session_state[Key.DISAVOW_FILE] = (name, parse_disavow_file(f"domain:{name}.example\n".encode()))
        app.run()
    assert other.session_state[Key.DISAVOW_FILE][0] == "theirs.txt"
    assert "it is “theirs.txt” now. Your “mine.txt” did not replace it" in other.warning[0].value
    with open_store() as store:
        assert kept_disavow_file(store, find_or_refuse(store, "Long Road"))[0] == "theirs.txt"


def test_a_project_is_renamed_put_aside_and_deleted(monkeypatch):
    app = in_a_project(monkeypatch)
    app.switch_page(PROJECTS).run()
    with open_store() as store:
        [project] = every_project(store)
        app.text_input(key=f"projects-name-{project.id}").input("Other").run()
        app.button(key=f"projects-rename-{project.id}").click().run()
        assert every_project(store)[0].key == "other"
        app.button(key=f"projects-aside-{project.id}").click().run()
        assert every_project(store)[0].is_archived
        app.button(key=f"projects-delete-{project.id}").click().run()
        assert every_project(store) == []
    assert not app.exception and sentences(app) == []


def test_an_address_of_no_project_says_so(monkeypatch):
    open_app(monkeypatch)
    app = reloaded(PROJECTS, "nothing")
    assert not app.exception


HERE = {"server.address": "localhost", "server.allowedHosts": ["localhost", "127.0.0.1", "::1"]}
PROXY = HERE | {"server.address": "127.0.0.1", "server.allowedHosts": [*HERE["server.allowedHosts"], "seo.example"]}
EVERYWHERE = HERE | {"server.address": "0.0.0.0"}


@pytest.mark.parametrize(
    ("options", "ip", "headers", "off"),
    [
        (HERE, None, {"Host": "localhost:8501"}, False),
        (HERE, "192.168.1.7", {"Host": "localhost"}, True),
        (PROXY, None, {"Host": "localhost"}, True),
        (PROXY, None, {"Host": "seo.example"}, True),
        (HERE | {"server.allowedHosts": ["*"]}, None, {"Host": "localhost"}, True),
        (HERE | {"server.allowedHosts": []}, None, {"Host": "localhost"}, True),
        (HERE | {"server.corsAllowedOrigins": ["https://seo.example"]}, None, {"Host": "localhost"}, True),
        (EVERYWHERE, None, {"Host": "localhost"}, True),
        (HERE | {"server.address": None}, None, {"Host": "localhost"}, True),
        (HERE, None, {"Host": "localhost", "X-Forwarded-For": "127.0.0.1"}, True),
        (HERE, None, {"host": "localhost", "x-forwarded-proto": "https"}, True),
        (HERE, None, {"Host": "localhost", "Forwarded": "for=127.0.0.1"}, True),
        (HERE, None, {"Host": "localhost", "Via": "1.1 proxy"}, True),
        (HERE, None, {"Host": "localhost", "X-Real-IP": "::1"}, True),
    ],
)
def test_only_who_reaches_this_machine_without_a_proxy_has_its_projects(monkeypatch, options, ip, headers, off):
    visit = SimpleNamespace(headers=headers, ip_address=ip)
    original = st.get_option
    monkeypatch.setattr("streamlit.get_option", lambda key: options.get(key, original(key)))
    monkeypatch.setattr("streamlit.context", visit)
    assert projects.is_off() is off
    monkeypatch.setenv("BACKLINK_AUDIT_SHARED", "1")
    assert not projects.is_off()  # the owner says so


def test_a_store_that_cannot_be_used_is_one_sentence_on_the_page(monkeypatch, tmp_path):
    (tmp_path / "broken").write_bytes(b"no database at all" * 100)
    monkeypatch.setenv("BACKLINK_AUDIT_STORE", str(tmp_path / "broken"))
    app = open_app(monkeypatch, PROJECTS)
    assert not app.exception
    assert "the file is damaged" in sentences(app)[0]


def test_the_disavow_file_comes_back_and_the_page_says_what_it_disavows(monkeypatch):
    app = in_a_project(monkeypatch)
    app.switch_page(RISK).run()
    app.session_state["risk:tabs"] = "Disavow file"
    app.run()
    uploader = next(box for box in app.get("file_uploader") if "upload:disavow" in box.key)
    uploader.upload("sent.txt", b"domain:nhacai-tot.example\n", "text/plain")
    app.run()
    again = reloaded(RISK)
    assert not again.exception and sentences(again) == []
    assert again.session_state[Key.DISAVOW_FILE][0] == "sent.txt"
    assert any("Of 1 line in the disavow file, 1 is about links" in one.value for one in again.caption)
    decide(again, "nhacai-tot.example", "keep")
    decide(again, "other.example", "disavow")
    again.button(key="disavow-sent").click().run()
    name, file = reloaded(RISK).session_state[Key.DISAVOW_FILE]
    assert name.startswith("disavow.txt, uploaded") and file.domains == {"other.example"}
