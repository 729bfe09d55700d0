"""A window keeps in the open project what it changed itself alone, and takes nothing of it into the next one."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from backlink_audit import sample
from backlink_audit.errors import StoreProblem
from backlink_audit.exports.load import load
from backlink_audit.projects.project_files import kept_disavow_file, kept_files, kept_widgets, replace_files
from backlink_audit.projects.projects import create, delete, find_or_refuse, kept_review
from backlink_audit.projects.snapshots import every_snapshot
from backlink_audit.projects.store import open_store
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.review import Review
from backlink_audit.ui import persisted_state, upload_state
from backlink_audit.ui.session import Key
from tests.ui.app import ROOT, SECONDS, open_app, sentences, upload
from tests.ui.pages.test_projects_page import AUDIT, PROJECTS, RISK, decide, in_a_project, reloaded

GAP = "pages/backlinks/gap.py"
JUNK = ("junk.csv", b"no,export\n1,2\n")


def in_the_store(read, name="Long Road"):
    with open_store() as store:
        return read(store, find_or_refuse(store, name))


def another_project(name="Other", **files):
    with open_store() as store:
        made = create(store, name)
        replace_files(store, made, files)
        return made


def said(app):
    return [warning.value for warning in app.warning]


@pytest.mark.parametrize("end", [st.stop, lambda: 1 / 0], ids=["a click", "a crash"])
def test_opening_that_is_interrupted_leaves_the_former_projects_files_as_they_are(monkeypatch, end):
    app = in_a_project(monkeypatch)
    before = in_the_store(kept_files)
    other = another_project(pages=sample.files()["pages"])
    app.switch_page(PROJECTS).run()
    with monkeypatch.context() as interrupted:
        interrupted.setattr(upload_state, "put", lambda *_: end())
        app.button(key=f"projects-open-{other.id}").click().run()
    app.run()
    assert in_the_store(kept_files) == before
    assert set(in_the_store(kept_files, "Other")) == {"pages"}
    assert Key.PROJECT in app.session_state


def test_a_click_while_a_project_opens_does_not_end_it(monkeypatch):
    app = in_a_project(monkeypatch)
    other = another_project(pages=sample.files()["pages"])
    app.switch_page(PROJECTS).run()
    with monkeypatch.context() as interrupted:
        interrupted.setattr(upload_state, "put", lambda *_: st.stop())
        app.button(key=f"projects-open-{other.id}").click().run()
    app.switch_page(AUDIT).run()
    assert app.session_state[Key.PROJECT].project.key == "other"
    assert set(app.session_state[Key.FILES]) == {"pages"} and not app.exception


def test_two_windows_take_no_file_from_each_other(monkeypatch):
    one = in_a_project(monkeypatch)
    other = reloaded(PROJECTS)
    every = set(in_the_store(kept_files))
    one.session_state[Key.FILES].pop("inlinks")
    one.run()
    other.session_state[Key.FILES].pop("older")
    other.run()
    assert set(in_the_store(kept_files)) == every - {"inlinks", "older"}


def test_files_that_cannot_be_read_any_more_stay_in_the_project(monkeypatch):
    open_app(monkeypatch)
    good, new = sample.files()["competitors"]
    kept = {"domains": [JUNK], "competitors": [good, JUNK], "backlinks": list(sample.files()["backlinks"])}
    another_project("Long Road", **kept)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    app.query_params["project"] = "long-road"
    app.run()
    assert sum("junk.csv" in sentence for sentence in said(app)) == 2
    assert [one.name for one in app.session_state[Key.FILES]["competitors"].exports] == [good[0]]
    app.switch_page(GAP).run()
    upload(app, *new, role="competitors", place="")
    found = in_the_store(kept_files)
    assert found == kept | {"competitors": [good, new, JUNK]} and not app.exception


def test_the_sample_project_takes_the_place_of_no_project(monkeypatch):
    open_app(monkeypatch)
    another_project("Long Road", pages=sample.files()["pages"])
    app = reloaded(AUDIT)
    app.button(key="sample").click().run()
    assert "backlinks" in app.session_state[Key.FILES] and "project" not in app.query_params
    assert set(in_the_store(kept_files)) == {"pages"}


def test_backlinks_of_another_site_are_shown_and_not_kept(monkeypatch):
    app = in_a_project(monkeypatch)
    before = in_the_store(kept_files)["backlinks"]
    file = sample.files()["competitors"][0]
    app.session_state[Key.FILES]["backlinks"] = upload_state._Shelf((load([file], table="backlinks"),), (file,))
    app.run()
    app.run()
    assert len(said(app)) == 1 and "is about" in said(app)[0] and "not saved in this project" in said(app)[0]
    assert said(app.run()) == []
    app.session_state[Key.FILES].pop("backlinks")
    app.run()
    assert in_the_store(kept_files)["backlinks"] == before
    assert len(in_the_store(every_snapshot)) == 1 and sentences(app) == []


def test_a_second_project_has_nothing_of_the_first_ones_decisions(monkeypatch):
    app = in_a_project(monkeypatch)
    decide(app, "nhacai-tot.example", "disavow")
    app.session_state[Key.DISAVOW_FILE] = ("sent.txt", parse_disavow_file(b"domain:a.example\n"))
    app.run()
    first = in_the_store(lambda store, project: project)
    app.switch_page(PROJECTS).run()
    app.button(key=f"projects-close-{first.id}").click().run()
    app.text_input(key="projects-name").input("Second").run()
    app.button(key="projects-make").click().run()
    assert in_the_store(kept_review, "Second").review == Review()
    assert in_the_store(kept_disavow_file, "Second")[0] == ""
    assert in_the_store(kept_review).review.disavowed_domains == ["nhacai-tot.example"]


def test_undo_is_not_offered_over_what_another_window_decided(monkeypatch):
    one = in_a_project(monkeypatch)
    other = reloaded(PROJECTS)
    decide(other, "theirs.example", "keep")
    one.session_state[Key.FORMER_REVIEWS] = ((Review(), "Something was set."),)
    decide(one, "mine.example", "keep")
    assert Key.FORMER_REVIEWS not in one.session_state or not one.session_state[Key.FORMER_REVIEWS]
    assert set(in_the_store(kept_review).review.kept_domains) == {"mine.example", "theirs.example"}


def test_a_snapshot_that_could_not_be_kept_is_tried_again(monkeypatch):
    def full(*_):
        raise StoreProblem("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(persisted_state, "save", full)
        app = in_a_project(monkeypatch)
        assert "the disk is full" in sentences(app)[0]
    app.run()
    assert len(in_the_store(every_snapshot)) == 1 and sentences(app) == []


def test_choices_and_results_of_one_project_are_not_the_next_ones(monkeypatch):
    app = in_a_project(monkeypatch)
    app.session_state["desk:template:en: new link"], app.session_state["gap:unknown"] = "Dear Long Road", True
    app.session_state[Key.TRIED_LINKS] = ("pairs.csv", None)
    app.run()
    assert in_the_store(kept_widgets)["desk:template:en: new link"] == "Dear Long Road"
    other = another_project(pages=sample.files()["pages"])
    app.switch_page(PROJECTS).run()
    app.button(key=f"projects-open-{other.id}").click().run()
    for key in ("desk:template:en: new link", "gap:unknown", Key.TRIED_LINKS):
        assert key not in app.session_state
    assert not [slot for slot in app.session_state[Key.JOBS].values() if slot.result is not None]
    assert "desk:template:en: new link" not in in_the_store(kept_widgets, "Other")


def test_a_window_leaves_a_project_that_another_one_deleted_and_touches_no_later_one(monkeypatch):
    app = in_a_project(monkeypatch)
    with open_store() as store:
        delete(store, find_or_refuse(store, "Long Road"))
    another_project("Long Road", pages=[("theirs.csv", b"theirs")])
    decide(app, "nhacai-tot.example", "disavow")
    assert "was deleted in another window" in said(app)[0]
    assert Key.PROJECT not in app.session_state or app.session_state[Key.PROJECT] is None
    assert in_the_store(kept_files) == {"pages": [("theirs.csv", b"theirs")]}
    assert in_the_store(kept_review).review == Review()


def test_without_a_project_tab_and_filters_are_there_again_and_a_reload_is_spoken_of(monkeypatch):
    app = open_app(monkeypatch, RISK, with_sample=True)
    app.segmented_control(key="risk:scope").set_value("domain").run()
    app.segmented_control(key="risk:domain:set").set_value("All").run()
    app.session_state["risk:tabs"] = "Signals"
    app.run()
    app.switch_page(AUDIT).run()
    app.switch_page(RISK).run()
    assert app.session_state["risk:tabs"] == "Signals" and app.session_state["risk:domain:set"] == "All"
    captions = [caption.value for caption in app.sidebar.caption]
    assert "No project is open: these files are lost when you reload the page." in captions
    fresh = open_app(monkeypatch)
    assert any("save them in a project" in caption.value for caption in fresh.sidebar.caption)
