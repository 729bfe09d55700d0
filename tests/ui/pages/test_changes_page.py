from functools import cache

import pytest

from backlink_audit.changes.reclaim import find_reclaims
from backlink_audit.changes.run import compare_exports
from backlink_audit.exports.load import load
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences, upload

PAGE = "pages/backlinks/changes.py"
RUN = "run:Compare the exports"
RECLAIM = "run:Find links to reclaim"


def shortened() -> tuple[str, bytes]:
    """The sample's backlinks without their last eighty rows, as an older file."""
    data = sample_file("backlinks")[1]
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    lines = data.decode(encoding).splitlines(keepends=True)
    return "older.csv", "".join(lines[:-80]).encode(encoding)


@pytest.fixture
def app(monkeypatch):
    """The page with the sample's backlinks and an older file."""
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    name, data = shortened()
    return upload(app, name, data, role="older")


@cache
def expected():
    older, newer = load([shortened()]), load([sample_file("backlinks")])
    return compare_exports(older, newer, AuditSettings(), ToyEncoder())


def test_the_figures_on_screen_are_the_changes(app):
    app.button(key=RUN).click().run()
    changes, shown = expected(), figures(app)
    assert not sentences(app) and not app.exception
    for word, count in changes.counts.items():
        assert shown[f"{word.capitalize()} links"] == f"{count:,}"
    assert shown["CAS gained"] == f"{changes.cas_gained:,.3f}"
    assert app.subheader[0].value == changes.headline
    listed = app.dataframe[0].value.columns.tolist()
    assert listed.index("verdict_after") < listed.index("what_changed") < listed.index("anchor")


def test_without_audits_there_is_no_cas_and_it_says_why(app):
    app.toggle(key="changes:scores").set_value(False).run()
    app.button(key=RUN).click().run()
    assert figures(app)["CAS gained"] == "–"
    assert not app.exception


def test_swapping_exchanges_the_two_files(app):
    app.button(key="changes:swap").click().run()
    labels = [box.label for box in app.expander]
    assert any(label.startswith("Backlinks: older.csv") for label in labels)
    assert not app.exception


def test_the_same_file_twice_is_a_sentence(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    upload(app, *sample_file("backlinks"), role="older")
    app.button(key=RUN).click().run()
    assert "same file" in sentences(app)[0]


def test_links_to_win_back_need_no_older_file(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    upload(app, *sample_file("pages"), role="pages", place="page")
    app.session_state["changes:tabs"] = "Reclaim"
    app.run()
    app.button(key=RECLAIM).click().run()
    found = find_reclaims(
        load([sample_file("backlinks")]),
        AuditSettings(),
        ToyEncoder(),
        Sources(pages=load([sample_file("pages")], "pages")),
    )
    assert not app.exception and not sentences(app)
    assert app.subheader[0].value == found.headline
    assert found.lost > 0


def test_two_lists_of_domains_are_compared_and_links_to_win_back_say_what_they_need(monkeypatch):
    header = "Domain,DR,Links to target,First seen,Last seen\n"
    kept = "a.example,40,3,2025-01-02,{}\n"
    older = header + kept.format("2025-05-01") + "b.example,20,1,2025-03-04,2025-05-01\n"
    newer = header + kept.format("2025-09-01") + "c.example,30,2,2025-08-01,2025-09-01\n"
    app = upload(open_app(monkeypatch, PAGE), "newer.csv", newer.encode(), role="domains")
    upload(app, "older.csv", older.encode(), role="older")
    app.button(key=RUN).click().run()
    assert not app.exception and not sentences(app)
    assert [figures(app)[f"{word} domains"] for word in ("New", "Lost", "Changed", "Kept")] == ["1", "1", "0", "1"]
    table = app.dataframe[0].value
    assert table.set_index("referring_domain")["change"].to_dict() == {
        "b.example": "lost",
        "c.example": "new",
        "a.example": "kept",
    }
    app.session_state["changes:tabs"] = "Reclaim"
    app.run()
    assert "needs a backlink export" in app.info[0].value


def open_reclaim(app):
    app.session_state["changes:tabs"] = "Reclaim"
    app.run()
    return app.button(key=RECLAIM).click().run()


def reclaims(changes=None, **settings):
    return find_reclaims(load([sample_file("backlinks")]), AuditSettings(**settings), ToyEncoder(), changes=changes)


def test_links_to_win_back_count_what_only_the_older_file_has_until_it_is_removed(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *shortened())
    upload(app, *sample_file("backlinks"), role="older")
    app.button(key=RUN).click().run()
    both = open_reclaim(app).subheader[0].value
    del app.session_state["files"]["older"]
    app.run()
    assert any("earlier file or settings" in warning.value for warning in app.warning)
    alone = app.button(key=RECLAIM).click().run().subheader[0].value
    assert alone == find_reclaims(load([shortened()]), AuditSettings(), ToyEncoder()).headline
    assert alone != both


def test_links_to_win_back_never_mix_the_scores_of_two_models(app):
    app.button(key=RUN).click().run()
    app.selectbox(key="changes:model").select("Instant").run()
    assert open_reclaim(app).subheader[0].value == reclaims(model="Instant").headline
    assert any("Compare the exports" in caption.value for caption in app.caption)


def test_swapping_keeps_the_columns_that_were_chosen_by_hand(monkeypatch):
    rows = "".join(f"https://a{number}.example/garden,https://shop.example/chairs\n" for number in range(5))
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    upload(app, "own.csv", b"from here,to there\n" + rows.encode(), role="older")
    choices = {box.label: box for box in app.selectbox if (box.key or "").startswith("map:older:empty:own.csv")}
    choices["Referring page URL"].select("from here")
    choices["Target URL"].select("to there")
    next(button for button in app.button if button.label == "Use these columns" and "own.csv" in button.form_id).click()
    app.run()
    app.button(key="changes:swap").click().run()
    assert not app.exception and not sentences(app)
    labels = [box.label for box in app.expander]
    assert any(label.startswith("Backlinks: own.csv") for label in labels)
    assert any(label.startswith(f"Older backlinks: {sample_file('backlinks')[0]}") for label in labels)
    assert app.session_state["files"]["backlinks"].exports[0].columns["referring_url"] == "from here"


def test_progress_of_reclaim_says_what_is_done():
    steps = []
    newer, pages = load([sample_file("backlinks")]), load([sample_file("pages")], "pages")
    find_reclaims(
        newer, AuditSettings(), ToyEncoder(), Sources(pages=pages), on_progress=lambda what, *_: steps.append(what)
    )
    assert "Finding the closest pages" in steps
    assert not any("pitch" in step for step in steps)
