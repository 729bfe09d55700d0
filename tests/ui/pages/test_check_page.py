"""The page Link check: it says what it would send, sends nothing without a click, and is off on a server of others."""

import pytest

from backlink_audit.fetching import check as fetching
from backlink_audit.fetching import requests
from backlink_audit.ui import menu, projects
from tests.fetching.servers import HERE, QUICK, serving
from tests.ui.app import figures, open_app, sentences, upload

PAGE = "pages/backlinks/check.py"


@pytest.fixture
def server(monkeypatch, caplog):
    caplog.set_level("CRITICAL")
    monkeypatch.setattr(fetching, "PUBLIC", HERE)
    monkeypatch.setattr(requests, "request_limits_of", lambda settings: QUICK)
    with serving({"/post": '<main><p>All about <a href="https://our-site.com/">us</a>.</p></main>'}) as opened:
        yield opened


def opened(monkeypatch, server):
    app = open_app(monkeypatch, PAGE)
    rows = [f"{server.url(path)},https://our-site.com/,us" for path in ("/post", "/gone")]
    return upload(app, "links.csv", "\n".join(["Referring page URL,Target URL,Anchor", *rows]).encode())


def test_the_page_says_how_many_requests_to_how_many_hosts_and_sends_them_after_a_click(monkeypatch, server):
    app = opened(monkeypatch, server)
    assert any("at least 3 requests to 1 host" in caption.value for caption in app.caption)
    assert not server.asked and not sentences(app)
    app.button(key=f"run:{menu.CHECK.button}").click().run()
    assert app.subheader[0].value == "2 links checked: 1 there, 1 gone, 0 without a conclusion."
    assert (figures(app)["There"], figures(app)["Page gone"]) == ("1", "1")
    assert {asked.path for asked in server.asked} == {"/robots.txt", "/post", "/gone"}


def test_what_the_check_found_corrects_the_audit_with_one_click(monkeypatch, server):
    app = opened(monkeypatch, server)
    app.button(key=f"run:{menu.CHECK.button}").click().run()
    app.button(key="check-use").click().run()
    assert not app.exception and app.title[0].value == "Backlink audit"
    links = app.session_state["jobs"][menu.AUDIT.button].result.links
    assert dict(zip(links["referring_url"].str.rsplit("/").str[-1], links["check_state"], strict=True)) == {
        "post": "there",
        "gone": "page gone",
    }


@pytest.mark.parametrize(("allowed", "shown"), [("", False), ("0", False), ("1", True)])
def test_served_to_others_it_is_off_unless_the_owner_allows_it(monkeypatch, server, allowed, shown):
    monkeypatch.setattr(projects, "is_served_to_others", lambda: True)
    monkeypatch.setenv("BACKLINK_AUDIT_LINK_CHECKS", allowed)
    app = opened(monkeypatch, server) if shown else open_app(monkeypatch, PAGE)
    assert any(button.key == f"run:{menu.CHECK.button}" for button in app.button) == shown
    assert any("is switched off" in info.value for info in app.info) != shown
    assert not server.asked
