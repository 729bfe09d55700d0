from functools import cache

import pytest

from backlink_audit.exports.load import load, recognise_file
from backlink_audit.gap.run import find_gap
from backlink_audit.sample import files
from backlink_audit.settings import GapSettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences, upload

PAGE = "pages/backlinks/gap.py"
RUN = "run:Find prospects"
TOY = ToyEncoder()
OUR_DOMAINS = (
    "our-domains.csv",
    b"Domain,DR,Links to target,First seen\none.example,40,3,2025-01-02\ntwo.example,20,1,2025-03-04\n",
)
TABS = ["Prospects", "Overlap", "All domains", "Download"]


@pytest.fixture
def app(monkeypatch):
    """The page with the sample project, whose gap is found by itself."""
    return open_app(monkeypatch, PAGE, with_sample=True)


@cache
def expected(**settings):
    sample = files()
    theirs = [recognise_file(name, data) for name, data in sample["competitors"]]
    return find_gap(
        load(sample["backlinks"]),
        theirs,
        GapSettings(**settings),
        ToyEncoder(),
        Sources(pages=load(sample["pages"], "pages")),
    )


def show_tab(app, name):
    app.session_state["gap:tabs"] = name
    return app.run()


def test_without_competitors_the_page_says_what_to_bring(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    assert any("up to five competitors" in str(getattr(box, "label", "")) for box in app.get("file_uploader"))
    assert not app.exception


def test_the_figures_on_screen_are_the_gaps(app):
    gap = expected()
    shown = figures(app)
    assert shown["Prospects"] == f"{len(gap.prospects):,}"
    assert shown["Missing"] == f"{gap.class_counts['missing']:,}"
    assert shown["Shared"] == f"{gap.class_counts['shared']:,}"
    assert app.subheader[0].value == gap.headline
    assert len(gap.prospects) > 0


def test_every_tab_opens(app):
    for tab in TABS:
        show_tab(app, tab)
        assert not app.exception and not sentences(app), tab


def test_the_threshold_changes_the_prospects_without_another_run(app):
    ratings = list(expected().limits)
    for rating in ratings:
        app.slider(key=f"gap:min_authority:{rating}").set_value(60)
    app.run()
    limits = tuple((rating, 60.0) for rating in ratings)
    assert figures(app)["Prospects"] == f"{len(expected(min_authority=limits).prospects):,}"
    assert len(ratings) == 2
    assert not app.warning


def test_our_own_export_as_a_competitor_is_a_sentence(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    upload(app, *sample_file("backlinks"), role="competitors")
    app.button(key=RUN).click().run()
    assert "same file" in sentences(app)[0]
    assert not app.exception


def test_referring_domains_alone_stand_for_our_links_and_say_what_that_costs(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *OUR_DOMAINS, role="domains")
    upload(app, *sample_file("competitors"), role="competitors")
    app.button(key=RUN).click().run()
    gap = find_gap(recognise_file(*OUR_DOMAINS), [recognise_file(*sample_file("competitors"))], GapSettings(), TOY)
    assert not app.exception and not sentences(app)
    assert app.subheader[0].value == gap.headline
    assert figures(app)["Prospects"] == f"{len(gap.prospects):,}"
    assert any("lists only domains" in caption.value for caption in app.caption)


def test_a_competitor_is_removed_by_its_button(app):
    first, second = (name for name, _ in files()["competitors"])
    app.button(key="gap:remove:0").click().run()
    assert any(box.label == f"Competitors: {second}" for box in app.expander)
    assert not any(first in box.label for box in app.expander)
    assert not app.exception
    assert any("for the earlier file" in warning.value for warning in app.warning)


def test_more_than_five_competitors_are_a_sentence(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    for number in range(6):
        data = OUR_DOMAINS[1] + f"{number}.example,1,1,2025-01-01\n".encode()
        place = "add" if number else "empty"
        upload(app, f"competitor-{number}.csv", data, role="competitors", place=place)
    app.button(key=RUN).click().run()
    assert "there are 6" in sentences(app)[0]
