from backlink_audit.competitors.result import compare_profiles
from backlink_audit.exports.load import load
from tests.ui.app import open_app, sample_file, sentences, upload

PAGE = "pages/backlinks/competitors.py"
WITHOUT_CRAWL = "Your crawl is not used here"


def test_the_table_on_screen_is_that_of_the_comparison_and_every_tab_opens(monkeypatch):
    app = open_app(monkeypatch, PAGE, with_sample=True)
    shown = app.dataframe[0].value
    assert shown.columns.tolist()[:3] == ["section", "metric", sample_file("backlinks")[0]]
    own = compare_profiles([load([sample_file("backlinks")])]).table
    ours = dict(zip(shown["metric"], shown[sample_file("backlinks")[0]], strict=True))
    assert all(ours[what] == value for what, value in zip(own["metric"], own[own.columns[2]], strict=True))
    assert any(note.value.startswith(WITHOUT_CRAWL) for note in app.caption)
    for tab in ("Charts", "Most linked pages", "Download"):
        app.session_state["competitors:tabs"] = tab
        app.run()
        assert not app.exception and not sentences(app), tab


def test_a_file_of_lost_links_alone_has_nothing_to_compare_and_the_page_says_so(monkeypatch):
    lost = b"Source url,Target url,Lost link\nhttps://a.example/,https://our-site.com/,true\n"
    app = upload(open_app(monkeypatch, PAGE), "ours.csv", lost)
    upload(app, "theirs.csv", sample_file("backlinks")[1], "competitors")
    assert not app.exception and not app.dataframe
    assert [info.value for info in app.info] == [
        "No links match this choice. Links in the file: lost 1. Choose “Everything” under “Change files and settings” "
        "to see them."
    ]


def test_without_a_crawl_nothing_is_said_of_one(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    upload(app, "theirs.csv", sample_file("backlinks")[1], "competitors")
    assert app.dataframe and not any(note.value.startswith(WITHOUT_CRAWL) for note in app.caption)
