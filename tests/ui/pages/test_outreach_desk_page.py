"""The outreach desk on screen: chosen in the gap, changed, written to, and never overwritten unseen."""

from datetime import date

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from backlink_audit.judgement.letters import TEMPLATES
from backlink_audit.projects import outreach_desk as kept_desk
from backlink_audit.projects.outreach_desk import change, choose, kept_prospects
from backlink_audit.projects.projects import find_or_refuse
from backlink_audit.projects.store import open_store
from backlink_audit.settings import LinkChoice
from backlink_audit.ui import worktable
from tests.ui.app import figures, open_app, sentences

PAGE, GAP = "pages/backlinks/outreach_desk.py", "pages/backlinks/gap.py"


def kept():
    with open_store() as store:
        return kept_prospects(store, find_or_refuse(store, "Long Road"))


def elsewhere(domain, **values):
    """Another window changes a prospect."""
    with open_store() as store:
        project = find_or_refuse(store, "Long Road")
        seen = kept_prospects(store, project)
        change(store, project, seen, {domain: seen[domain].changed(**values)})


@pytest.fixture
def app(monkeypatch) -> AppTest:
    """The sample project kept as one, its gap found."""
    app = open_app(monkeypatch, "pages/backlinks/audit.py", with_sample=True)
    app.switch_page("pages/start/projects.py").run()
    app.text_input(key="projects-name").input("Long Road").run()
    app.button(key="projects-make").click().run()
    return app.switch_page(GAP).run()


def on_the_desk(app, *domains):
    app.switch_page(PAGE).run()
    assert not figures(app) and "Enter them here" in app.info[0].value  # nothing but the next step
    app.text_area(key="desk-by-hand").input("\n".join(domains)).run()
    return app.button(key="desk-add").click().run()


def select(app, *domains):
    """Tick the boxes of prospects, as the browser would."""
    rows = app.dataframe[-1].value["referring_domain"].tolist()
    key = next(one.key for one in app.dataframe if one.key and one.key.startswith("desk:table"))
    places = [rows.index(domain) for domain in domains]
    app.session_state[key] = {"selection": {"rows": places, "columns": [], "cells": []}}
    return app.run()


def field(app, kind, name):
    return next(one for one in getattr(app, kind) if one.key and one.key.startswith(f"desk-{name}-"))


def test_without_a_project_the_page_says_what_to_do(monkeypatch):
    app = open_app(monkeypatch, PAGE)
    assert "needs an open project" in app.info[0].value


def test_prospects_of_the_gap_are_put_on_the_desk_with_what_is_known_of_them(app):
    shown = app.dataframe[0].value["referring_domain"].tolist()
    app.button(key="desk-offer").click().run()
    assert not app.exception and f"{len(shown)} prospects added to the outreach desk." in app.success[0].value
    assert list(kept()) == shown
    assert kept()[shown[0]].facts["competitors"]
    app.switch_page(PAGE).run()
    assert not app.exception and sentences(app) == [] and not app.info
    assert figures(app)["To contact"] == str(len(shown))
    app.switch_page(GAP).run()
    app.button(key="desk-offer").click().run()
    assert app.success[0].value.startswith("0 prospects added")


def test_one_prospect_of_the_gap_is_put_on_the_desk_and_that_is_said_at_once(app):
    table = next(one for one in app.dataframe if one.key and one.key.startswith("prospects:table"))
    app.session_state[table.key] = {"selection": {"rows": [], "columns": [], "cells": [(1, "authority")]}}
    app.run()
    next(one for one in app.button if one.key and one.key.startswith("desk-one-")).click().run()
    assert not app.exception and "1 prospect added to the outreach desk." in app.success[0].value
    assert list(kept()) == [table.value["referring_domain"].iloc[1]]


@pytest.mark.parametrize("task", ["Reclaim", "Pitch"])
def test_what_the_audit_proposes_is_on_the_desk_with_one_click_and_its_email_fits(app, task):
    app.session_state["audit:task"] = task
    app.switch_page("pages/backlinks/audit.py").run()
    audit = app.session_state["jobs"]["Run the audit"].result.chosen(LinkChoice())
    wanted = list(dict.fromkeys(audit.to_do(task)["referring_domain"]))
    app.button(key="desk-offer").click().run()
    assert not app.exception and list(kept()) == wanted
    assert {one.reason for one in kept().values()} - {"new link"}
    app.session_state["desk:tabs"] = "Emails"
    app.switch_page(PAGE).run()
    assert not app.exception and sentences(app) == []
    assert app.code[0].value.startswith(f"To: \nSubject: {TEMPLATES['en: ' + kept()[wanted[0]].reason][9:17]}")


def test_sites_are_added_by_hand_but_not_those_that_link_already(app):
    linking = app.session_state["jobs"]["Run the audit"].result.links["referring_domain"].iloc[0]
    on_the_desk(app, "https://www.new.example/page", linking)
    assert list(kept()) == ["new.example"]
    assert "1 is already on the desk, or links to you" in app.success[0].value


def test_one_prospect_is_changed_and_what_is_no_address_is_a_sentence(app):
    select(on_the_desk(app, "a.example", "b.example"), "b.example")
    field(app, "selectbox", "state").set_value("contacted")
    field(app, "date_input", "day").set_value(date(2020, 1, 1))
    field(app, "text_area", "note").input("*asked* Ann")
    field(app, "button", "save").click().run()
    one = kept()["b.example"]
    assert (one.state, one.follow_up, one.note) == ("contacted", date(2020, 1, 1), "*asked* Ann")
    assert figures(app)["Follow-ups due"] == "1" and not app.exception
    select(app, "a.example")
    field(app, "text_input", "contact").input("nobody").run()
    field(app, "button", "save").click().run()
    assert "is not an email address" in app.warning[0].value and kept()["a.example"].contact == ""


def test_several_are_changed_at_once_and_taken_off(app):
    select(on_the_desk(app, "a.example", "b.example", "c.example"), "a.example", "c.example")
    app.selectbox(key="desk-state-many").set_value("declined").run()
    app.button(key="desk-save-many").click().run()
    assert {domain: one.state for domain, one in kept().items()} == {
        "a.example": "declined",
        "b.example": "to contact",
        "c.example": "declined",
    }
    select(app, "a.example", "b.example")
    app.button(key="desk-drop-many").click().run()
    assert list(kept()) == ["c.example"]


def test_a_long_desk_comes_a_page_at_a_time_and_one_letter_is_written(app, monkeypatch):
    monkeypatch.setattr(worktable, "ROWS_TO_MARK", 2)
    on_the_desk(app, "a.example", "b.example", "c.example")
    assert app.dataframe[-1].value["referring_domain"].tolist() == ["a.example", "b.example"]
    app.number_input(key="desk:page:2").set_value(2).run()
    select(app, "c.example")
    field(app, "selectbox", "state").set_value("declined")
    field(app, "button", "save").click().run()
    assert [domain for domain, one in kept().items() if one.state == "declined"] == ["c.example"]
    written, files = [], {}

    def write_pitch(_template, values):
        written.append(values["referring_domain"])
        return "Text"

    monkeypatch.setattr(kept_desk, "write_pitch", write_pitch)
    monkeypatch.setattr(st, "download_button", lambda label, data, name, *_, **__: files.update({name: data}))
    app.session_state["desk:tabs"] = "Emails"
    app.run()
    assert not app.exception and written == ["a.example"]
    assert files["letters.csv"]().count(b"Text") == 2


def test_what_another_window_changed_meanwhile_is_not_overwritten_and_is_said(app):
    select(on_the_desk(app, "a.example"), "a.example")
    field(app, "selectbox", "state").set_value("declined")
    elsewhere("a.example", state="answered")
    field(app, "button", "save").click().run()
    assert "a.example: not overwritten, because it was changed in another window" in app.warning[0].value
    assert kept()["a.example"].state == "answered"


def test_once_sent_no_follow_up_is_due_and_one_to_come_stays(app):
    on_the_desk(app, "a.example", "b.example", "c.example")
    elsewhere("a.example", follow_up=date(2020, 1, 1))
    elsewhere("b.example", state="contacted", follow_up=date(2020, 1, 1))
    elsewhere("c.example", follow_up=date(9000, 1, 1))
    app.session_state["desk:tabs"] = "Emails"
    app.run()
    app.button(key="desk-sent").click().run()
    assert {domain: (one.state, one.follow_up) for domain, one in kept().items()} == {
        "a.example": ("contacted", None),
        "b.example": ("contacted", None),
        "c.example": ("contacted", date(9000, 1, 1)),
    }
    assert figures(app)["Follow-ups due"] == "0" and not app.exception


def test_letters_follow_the_template_and_sent_ones_are_contacted(app):
    on_the_desk(app, "a.example", "b.example")
    app.session_state["desk:tabs"] = "Emails"
    app.run()
    app.text_area(key="desk:template:en: new link").input("Subject: Hello {referring_domain}\n\nText").run()
    assert app.code[0].value == "To: \nSubject: Hello a.example\n\nText"
    app.text_area(key="desk:template:en: new link").input("{nothing}").run()
    assert "{nothing}" in sentences(app)[0].replace("\\", "")
    app.text_area(key="desk:template:en: new link").input("Text").run()
    app.button(key="desk-sent").click().run()
    assert {one.state for one in kept().values()} == {"contacted"}
    assert "No prospects match this choice" in app.info[0].value
    app.session_state["desk:tabs"] = "Download"
    app.run()
    assert not app.exception and sentences(app) == []


def test_a_site_won_is_a_decision_from_which_the_risk_review_learns(app):
    site = app.session_state["jobs"]["Run the audit"].result.chosen(LinkChoice()).links["referring_domain"].iloc[0]
    with open_store() as store:
        choose(store, find_or_refuse(store, "Long Road"), pd.DataFrame({"referring_domain": [site]}))
    elsewhere(site, state="won")
    app.session_state["risk:tabs"] = "Read next"
    app.switch_page("pages/backlinks/risk.py").run()
    assert not app.exception
    assert any("1 site won on the outreach desk is among them." in caption.value for caption in app.caption)
