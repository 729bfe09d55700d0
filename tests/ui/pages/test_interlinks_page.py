from functools import cache

import pytest

from backlink_audit.exports.load import load
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.settings import InterlinkSettings
from backlink_audit.sources import Sources
from tests.crawls import crawl_file
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences, upload

PAGE = "pages/internal_links/internal_links.py"
RUN = "run:Find the links"
TABS = [
    "Links",
    "One page",
    "Pages",
    "Tree",
    "Radial tree",
    "Network",
    "Heat map",
    "Excluded",
    "Orphans",
    "Subjects",
    "Download",
]


@pytest.fixture
def app(monkeypatch):
    """The page with the sample project, whose links are found by themselves."""
    return open_app(monkeypatch, PAGE, with_sample=True)


def run(app):
    return app.button(key=RUN).click().run()


@cache
def expected(**settings):
    pages, links = load([sample_file("pages")], "pages"), load([sample_file("inlinks")], "inlinks")
    return find_internal_links(pages, InterlinkSettings(**settings), ToyEncoder(), sources=Sources(inlinks=links))


def test_without_a_crawl_the_page_asks_for_one(monkeypatch):
    app = open_app(monkeypatch, PAGE)
    assert not app.exception
    assert any("upload:pages:empty" in (box.key or "") for box in app.get("file_uploader"))


def test_the_figures_on_screen_are_the_results(app):
    result = expected()
    assert not sentences(app)
    assert app.subheader[0].value == result.headline
    shown = figures(app)
    assert shown["Links suggested"] == f"{len(result.suggested):,}"
    assert shown["With an anchor"] == f"{result.with_anchor:,}"
    assert shown["Orphans"] == f"{len(result.orphans):,}"


def test_every_tab_opens(app):
    for tab in TABS:
        app.session_state["interlinks:tabs"] = tab
        app.run()
        assert not app.exception and not sentences(app), tab


def test_a_changed_threshold_marks_the_result_until_it_is_run_again(app):
    app.slider(key="interlinks:minimum").set_value(0.8).run()
    assert app.warning
    run(app)
    assert not app.warning
    assert app.subheader[0].value == expected(min_similarity=0.8).headline


def test_what_was_found_is_narrowed_down_at_once(app):
    result = expected()
    app.slider(key="interlinks:live_minimum:0.5").set_value(0.7).run()
    assert not app.warning
    assert figures(app)["Links suggested"] == f"{(result.suggested['similarity'] >= 0.7).sum():,}"
    app.text_input(key="interlinks:live_source_pattern").set_value("(").run()
    assert any("not a valid regular expression" in message.value for message in app.error)


def test_chart_limits_change_no_download(app):
    run(app)
    app.session_state["interlinks:tabs"] = "Explore"
    app.run()
    app.slider(key="tree:level_1").set_value(2).run()
    assert figures(app)["Links suggested"] == f"{len(expected().suggested):,}"


def test_brands_found_are_shown_and_can_be_edited(app):
    box = next(text for text in app.text_input if text.label == "Remove from titles")
    found = expected().texts.brands
    assert box.value == " | ".join(found)
    box.set_value("").run()
    run(app)
    assert app.subheader[0].value == expected(brands=()).headline


def test_a_crawl_of_one_page_says_that_there_is_nothing_to_link(monkeypatch):
    app = upload(
        open_app(monkeypatch, PAGE), "crawl.csv", crawl_file(("https://a.example/", "A", "A", "Words.")), role="pages"
    )
    run(app)
    assert not app.exception
    assert any("only one page" in info.value for info in app.info)


def test_a_backlink_export_in_place_of_a_crawl_is_kept_as_what_it_is_and_the_crawl_still_asked_for(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"), role="pages")
    assert any(one.value.endswith("is “Ahrefs backlinks”, kept as: Backlinks.") for one in app.success)
    assert set(app.session_state["files"]) == {"backlinks"}
    assert any("upload:pages:empty" in (box.key or "") for box in app.get("file_uploader"))


TWICE = (
    ("https://a.example/", "Garden chairs", "Garden chairs", "Chairs for the garden."),
    ("https://a.example/oak", "Oak chairs", "Oak chairs", "Chairs of oak for the garden."),
    ("https://a.example/oak", "Oak chairs", "Oak chairs", "Chairs of oak for the garden."),
)


def test_the_heat_map_is_drawn_where_a_page_is_listed_twice(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), "crawl.csv", crawl_file(*TWICE), role="pages")
    app.checkbox(key="interlinks:filters:duplicates").uncheck().run()
    app.slider(key="interlinks:minimum").set_value(-1.0).run()
    run(app)
    app.session_state["interlinks:tabs"] = "Explore"
    app.run()
    app.segmented_control(key="interlinks:chart").select("Heat map")
    app.run()
    assert not app.exception and not sentences(app)
    assert figures(app)["Pages"] == "3"
    assert "Similarity" in app.get("plotly_chart")[0].proto.spec


def test_without_an_inlinks_export_no_page_is_called_an_orphan(monkeypatch):
    rows = b"".join(b"https://a.example/%d,200,Page %d,3\n" % (number, number) for number in range(3))
    data = b"Address,Status Code,Title 1,Inlinks\n" + rows
    app = run(upload(open_app(monkeypatch, PAGE), "crawl.csv", data, role="pages"))
    assert figures(app)["Orphans"] == "–"
    assert any("Orphans: load the “All inlinks” export" in caption.value for caption in app.caption)
