"""History: the open project's snapshots over time, any two of them compared, and set right."""

from datetime import date

from backlink_audit.projects.history import compare
from backlink_audit.projects.projects import find_or_refuse
from backlink_audit.projects.snapshots import every_snapshot, save
from backlink_audit.projects.store import open_store
from backlink_audit.ui import menu
from tests.projects.made import as_another_file, audit_of
from tests.ui.app import figures, open_app, sentences, upload

PAGE = "pages/backlinks/history.py"
CLICKS = b"Top pages,Clicks,Impressions,CTR,Position\nhttps://longroad.example/oak,7,90,8%,2\n"


def open_history(monkeypatch, tab=None):
    """The page with two snapshots: what is loaded, and the sample's older file."""
    app = open_app(monkeypatch, "pages/backlinks/audit.py", with_sample=True)
    app.switch_page("pages/start/projects.py").run()
    app.text_input(key="projects-name").input("Long Road").run()
    app.button(key="projects-make").click().run()
    with open_store() as store:
        save(
            store, find_or_refuse(store, "Long Road"), as_another_file(audit_of("older"), "older.csv"), date(2020, 1, 1)
        )
    if tab:
        app.session_state["history:tabs"] = tab
    return app.switch_page(PAGE).run()


def kept():
    with open_store() as store:
        snapshots = every_snapshot(store, find_or_refuse(store, "Long Road"))
        return snapshots, compare(store, *snapshots[:2]).figures if len(snapshots) > 1 else None


def test_without_a_project_the_page_says_what_to_do(monkeypatch):
    app = open_app(monkeypatch, PAGE)
    assert "needs an open project" in app.info[0].value


def test_the_figures_on_screen_are_the_last_snapshots_and_every_tab_opens(monkeypatch):
    app = open_history(monkeypatch)
    [_, last], moved = kept()
    assert not app.exception and sentences(app) == []
    assert figures(app)["Referring domains"] == str(last.figures["domains"])
    assert "2 snapshots" in app.subheader[0].value

    def show_tab(name):
        app.session_state["history:tabs"] = name
        app.run()
        assert not app.exception and sentences(app) == [], name

    show_tab("Between two snapshots")
    assert f"{moved['new_links']:,} new links and {moved['lost_links']:,} lost" in app.subheader[1].value
    show_tab("By month")
    show_tab("Snapshots")
    assert app.dataframe[0].value["day"].dt.year.tolist()[-1] == 2020


def test_neighbours_are_compared_when_asked_and_not_offered_again(monkeypatch):
    app = open_history(monkeypatch)
    app.button(key=f"run:{menu.HISTORY.button}").click().run()
    assert not [button for button in app.button if button.key == f"run:{menu.HISTORY.button}"]
    assert not app.exception and not app.warning


def test_clicks_are_kept_with_the_selected_snapshot_and_drawn_beside(monkeypatch):
    app = open_history(monkeypatch, "Over time")
    assert any("No snapshot has clicks or visits yet" in one.value for one in app.caption)
    app.switch_page("pages/backlinks/profile.py").run()
    upload(app, "pages.csv", CLICKS, "performance", "page")
    app.switch_page(PAGE).run()
    app.session_state["history:tabs"] = "Snapshots"
    table = app.run().dataframe[0]
    app.session_state[table.key] = {"selection": {"rows": [], "columns": [], "cells": [(0, "day")]}}
    app.run()
    [button] = [one for one in app.button if one.label == "Add the file pages.csv"]
    button.click().run()
    assert not app.exception and sentences(app) == []
    snapshots, _ = kept()
    assert [one.figures.get("earned", {}).get("clicks") for one in snapshots] == [None, 7]
    app.session_state["history:tabs"] = "Over time"
    app.run()
    assert "Clicks in 1 snapshot" in [one.value for one in app.caption]


def test_a_new_snapshot_keeps_the_clicks_that_are_loaded(monkeypatch):
    app = open_app(monkeypatch, "pages/backlinks/audit.py", with_sample=True)
    app.switch_page("pages/backlinks/profile.py").run()
    upload(app, "pages.csv", CLICKS, "performance", "page")
    app.switch_page("pages/start/projects.py").run()
    app.text_input(key="projects-name").input("Long Road").run()
    app.button(key="projects-make").click().run()
    [snapshot], _ = kept()
    assert snapshot.figures["earned"]["clicks"] == 7
