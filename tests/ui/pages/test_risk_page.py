from dataclasses import fields

import pytest

from backlink_audit.exports.load import load
from backlink_audit.labels import LINK_LIVE, OUTSIDE_CONTENT
from backlink_audit.report.files import write_csv
from backlink_audit.risk.result import ASK_ABOVE, Question, RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from backlink_audit.risk.tables import tables
from backlink_audit.settings import RiskLimits
from tests.exported import AHREFS
from tests.ui.app import figures, open_app, sample_file, sentences, upload

PAGE = "pages/backlinks/risk.py"
TABS = ["Review", "Read next", "Second opinion", "Signals", "Disavow file", "Download"]
EXISTING = b"# old\r\ndomain:old-spam.com\r\ndomain:example.com/path\r\n"


@pytest.fixture
def app(monkeypatch):
    return upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))


@pytest.fixture(scope="module")
def risks():
    return review_risks(load([sample_file("backlinks")]))


def show_tab(app, name):
    app.session_state["risk:tabs"] = name
    return app.run()


def set_all(app, state, scope="domain", note=""):
    app.selectbox(key=f"risk:{scope}:mark:state").select(state)
    app.text_input(key=f"risk:{scope}:mark:note").input(note)
    app.run()
    app.button(key=f"risk:{scope}:mark:filtered").click().run()
    return answer(app, "apply") if is_asked(app) else app


def is_asked(app):
    return any(button.key == "question:apply" for button in app.button)


def ticks(app, place="question"):
    """The boxes of the domains that look worth keeping, by domain."""
    return {box.key.split(":", 2)[2]: box for box in app.checkbox if (box.key or "").startswith(f"{place}:tick:")}


def worth_keeping(risks, rows=None):
    rows = risks.domains[risks.domains["signals"] > 0] if rows is None else rows
    return Question(risks, "domain", rows, "disavow").worth_keeping["referring_domain"].tolist()


def answer(app, which):
    return app.button(key=f"question:{which}").click().run()


def decisions(app):
    return app.session_state["review"].decisions


def uploader(app, key):
    return next(box for box in app.get("file_uploader") if f"upload:{key}" in (box.key or ""))


def test_the_figures_on_screen_are_those_of_the_review(app, risks):
    shown = figures(app)
    assert app.subheader[0].value == risks.headline
    assert shown["With a signal"] == f"{risks.flagged_links:,}"
    assert shown["To review"] == f"{risks.to_review:,}"
    assert shown["Decided"] == f"0 of {risks.flagged_domains:,}"
    assert shown["To disavow"] == "0"


def test_every_tab_opens(app):
    for tab in TABS:
        show_tab(app, tab)
        assert not app.exception and not sentences(app), tab


def test_the_table_shows_the_flagged_domains_with_their_evidence(app, risks):
    shown = app.dataframe[0].value
    flagged = risks.domains[risks.domains["signals"] > 0]
    assert shown["referring_domain"].tolist() == flagged["referring_domain"].tolist()
    beginnings = zip(shown["risk_evidence"].str.rstrip("…"), flagged["risk_evidence"], strict=True)
    assert all(evidence.startswith(words) for words, evidence in beginnings)
    assert shown.columns[:4].tolist() == ["referring_domain", "signals", "risk_evidence", "state"]


def test_the_table_narrows_by_signal_and_by_their_number(app, risks):
    app.multiselect(key="risk:domain:signals").select("risk_template").run()
    counted = (risks.domains["risk_template"] != "") & (risks.domains["signals"] > 0)  # a title alone is no signal
    assert len(app.dataframe[0].value) == counted.sum() > 0
    app.multiselect(key="risk:domain:signals").unselect("risk_template").run()
    app.segmented_control(key="risk:domain:least").select(2).run()
    assert len(app.dataframe[0].value) == (risks.domains["signals"] >= 2).sum()


def test_a_filtered_set_is_marked_at_once_and_nothing_else(app, risks):
    app.multiselect(key="risk:domain:signals").select("risk_seller").run()
    set_all(app, "disavow", note="links are often sold")
    marked = (risks.domains["risk_seller"] != "").sum()
    assert figures(app)["To disavow"] == f"{marked:,}"
    assert figures(app)["Decided"] == f"{marked} of {risks.flagged_domains:,}"
    assert {one.note for one in app.session_state["review"].decisions.values()} == {"links are often sold"}


def test_many_rows_are_asked_about_first_and_cancelling_changes_nothing(app, risks):
    app.selectbox(key="risk:domain:mark:state").select("disavow").run()
    app.button(key="risk:domain:mark:filtered").click().run()
    assert is_asked(app)
    said = " ".join(text.value for text in app.markdown)
    assert f"{risks.flagged_domains} domains will get the state “disavow”" in said
    assert f"The largest: {risks.domains[risks.domains['signals'] > 0].nlargest(1, 'authority').iloc[0, 0]}" in said
    answer(app, "cancel")
    assert not is_asked(app)
    assert not decisions(app)
    assert not any(button.key == "review:undo" for button in app.button)


def test_few_rows_are_not_asked_about(app, risks):
    app.multiselect(key="risk:domain:signals").select("risk_seller").run()
    assert 0 < (risks.domains["risk_seller"] != "").sum() <= ASK_ABOVE
    app.selectbox(key="risk:domain:mark:state").select("disavow").run()
    app.button(key="risk:domain:mark:filtered").click().run()
    assert not is_asked(app)
    assert decisions(app)


def test_domains_worth_keeping_are_listed_first_and_left_out_unless_they_are_ticked(app, risks):
    worth = worth_keeping(risks)
    assert len(worth) > 1
    app.selectbox(key="risk:domain:mark:state").select("disavow").run()
    app.button(key="risk:domain:mark:filtered").click().run()
    boxes = ticks(app)
    assert list(boxes) == worth and not any(box.value for box in boxes.values())
    boxes[worth[0]].check().run()
    answer(app, "apply")
    disavowed = set(app.session_state["review"].disavowed_domains)
    assert disavowed & set(worth) == {worth[0]}
    assert len(disavowed) == risks.flagged_domains - len(worth) + 1


def test_the_file_names_what_is_left_out_and_a_tick_takes_it_along(app, risks):
    every = risks.domains["referring_domain"].tolist()
    saved = write_csv(Review().decide("domain", every, "disavow").to_table())  # a review in which all is disavowed
    uploader(app, "review").upload("review.csv", saved, "text/csv").run()
    app.button(key="review:load").click().run()
    show_tab(app, "Disavow file")
    worth = worth_keeping(risks, risks.domains)
    boxes = ticks(app, "disavow")
    assert list(boxes) == worth and not any(box.value for box in boxes.values())
    assert figures(app)["Excluded"] == f"{len(worth):,}"
    assert app.code[0].value.startswith(f"# Not disavowed: {worth[0]} looks worth keeping (")
    assert f"domain:{worth[0]}" not in app.code[0].value
    boxes[worth[0]].check().run()
    assert figures(app)["Excluded"] == f"{len(worth) - 1:,}"
    assert f"# Disavowed on purpose: {worth[0]} looks worth keeping (" in app.code[0].value or len(worth) > 40
    ticks(app, "disavow")[worth[0]].uncheck().run()
    assert figures(app)["Excluded"] == f"{len(worth):,}"


def test_decisions_are_undone_one_after_the_other(app):
    app.multiselect(key="risk:domain:signals").select("risk_seller").run()
    set_all(app, "keep")
    few = dict(decisions(app))
    app.multiselect(key="risk:domain:signals").unselect("risk_seller").run()
    set_all(app, "disavow")
    assert any(f"{len(decisions(app))} domains set to “disavow”." == caption.value for caption in app.caption)
    app.button(key="review:undo").click().run()
    assert decisions(app) == few
    app.button(key="review:undo").click().run()
    assert not decisions(app)
    assert not any(button.key == "review:undo" for button in app.button)


def test_removing_all_decisions_can_be_undone(app, risks):
    set_all(app, "disavow")
    app.button(key="review:remove").click().run()
    app.button(key="review:undo").click().run()
    assert figures(app)["To disavow"] == f"{risks.flagged_domains - len(worth_keeping(risks)):,}"


def test_single_links_can_be_marked_too(app, risks):
    app.segmented_control(key="risk:scope").select("URL").run()
    set_all(app, "disavow", scope="URL")
    flagged = risks.links[risks.links["signals"] > 0]
    harmless = ~flagged["referring_domain"].isin(worth_keeping(risks))
    assert len(app.session_state["review"].disavowed_urls) == harmless.sum() < len(flagged)


def test_what_was_marked_can_be_taken_back(app):
    set_all(app, "disavow")
    set_all(app, "undecided")
    assert figures(app)["To disavow"] == "0"
    assert not app.session_state["review"].decisions


def test_the_disavow_file_joins_the_existing_one_and_names_its_broken_line(app, risks):
    set_all(app, "disavow")
    show_tab(app, "Disavow file")
    uploader(app, "disavow").upload("disavow.txt", EXISTING, "text/plain").run()
    shown = figures(app)
    added = risks.flagged_domains - len(worth_keeping(risks))
    assert shown["Domains"] == f"{added + 1:,}"
    assert shown["Added"] == f"{added:,}"
    changes = app.dataframe[0].value
    broken = changes[changes["Change"] == "not included"].iloc[0]
    assert broken["Line"] == 3
    assert "path" in broken["Why"]
    assert app.code[0].value.startswith("# old\ndomain:old-spam.com\n# Line 3 is not included")


def test_a_disavow_file_beyond_the_limits_is_refused_with_a_sentence(app):
    show_tab(app, "Disavow file")
    uploader(app, "disavow").upload("big.txt", b"# a\n" * 100_001, "text/plain").run()
    assert len(sentences(app)) == 1
    assert sentences(app)[0].startswith("big.txt: it has 100,001 lines, but Google allows at most 100,000")


def test_a_saved_review_is_loaded_again(app, risks):
    domains = risks.domains["referring_domain"].tolist()
    saved = write_csv(Review().decide("domain", domains[:2], "whitelist").to_table())
    uploader(app, "review").upload("review.csv", saved, "text/csv").run()
    assert not sentences(app)
    assert figures(app)["Decided"].startswith("2 of")
    uploader(app, "review").upload("other.csv", b"a,b\n1,2\n", "text/csv").run()
    assert "this is not a review" in sentences(app)[0]


@pytest.mark.parametrize(("button", "decided"), [("review:load", "21 of"), ("review:cancel", "1 of")])
def test_a_review_that_decides_much_is_loaded_once_that_is_confirmed(app, risks, button, decided):
    app.session_state["review"] = Review().decide("domain", risks.domains["referring_domain"].tolist()[:1], "keep")
    saved = write_csv(Review().decide("domain", risks.domains["referring_domain"].tolist()[:21], "disavow").to_table())
    uploader(app, "review").upload("review.csv", saved, "text/csv").run()
    assert any("21 decisions: disavow 21.** 1 of yours would be replaced." in said.value for said in app.markdown)
    assert figures(app)["Decided"].startswith("1 of")
    app.button(key=button).click().run()
    assert figures(app)["Decided"].startswith(decided)
    assert not any(one.key == "review:load" for one in app.button)


def test_the_disavow_file_can_be_removed(app):
    show_tab(app, "Disavow file")
    uploader(app, "disavow").upload("agency.txt", EXISTING, "text/plain").run()
    assert any("agency.txt" in caption.value and "1 invalid line" in caption.value for caption in app.caption)
    assert figures(app)["Domains"] == "1"
    app.button(key="disavow:remove").click().run()
    assert "Domains" not in figures(app) and "Nothing to disavow yet" in app.info[-1].value
    assert not any("agency.txt" in caption.value for caption in app.caption)


def test_all_decisions_can_be_removed(app):
    set_all(app, "disavow")
    app.button(key="review:remove").click().run()
    assert figures(app)["To disavow"] == "0"
    assert not app.session_state["review"].decisions


def test_limits_that_contradict_each_other_are_a_sentence(app):
    app.number_input(key="risk:limits:maybe_toxic_score").set_value(90).run()
    assert "must be between 1 and 60" in sentences(app)[0]
    assert not app.exception


def test_every_live_link_is_reviewed_wherever_it_stands(app, risks):
    assert figures(app)["Live links"] == f"{len(risks.links):,}"
    assert (risks.links["placement"] == OUTSIDE_CONTENT.word).any()
    assert set(risks.links["link_state"]) == {LINK_LIVE.word}


def test_the_review_starts_from_every_live_link_with_an_audit_too(app, risks):
    before = figures(app)["Live links"]
    assert before == f"{len(risks.links):,}"
    app.switch_page("pages/backlinks/audit.py").run()
    app.button(key="run:Run the audit").click().run()
    app.session_state["links:shown"] = "live in content"
    app.switch_page(PAGE).run()
    assert figures(app)["Live links"] == before


def test_each_limit_has_a_widget_with_its_default(app):
    for field in fields(RiskLimits):
        assert app.number_input(key=f"risk:limits:{field.name}").value == field.default


def test_more_rows_than_a_page_are_shown_a_page_at_a_time(app, risks, monkeypatch):
    from backlink_audit.ui import worktable

    monkeypatch.setattr(worktable, "ROWS_TO_MARK", 10)
    app.run()
    assert len(app.dataframe[0].value) == 10
    pages = next(box for box in app.number_input if ":page:" in box.key)
    pages.set_value(2).run()
    flagged = risks.domains[risks.domains["signals"] > 0]["referring_domain"].tolist()
    assert app.dataframe[0].value["referring_domain"].tolist() == flagged[10:20]
    set_all(app, "keep")
    assert len(app.session_state["review"].kept_domains) == len(flagged)


def test_the_download_holds_what_the_screen_shows(app, risks):
    result = RiskReview(risks, Review())
    assert (
        tables(result).sheets()["Domains"]["Referring domain"].tolist()
        == app.dataframe[0].value["referring_domain"].tolist()
    )


def test_an_error_goes_with_the_settings_it_came_from(monkeypatch):
    row = AHREFS | {"Referring page URL": "ftp://a.com/1"}
    data = "\n".join(",".join(cells) for cells in (row.keys(), row.values())).encode()
    app = upload(open_app(monkeypatch, PAGE), "ftp.csv", data)
    assert sentences(app)
    app.checkbox(key="risk:filters:web_urls").uncheck().run()
    assert not sentences(app)
    app.number_input(key="risk:limits:external_links").set_value(1).run()
    assert not sentences(app) and not app.warning


def test_an_export_of_lost_links_alone_is_a_sentence(monkeypatch):
    row = AHREFS | {"Referring page URL": "https://a.com/1", "Lost": "2024-01-01"}
    data = "\n".join(",".join(cells) for cells in (row.keys(), row.values())).encode()
    app = upload(open_app(monkeypatch, PAGE), "lost.csv", data)
    assert not app.exception
    assert any("no live links" in info.value for info in app.info)


def test_after_an_audit_the_links_to_read_next_are_listed_and_what_the_verdicts_promise(monkeypatch):
    app = open_app(monkeypatch, "pages/backlinks/audit.py", with_sample=True)
    app.switch_page(PAGE).run()
    show_tab(app, "Read next")
    assert not app.exception
    answers = [button for button in app.button if (button.key or "").startswith("read:")]
    assert len(answers) == 4 * 10
    decided = answers[3].click().run()
    assert len(decisions(decided)) == 1 or is_asked(decided)
    assert any("are sure" in caption.value for caption in app.caption)
