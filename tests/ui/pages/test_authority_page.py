"""The page Authority on the sample project."""

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.authority.run import find_authority
from backlink_audit.exports.load import load
from backlink_audit.settings import AuditSettings, AuthoritySettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences

PAGE = "pages/internal_links/authority.py"


@pytest.fixture
def app(monkeypatch):
    return open_app(monkeypatch, PAGE, with_sample=True)


def show_tab(app, name):
    app.session_state["authority:tabs"] = name
    return app.run()


def test_the_figures_on_screen_are_those_of_the_result(app):
    crawl = load([sample_file("pages")], "pages")
    audit = audit_backlinks(load([sample_file("backlinks")]), AuditSettings(), ToyEncoder(), Sources(pages=crawl))
    inlinks = load([sample_file("inlinks")], "inlinks")
    result = find_authority(inlinks, AuthoritySettings(), sources=Sources(pages=crawl), backlinks=audit.scored)
    shown = figures(app)
    assert app.subheader[0].value == result.headline
    assert shown["Pages"] == f"{len(result.pages):,}" and shown["Orphans"] == f"{result.verdict_counts['Orphan']:,}"
    scores = app.dataframe[0].value["link_score"]
    assert app.dataframe[0].value.columns[2] == "link_score" and scores.is_monotonic_decreasing
    assert shown["Underlinked"] == str(result.verdict_counts["Underlinked"]) != "0"


def test_pages_to_strengthen_and_another_weight_ask_for_a_new_run(app):
    url = load([sample_file("inlinks")], "inlinks").table["target_url"].iloc[1]
    app.text_area(key="authority:wanted").set_value(f"{url}\nhttps://elsewhere.example/").run()
    assert any("earlier file or settings" in warning.value for warning in app.warning)
    app.button(key="run:Calculate the link score").click().run()
    assert any("1 of 2 pages of your list" in info.value for info in app.info)


def test_links_to_try_out_come_from_internal_links_and_change_the_shares(app):
    assert any("Find links on the page “Internal links”" in info.value for info in show_tab(app, "What if").info)
    app.switch_page("pages/internal_links/internal_links.py").run()
    app.switch_page(PAGE).run()
    show_tab(app, "What if")
    chosen = app.multiselect(key="authority:suggested").value
    assert len(chosen) == 10
    assert any("links are added" in text.value and "authority" in text.value for text in app.markdown)
    app.multiselect(key="authority:suggested").set_value(chosen[:1]).run()
    assert any("1 of 1 link is added" in text.value for text in app.markdown)


def test_every_tab_opens(app):
    for tab in ("Pages", "Pages to link from", "What if", "Download"):
        show_tab(app, tab)
        assert not app.exception and not sentences(app), tab
