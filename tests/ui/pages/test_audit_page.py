from functools import cache
from io import BytesIO
from unittest.mock import Mock

import openpyxl
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from backlink_audit.audit import result
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.embedding import models
from backlink_audit.errors import ModelUnavailable
from backlink_audit.exports.load import load
from backlink_audit.judgement.actions import outreach
from backlink_audit.report import charts
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.ui.show import plain
from backlink_audit.wording import percent
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, open_panel, sample_file, sentences, upload

PAGE = "pages/backlinks/audit.py"
RUN = "run:Run the audit"
TABS = ["Do this now", "Links", "Domains", "Explore", "Downloads"]


@pytest.fixture
def app(monkeypatch):
    """The page with the sample's backlinks uploaded, and nothing else."""
    return upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))


def run(app):
    return app.button(key=RUN).click().run()


def test_rows_set_aside_are_plainly_said_where_they_are_most(monkeypatch):
    link = "{}://{}.example/oak,https://shop.example/oak"
    for wrong, plainly in ((3, True), (1, False)):
        lines = [link.format("ftp" if n < wrong else "https", n) for n in range(4)]
        data = "\n".join(["Referring page URL,Target URL", *lines]).encode()
        app = run(upload(open_app(monkeypatch, PAGE), "links.csv", data))
        sentence = f"{wrong} of 4 rows {'are' if wrong > 1 else 'is'} excluded (not http(s) URLs: {wrong})."
        sentence += " Change it under “Change files and settings”."
        assert sentence in [said.value for said in (app.info if plainly else app.caption)]


def show_tab(app, name):
    app.session_state["audit:tabs"] = name
    return app.run()


@cache
def expected(settings=None):
    """The audit of the sample, with the figures of its live links, as the page first shows them."""
    audit = audit_backlinks(load([sample_file("backlinks")]), settings or AuditSettings(), ToyEncoder())
    return audit.chosen(LinkChoice())


def test_an_uploaded_export_is_recognised_and_described(app):
    assert not sentences(app)
    assert any("Ahrefs backlinks" in box.label for box in app.expander)


def test_the_figures_on_screen_are_the_audits(app):
    run(app)
    audit = expected()
    shown = figures(app)
    assert shown["Backlinks"] == f"{audit.backlinks:,}"
    assert shown["Referring domains"] == f"{audit.domains:,}"
    assert shown["Median DR"] == f"{audit.median_authority:g}"
    assert shown["Followed"] == percent(audit.share_followed)
    assert shown["Lost"] == f"{audit.lost:,}"
    assert shown["To reclaim"] == f"{audit.to_reclaim:,}"
    assert not [label for label in shown if "similarity" in label or "CAS" in label]
    assert app.subheader[0].value == plain(audit.story[0].text)


def test_a_file_that_marks_no_lost_links_and_no_nofollow_says_so_and_not_zero(monkeypatch):
    data = b"Referring page URL,Target URL\nhttps://a.example/x,https://shop.example/\n"
    app = run(upload(open_app(monkeypatch, PAGE), "links.csv", data))
    shown = figures(app)
    assert [shown[label] for label in ("Lost", "Followed", "Median DR")] == ["–"] * 3
    assert "Lost: This export does not mark lost links." in [caption.value for caption in app.caption]


def test_the_first_tab_is_what_to_do_with_the_counts_of_the_audit_and_the_first_list_open(app):
    run(app)
    audit, shown = expected(), figures(app)
    assert app.tabs[0].label == "Do this now" and len(app.tabs) == 5
    assert shown["To reclaim"] == f"{audit.to_reclaim:,}"
    tasks = app.segmented_control(key="audit:task")
    assert tasks.options == [f"{task.label.word} · {task.number:,}" for task in audit.tasks]
    listed = app.dataframe[0].value
    assert listed["what_happened"].tolist() == audit.causes["what_happened"].tolist()
    assert listed.columns[1] == "advice" and listed["links"].sum() == audit.to_reclaim
    app.segmented_control(key="audit:Reclaim").select("Every link").run()
    listed = app.dataframe[0].value
    assert listed["open_referring_page"].tolist() == audit.to_do("Reclaim")["referring_url"].tolist()
    assert listed.columns[2] == "advice", "what to do is beside the page"


def test_the_story_is_told_first_and_each_sentence_opens_its_rows(app):
    run(app)
    audit = expected()
    said = [app.subheader[0].value, *(text.value for text in app.markdown)]
    for sentence in audit.story:
        assert plain(sentence.text) in said
        app.button(key=f"story-{sentence.kind}").click().run()
        assert not app.exception and len(app.dataframe[0].value) == sentence.number
    app.button(key="story-back").click().run()
    assert "what_happened" in app.dataframe[0].value


@pytest.mark.parametrize(("task", "by"), [("Protect", "at_stake"), ("Review", "suspicion")])
def test_a_task_opens_its_list_with_what_matters_most_first(app, task, by):
    run(app)
    app.session_state["audit:task"] = task
    app.session_state["audit:Review"] = "Every link, single ones too"
    app.run()
    audit, listed = expected(), app.dataframe[0].value
    assert len(listed) == audit.verdict_counts[task] == len(audit.to_do(task))
    assert listed["open_referring_page"].tolist() == audit.to_do(task)["referring_url"].tolist()
    assert audit.to_do(task)[by].is_monotonic_decreasing


def test_a_site_to_pitch_opens_with_what_to_ask_for(app):
    run(app)
    app.session_state["audit:task"] = "Pitch"
    app.run()
    table, asked = app.dataframe[0], expected().outreach.iloc[1]
    app.session_state[table.key] = {"selection": {"rows": [], "columns": [], "cells": [(1, "asks")]}}
    app.run()
    words = "\n".join(text.value for text in app.markdown)
    assert f"**What to ask for:** {plain(asked['asks'])}" in words and asked["example_url"] in words


def test_where_a_tool_rates_pages_alone_their_rating_comes_first(monkeypatch):
    header = b"Page ascore,Source title,Source url,Target url,Anchor,External links\n"
    rows = b"12,Oak chairs,https://a%d.example/oak,https://b.example/oak,oak,3\n"
    app = run(upload(open_app(monkeypatch, PAGE), "semrush.csv", header + b"".join(rows % n for n in range(3))))
    show_tab(app, "Links")
    assert list(app.dataframe[0].value.columns)[:6] == [
        "verdict",
        "referring_page",
        "open_referring_page",
        "why",
        "target_url",
        "url_rating",
    ]
    show_tab(app, "Domains")
    assert list(app.dataframe[0].value.columns)[:4] == ["verdict", "referring_domain", "authority", "links"]


def test_the_links_come_in_the_order_that_is_chosen(app):
    run(app)
    show_tab(app, "Links")
    audit = expected()
    assert app.dataframe[0].value["at_stake"].is_monotonic_decreasing
    app.selectbox(key="links:order").select("lowest similarity").run()
    pages = app.dataframe[0].value["open_referring_page"].tolist()
    assert pages == audit.lowest("similarity", audit.backlinks)["referring_url"].tolist()


@pytest.mark.parametrize("view", ["Strength", "Topics", "Scores", "Redirects"])
def test_every_view_of_explore_opens(app, view):
    run(app)
    app.session_state["explore:view"] = view
    show_tab(app, "Explore")
    assert not app.exception and not sentences(app)
    if view == "Scores":
        audit, shown = expected(), figures(app)
        assert shown["Mean similarity"] == f"{audit.mean_similarity:.3f}"
        assert shown["Median similarity"] == f"{audit.median_similarity:.3f}"
        assert shown["Mean CAS"] == f"{audit.mean_cas:.3f}"


def test_a_chart_is_drawn_anew_only_for_other_links(app, monkeypatch):
    draw = Mock(side_effect=charts.cas_histogram)
    monkeypatch.setattr(charts, "cas_histogram", draw)
    run(app)
    app.session_state["explore:view"] = "Scores"
    show_tab(app, "Explore")
    titles = [text.value for text in app.markdown]
    assert [text.value for text in app.run().markdown] == titles and len(app.get("plotly_chart")) == 3
    assert draw.call_count == 1
    app.session_state["links:shown"] = "everything"
    app.run()
    assert draw.call_count == 2 and not app.exception


def folded(app):
    return [box.label for box in app.expander if box.label.startswith("Change files and settings: ")]


def test_before_a_run_it_is_said_what_was_recognised_and_one_button_starts(app):
    words = "\n".join(text.value for text in app.markdown)
    assert app.subheader[0].value == f"{sample_file('backlinks')[0]} is ready"
    assert "**Ahrefs backlinks**" in words and "**310**" in words and "**longroad.example**" in words
    assert any("crawl of your site (links to your dead pages)" in caption.value for caption in app.caption)
    assert [button.key for button in app.button if button.proto.type == "primary"] == [RUN]
    run(app)
    assert "is ready" not in app.subheader[0].value


def test_an_upload_on_home_starts_the_audit_with_one_button(monkeypatch):
    app = upload(open_app(monkeypatch), *sample_file("backlinks"))
    assert app.subheader[0].value == f"{sample_file('backlinks')[0]} is ready"
    app.button(key="start").click().run()
    assert app.title[0].value == "Backlink audit"
    assert figures(app)["Backlinks"] == f"{expected().backlinks:,}"
    app.toggle(key="audit:log_dilution").set_value(True).run()
    assert any("earlier file or settings" in warning.value for warning in app.warning), "it starts once only"


def test_after_a_run_files_and_settings_are_one_line_that_names_them(app):
    run(app)
    name = sample_file("backlinks")[0]
    assert folded(app) == [f"Change files and settings: {name} (310 rows) · {AuditSettings().model} · live links"]
    app.session_state["links:shown"] = "live in content"
    assert folded(app.run())[0].endswith(" · live links in content")
    assert any("Ahrefs backlinks" in box.label for box in app.expander)


def test_every_tab_opens(app):
    run(app)
    for tab in TABS:
        show_tab(app, tab)
        assert not app.exception and not sentences(app), tab


def test_a_changed_setting_marks_the_result_until_it_is_run_again(app):
    run(app)
    before = figures(app)
    app.toggle(key="audit:followed_only").set_value(True).run()
    assert figures(app) == before
    assert "earlier file or settings" in app.warning[0].value
    run(app)
    assert not app.warning
    app.session_state["explore:view"] = "Scores"
    show_tab(app, "Explore")
    assert figures(app)["Mean CAS"] == f"{expected(AuditSettings(followed_only=True)).mean_cas:.3f}"


@pytest.mark.parametrize("links", ["live in content", "everything"])
def test_the_choice_of_links_changes_figures_tables_and_charts_at_once(app, links):
    run(app)
    app.session_state["links:shown"] = links
    app.run()
    audit = expected().chosen(LinkChoice(links))
    assert not app.warning
    assert figures(app)["Backlinks"] == f"{audit.backlinks:,}"
    assert app.subheader[0].value == plain(audit.story[0].text)
    assert len(show_tab(app, "Links").dataframe[0].value) == audit.backlinks


def test_the_outreach_list_is_made_once_whatever_links_are_chosen(app, monkeypatch):
    made = Mock(wraps=outreach)
    monkeypatch.setattr(result, "outreach", made)
    run(app)
    for links in ("live", "everything"):
        app.session_state["links:shown"] = links
        app.session_state["audit:task"] = "Pitch"
        assert len(show_tab(app, "Do this now").dataframe[0].value)
    assert made.call_count == 1


def test_one_link_per_referring_domain_can_be_shown(app):
    run(app)
    app.toggle(key="links:one_per_domain").set_value(True).run()
    assert figures(app)["Backlinks"] == figures(app)["Referring domains"]


def test_a_choice_that_no_link_fits_says_what_there_is(monkeypatch):
    data = b"Referring page URL,Target URL,Lost\nhttps://a.example/x,https://shop.example/,2025-01-01\n"
    app = run(upload(open_app(monkeypatch, PAGE), "lost.csv", data))
    assert any("lost 1" in said.value for said in app.info)
    app.session_state["links:shown"] = "everything"
    app.run()
    assert figures(app)["Backlinks"] == "1"


def test_another_file_marks_the_result_too(app):
    run(app)
    upload(app, *sample_file("older"), place="replace")
    assert "earlier file or settings" in app.warning[0].value


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.csv", b"", "empty.csv"),
        ("header.csv", b"Referring page URL,Target URL\n", "header"),
        ("garbage.xlsx", b"\x00\x01garbage" * 500, "garbage.xlsx"),
        ("domains.csv", b"Domain\na.example\nb.example\n", "domains.csv"),
        ("other.csv", b"Colour,Size\nred,1\nblue,2\n", "Give the right columns these names"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(monkeypatch, name, data, words):
    app = upload(open_app(monkeypatch, PAGE), name, data)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert words in sentences(app)[0]


def test_after_a_refused_file_a_good_one_works(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), "empty.csv", b"")
    upload(app, *sample_file("backlinks"))
    assert not sentences(app)
    assert figures(run(app))


def test_unknown_headers_can_be_mapped_by_hand(monkeypatch):
    rows = b"".join(b"https://a%d.example/garden,https://shop.example/chairs\n" % number for number in range(5))
    app = upload(open_app(monkeypatch, PAGE), "own.csv", b"from here,to there\n" + rows)
    assert sentences(app)
    choices = {box.label: box for box in app.selectbox if (box.key or "").startswith("map:backlinks:empty:own.csv")}
    choices["Referring page URL"].select("from here")
    choices["Target URL"].select("to there")
    next(button for button in app.button if button.label == "Use these columns").click().run()
    assert not sentences(app)
    assert figures(run(app))["Backlinks"] == "5"


def test_a_column_can_be_mapped_anew(app):
    assert not any((box.key or "").startswith("map:") for box in app.selectbox)  # the panel is closed
    open_panel(app, "backlinks")
    box = next(box for box in app.selectbox if box.label == "Anchor" and (box.key or "").startswith("map:backlinks"))
    box.select("Left context")
    next(button for button in app.button if button.label == "Use these columns").click().run()
    assert app.session_state["files"]["backlinks"].exports[0].columns["anchor"] == "Left context"


def test_filters_that_leave_nothing_say_which(monkeypatch):
    header = b"Referring page URL,Target URL,Referring page title,Anchor,UR,External links\n"
    rows = b"ftp://a.example/x,https://shop.example/,t,a,5,5\n" * 3
    app = run(upload(open_app(monkeypatch, PAGE), "ftp.csv", header + rows))
    assert "ftp.csv" in sentences(app)[0]
    assert not app.exception


def test_a_model_that_cannot_be_had_leaves_the_page_usable(app, monkeypatch):
    def unavailable(name, **_):
        raise ModelUnavailable("all-mpnet-base-v2 is not on this machine.")

    monkeypatch.setattr(models, "load_encoder", unavailable)
    run(app)
    assert sentences(app) == ["all-mpnet-base-v2 is not on this machine."]
    monkeypatch.setattr(models, "load_encoder", lambda name, **_: ToyEncoder())
    assert figures(run(app))


def test_the_links_are_filtered_by_verdict(app):
    run(app)
    show_tab(app, "Links")
    audit = expected()
    verdict = audit.links["verdict"].value_counts().index[0]
    app.multiselect(key="links:verdict").select(verdict).run()
    number = int((audit.links["verdict"] == verdict).sum())
    assert f"{number:,} of {audit.backlinks:,} links" in [caption.value for caption in app.caption]
    assert len(app.dataframe[0].value) == number


def test_a_click_on_the_bar_of_a_verdict_opens_its_links_whatever_was_searched_before(app):
    def page():
        from backlink_audit.ui import audit, session

        session.fill_in("links:search", "nothing")
        session.fill_in("links:band", ["weak"])
        audit.open_links("Review")

    run(app)
    left = AppTest.from_function(page).run().session_state
    for key in ("links:search", "links:verdict", "links:band", "audit:tabs"):
        app.session_state[key] = left[key]
    app.run()
    assert len(app.dataframe[0].value) == expected().verdict_counts["Review"]


def test_the_sample_project_is_audited_by_itself_and_only_once(monkeypatch):
    app = open_app(monkeypatch, PAGE, with_sample=True)
    assert " about its subject" in app.subheader[0].value
    app.toggle(key="audit:log_dilution").set_value(True).run()
    assert any("earlier file or settings" in warning.value for warning in app.warning)


def test_the_button_on_the_home_page_opens_the_sample_project_at_its_audit(monkeypatch):
    app = open_app(monkeypatch)
    app.button(key="sample").click().run()
    assert app.title[0].value == "Backlink audit"
    assert " about its subject" in app.subheader[0].value


def press_use(app):
    return next(button for button in app.button if button.label == "Use these columns").click().run()


def test_a_mapping_that_is_refused_says_so_at_once(app):
    open_panel(app, "backlinks")
    columns = app.session_state["files"]["backlinks"].exports[0].columns
    box = next(box for box in app.selectbox if box.label == "Target URL" and (box.key or "").startswith("map:"))
    box.select("(none)")
    press_use(app)
    assert len(sentences(app)) == 1
    assert "Target URL" in sentences(app)[0]
    assert app.session_state["files"]["backlinks"].exports[0].columns == columns
    box = next(box for box in app.selectbox if box.label == "Target URL" and (box.key or "").startswith("map:"))
    assert box.value == "(none)"
    box.select("Target URL")
    press_use(app)
    assert not sentences(app)


def test_a_mapping_of_a_refused_file_that_is_refused_too_says_why_at_once(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), "own.csv", b"from here,to there\nhttps://a.example/,https://b.example/\n")
    before = sentences(app)
    next(box for box in app.selectbox if box.label == "Referring page URL").select("from here")
    press_use(app)
    assert len(sentences(app)) == 1
    assert sentences(app) != before
    assert "Target URL" in sentences(app)[0]


def test_a_refused_file_can_be_mapped_on_the_page_and_in_the_window_of_files_at_once(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), "own.csv", b"from here,to there\nhttps://a.example/,https://b.example/\n")
    app.button(key="open-files").click().run()
    assert not app.exception
    boxes = [box for box in app.selectbox if box.label == "Referring page URL"]
    assert len(boxes) == 2


def test_hovers_say_in_words_what_is_not_known(monkeypatch):
    header = b"Referring page URL,Target URL,Referring page title,DR\n"
    row = b"https://a%d.example/garden,https://shop.example/chairs,Garden chairs,40\n"
    app = run(upload(open_app(monkeypatch, PAGE), "no-ur.csv", header + b"".join(row % n for n in range(4))))
    show_tab(app, "Explore")
    drawn = app.get("plotly_chart")[0].proto.spec
    assert "CAS not known" in drawn
    assert "nan" not in drawn


def test_the_workbook_that_was_uploaded_comes_back_with_our_columns(monkeypatch):
    offered = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, name, *_, **__: offered.update({label: (name, data)})
    )
    book, target = openpyxl.Workbook(), BytesIO()
    book.active.append(["Referring page URL", "Target URL", "Referring page title"])
    for row in range(4):
        book.active.append([f"https://{row}.example/oak", "https://shop.example/oak", "Oak tables"])
    book.create_sheet("Budget")["A1"] = "=1+1"
    book.save(target)
    app = show_tab(run(upload(open_app(monkeypatch, PAGE), "links.xlsx", target.getvalue())), "Downloads")
    assert not app.exception
    name, made = offered["Your workbook with our columns"]
    assert name == "links-audit.xlsx"
    back = openpyxl.load_workbook(BytesIO(made()))
    assert back.sheetnames == ["Sheet", "Budget"] and back["Budget"]["A1"].value == "=1+1"
    assert [back["Sheet"]["D1"].value, back["Sheet"]["E1"].value] == ["Verdict", "Why"]
    assert all(back["Sheet"].cell(row, 4).value for row in range(2, 6))
