"""Any file may be dropped anywhere: it is kept for what it is, and the pages that use it are offered."""

import pytest

from backlink_audit.fetching import check as fetching
from backlink_audit.fetching import requests
from backlink_audit.ui import menu
from tests.exports.test_ranks import HEADER
from tests.fetching.servers import HERE, QUICK, serving
from tests.ui.app import open_app, sample_file, sentences, upload

CITED = b'"Page","Citations"\n"https://www.longroad.example/tents/","12"\n'


def kept(app) -> dict[str, int]:
    return {role: len(shelf.files) for role, shelf in app.session_state["files"].items()}


@pytest.mark.parametrize(
    ("role", "file", "page"),
    [
        ("pages", sample_file("pages"), "Internal links"),
        ("inlinks", sample_file("inlinks"), "Authority"),
        ("citations", ("cited.csv", CITED), "AI answers"),
    ],
)
def test_a_file_dropped_on_the_home_page_is_kept_for_what_it_is(monkeypatch, role, file, page):
    app = open_app(monkeypatch)
    upload(app, *file)
    assert kept(app) == {role: 1} and not sentences(app) and not app.exception
    assert any(file[0] in success.value.replace("\\", "") for success in app.success)
    assert page in [link.proto.label for link in app.get("page_link")]


@pytest.mark.parametrize("file", [("a.csv", b"Colour,Size\nred,2\n"), ("q.csv", b"Keyword,Volume,Position\noak,3,4\n")])
def test_a_file_that_nothing_needs_is_refused_in_a_sentence(monkeypatch, file):
    app = upload(open_app(monkeypatch), *file)
    assert len(sentences(app)) == 1 and file[0] in sentences(app)[0]
    assert "files" not in app.session_state or not kept(app)


def test_what_is_recognised_stands_in_the_lists_of_columns(monkeypatch):
    data = b"Some page,Our page,Anchor text,DR\nhttps://a.example/,https://shop.example/oak,oak,40\n"
    app = upload(open_app(monkeypatch), "mine.csv", data)
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["Target URL"], chosen["Anchor"], chosen["Domain rating"]) == ("Our page", "Anchor text", "DR")
    next(box for box in app.selectbox if box.label == "Referring page URL").select("Some page")
    next(button for button in app.button if button.label == "Use these columns").click().run()
    assert kept(app) == {"backlinks": 1} and not sentences(app)


def test_a_whole_audit_starts_from_a_list_of_linking_pages(monkeypatch, caplog):
    caplog.set_level("CRITICAL")
    monkeypatch.setattr(fetching, "PUBLIC", HERE)
    monkeypatch.setattr(requests, "request_limits_of", lambda settings: QUICK)
    post = '<title>Oak</title><main><p>See the <a href="https://our-site.com/oak">oak chairs</a> of them.</p></main>'
    with serving({"/post": post}) as server:
        lines = ["Linking page,Last crawled", *(f"{server.url(path)},2026-07-01" for path in ("/post", "/gone"))]
        app = open_app(monkeypatch, menu.FREE.path)
        upload(app, "https___our-site.com_-Latest links.csv", "\n".join(lines).encode(), place="free")
        assert any("2 pages, and robots.txt" in caption.value for caption in app.caption) and not server.asked
        app.button(key=f"run:{menu.FREE.button}").click().run()
    assert any("2 links are read; 1 linking pages are gone" in text.value for text in app.markdown)
    ranks = f"{HEADER}\n1\t9\t1\t9\texample.blog\t1\n50\t1\t3\t1\torg.x\t1\n".encode()
    upload(app, "ranks.txt", ranks, role="ranks", place="free")
    app.button(key="free-audit").click().run()
    assert app.title[0].value == menu.AUDIT.title and not app.exception
    links = app.session_state["jobs"][menu.AUDIT.button].result.links
    assert links["anchor"].tolist() == ["oak chairs", ""]
    assert links["scale"].eq("Common Crawl").all() and links["domain_rating"].iloc[0] == 98


def test_ai_answers_shows_the_sample_s_citations(monkeypatch):
    app = open_app(monkeypatch, menu.AI_ANSWERS.path, with_sample=True)
    assert not app.exception and "citations of" in app.subheader[0].value
    for tab in ("Links to add", "Queries", "Never cited", "Download"):
        app.session_state["ai-answers:tabs"] = tab
        app.run()
        assert not app.exception, tab


def test_every_recognised_header_can_be_dropped_on_the_home_page(monkeypatch):
    """Each line of the table of headers: kept for a role, or one sentence that says what it is."""
    from tests.exports.test_formats import HEADERS

    app = open_app(monkeypatch)
    for one in HEADERS:
        export, read_as, lines = one.values
        upload(app, f"shop.example-{export.replace(' ', '-')}.csv", lines.encode())
        said = [text.value for text in (*app.success, *app.error)]
        assert not app.exception, export
        is_backlinks = "backlinks" in app.session_state["files"] if "files" in app.session_state else False
        assert said or is_backlinks, export
        if is_backlinks:
            app = open_app(monkeypatch)
