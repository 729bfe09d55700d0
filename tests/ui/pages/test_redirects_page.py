"""The page Redirects on the sample project."""

import pytest

from backlink_audit.exports.load import load
from backlink_audit.redirects.run import map_redirects
from backlink_audit.settings import RedirectSettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences, upload

OLD_URLS = b"https://www.longroad.example/shop/gas-burner.html\nhttps://www.longroad.example/tyres.html\n"
PAGE = "pages/internal_links/redirects.py"


@pytest.fixture
def app(monkeypatch):
    return open_app(monkeypatch, PAGE, with_sample=True)


def test_the_figures_on_screen_are_those_of_the_result(app):
    old, new = (load([sample_file(role)], "pages") for role in ("old_pages", "pages"))
    backlinks = load([sample_file("backlinks")])
    result = map_redirects(old, new, RedirectSettings(), ToyEncoder(), Sources(backlinks=backlinks))
    shown = figures(app)
    assert app.subheader[0].value == result.headline
    assert (
        shown["Old URLs to redirect"] == str(len(result.table)) and shown["Sure"] == str(result.counts["sure"]) != "0"
    )
    first = ["old_url", "new_url", "confidence", "cas_at_risk"]
    assert app.dataframe[0].value.columns[:4].tolist() == first, "both URLs, and what the rows are sorted by"
    assert result.cas_at_risk and shown["CAS at risk"] == f"{result.cas_at_risk:,.3f}"


def test_swapped_crawls_are_noticed_and_one_click_puts_them_right(app):
    assert not any("swapped" in info.value for info in app.info)
    app.button(key="redirects:swap").click().run()
    assert any("earlier file or settings" in warning.value for warning in app.warning)
    app.button(key="run:Find redirects").click().run()
    assert any("Did you swap the two files" in info.value for info in app.info)


def test_a_list_of_old_urls_is_enough(monkeypatch):
    app = open_app(monkeypatch, PAGE)
    upload(app, "old.txt", OLD_URLS, role="old_pages")
    upload(app, *sample_file("pages"), role="pages")
    app.button(key="run:Find redirects").click().run()
    assert figures(app)["Old URLs to redirect"] == "2" and figures(app)["CAS at risk"] == "–"


def test_what_servers_get_is_chosen_beside_their_files_and_asks_for_no_new_run(app):
    app.session_state["redirects:tabs"] = "Download"
    app.run()
    app.segmented_control(key="redirects:served").set_value("sure").run()
    assert not app.warning and not sentences(app)


def test_every_tab_opens(app):
    for tab in ("Redirects", "Sections", "Download"):
        app.session_state["redirects:tabs"] = tab
        app.run()
        assert not app.exception and not sentences(app), tab
