"""The page Existing links on the sample project."""

from functools import cache

import pytest

from backlink_audit.existing_links.run import audit_inlinks
from backlink_audit.exports.load import load
from backlink_audit.settings import InlinkSettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences

PAGE = "pages/internal_links/existing_links.py"


@pytest.fixture
def app(monkeypatch):
    return open_app(monkeypatch, PAGE, with_sample=True)


@cache
def expected(**settings):
    links, crawl = load([sample_file("inlinks")], "inlinks"), load([sample_file("pages")], "pages")
    return audit_inlinks(links, InlinkSettings(**settings), ToyEncoder(), Sources(pages=crawl))


def test_the_figures_on_screen_are_those_of_the_result(app):
    result = expected()
    shown = figures(app)
    assert app.subheader[0].value == result.headline
    assert shown["Links checked"] == f"{len(result.links):,}"
    assert shown["Mend"] == str(result.verdict_counts["Mend"]) and int(shown["Mend"]) > 0


def test_links_in_menus_are_judged_if_asked_for(app):
    app.toggle(key="inlinks:content_only").set_value(False).run()
    app.button(key="run:Check the links").click().run()
    assert figures(app)["Links checked"] == f"{len(expected(content_only=False).links):,}"


def test_every_tab_opens(app):
    for tab in ("Links", "Anchors", "Pages", "Download"):
        app.session_state["inlinks:tabs"] = tab
        app.run()
        assert not app.exception and not sentences(app), tab
