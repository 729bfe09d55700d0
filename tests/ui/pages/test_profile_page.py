import pandas as pd
import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.profile.result import tables
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.settings import AuditSettings, LinkChoice
from tests.exported import AHREFS
from tests.toy import ToyEncoder
from tests.ui.app import figures, open_app, sample_file, sentences, upload

PAGE = "pages/backlinks/profile.py"
TABS = ["Overview", "Referring domains", "Anchors", "Attributes", "Topics", "Target pages", "Best pages"]
TABS += ["Links to review", "New and lost", "Download"]


@pytest.fixture
def app(monkeypatch):
    return upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))


def show_tab(app, name):
    app.session_state["profile:tabs"] = name
    return app.run()


def captions(app) -> str:
    return " ".join(caption.value for caption in app.caption)


def test_without_a_file_the_page_says_what_to_bring(monkeypatch):
    app = open_app(monkeypatch, PAGE)
    assert not app.exception
    assert not app.metric


def test_the_figures_on_screen_are_the_profiles(app):
    profile = profile_backlinks(load([sample_file("backlinks")]))
    shown = figures(app)
    assert list(shown) == [label for label, _, _ in profile.figures]
    for label, value, _ in profile.figures:
        assert shown[label] == (f"{value:,}" if isinstance(value, int) else value)
    assert app.subheader[0].value == profile.headline


def test_every_tab_opens(app):
    for tab in TABS:
        show_tab(app, tab)
        assert not app.exception and not sentences(app), tab


def test_the_table_on_screen_is_that_of_the_download(app):
    profile = profile_backlinks(load([sample_file("backlinks")]))
    shown = show_tab(app, "Referring domains").dataframe[0].value
    assert shown["referring_domain"].tolist() == tables(profile).main()["Referring domain"].tolist()
    assert shown["links"].tolist() == tables(profile).main()["Links"].tolist()


def test_domains_can_be_ordered_by_the_newest(app):
    show_tab(app, "Referring domains")
    shown = app.selectbox(key="profile:order").select("newest first").run().dataframe[0].value
    assert shown["first_seen"].is_monotonic_decreasing


def test_after_an_audit_its_numbers_are_shown(monkeypatch):
    app = upload(open_app(monkeypatch, "pages/backlinks/audit.py"), *sample_file("backlinks"))
    app.button(key="run:Run the audit").click().run()
    app.switch_page(PAGE).run()
    audit = audit_backlinks(load([sample_file("backlinks")]), AuditSettings(), ToyEncoder()).chosen(LinkChoice())
    assert figures(app)["Backlinks"] == f"{audit.backlinks:,}"
    shown = show_tab(app, "Referring domains").dataframe[0].value.set_index("referring_domain")["mean_relevance"]
    whole = audit.referring_domains.set_index("referring_domain")["mean_relevance"]
    assert shown.notna().any()
    pd.testing.assert_series_equal(shown, whole[shown.index])
    assert len(shown) == len(whole)
    assert show_tab(app, "Topics").dataframe[0].value["links"].sum() == (audit.links["topic"] != "").sum()


def test_an_export_of_urls_alone_shows_what_it_can_and_says_what_it_cannot(monkeypatch):
    data = (
        b"Referring page URL,Target URL\nhttps://a.com/1,https://our-site.com/\nhttps://b.com/1,https://our-site.com/\n"
    )
    app = upload(open_app(monkeypatch, PAGE), "urls.csv", data)
    assert figures(app)["Referring domains"] == "2"
    assert figures(app)["Follow share"] == "–"
    assert "This export has no column “Nofollow”." in captions(app)
    for tab in TABS:
        assert not show_tab(app, tab).exception, tab


def test_a_file_whose_rows_are_all_set_aside_says_by_which_filter(monkeypatch):
    row = AHREFS | {"Referring page URL": "ftp://a.com/1"}
    data = "\n".join(",".join(cells) for cells in (row.keys(), row.values())).encode()
    app = upload(open_app(monkeypatch, PAGE), "ftp.csv", data)
    assert any("Not http(s) URLs" in sentence for sentence in sentences(app))


def test_an_error_goes_with_the_settings_it_came_from(monkeypatch):
    row = AHREFS | {"Referring page URL": "ftp://a.com/1"}
    data = "\n".join(",".join(cells) for cells in (row.keys(), row.values())).encode()
    app = upload(open_app(monkeypatch, PAGE), "ftp.csv", data)
    assert sentences(app) and not app.metric
    app.checkbox(key="profile:filters:web_urls").uncheck().run()
    assert not sentences(app)
    assert figures(app)["Backlinks"] == "1"
    app.checkbox(key="profile:filters:web_urls").check().run()
    assert sentences(app)
    app.checkbox(key="profile:filters:web_urls").uncheck().run()
    app.checkbox(key="profile:filters:repeats").uncheck().run()
    assert not sentences(app) and not app.warning


def test_shares_of_links_of_which_none_is_followed_add_up_to_one(monkeypatch):
    rows = [AHREFS | {"Referring page URL": f"https://{n}.com/1", "Nofollow": "true"} for n in range(30)]
    data = "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]).encode()
    app = upload(open_app(monkeypatch, PAGE), "nofollow.csv", data)
    show_tab(app, "Attributes")
    drawn = " ".join(chart.proto.spec for chart in app.get("plotly_chart"))
    assert "30 (100%)" in drawn
    assert "3000%" not in drawn


def test_an_attribute_that_the_export_lacks_has_no_chart_and_the_reason_is_said(app):
    show_tab(app, "Attributes")
    assert "Toxic score: This export has no column “Toxic score”." in captions(app)
    headings = [text.value for text in app.markdown]
    assert any("Follow of the links" in text for text in headings)
    assert not any("Toxic score of the links" in text for text in headings)


def test_clicks_stand_beside_the_linked_pages_and_the_best_pages_come_first(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))
    target = profile_backlinks(load([sample_file("backlinks")])).target_pages["target_url"][0]
    data = f"Top pages,Clicks,Impressions,CTR,Position\n{target},7,90,7.8%,5.1\n{target}-new,9,80,11%,6\n".encode()
    upload(app, "pages.csv", data, "performance", "page")
    assert "pages.csv: 1 of 2 pages (50%) is among the linked pages." in captions(app)
    shown = show_tab(app, "Best pages").dataframe[0].value
    assert shown[["page", "clicks", "links"]].to_numpy().tolist()[0] == [f"{target}-new", 9, 0]
    assert shown["links"][1] > 0
    assert show_tab(app, "Target pages").dataframe[0].value["clicks"][0] == 7
    assert not app.exception


TEXTS = ("longroad.example-Top linking text.csv", b"Rank,Link text\n1,Longroad\n2,click here\n3,nobody writes this\n")


def test_googles_linking_texts_alone_make_a_page(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), *TEXTS, role="texts")
    assert not app.exception and not sentences(app)
    assert (
        app.subheader[0].value
        == "Google lists 3 linking texts of longroad.example: 33% branded, 0% naked URLs, 33% generic."
    )
    assert app.dataframe[0].value["anchor_class"].tolist() == ["branded", "generic", "target unknown"]


def test_googles_linking_texts_stand_beside_the_anchors_and_change_no_figure(app):
    before = figures(app)
    show_tab(upload(app, *TEXTS, role="texts", place="page"), "Anchors")
    assert figures(app) == before
    texts = app.dataframe[1].value.set_index("linking_text")["links"]
    assert texts["Longroad"] > 0 and texts["nobody writes this"] == 0


def test_of_linking_texts_whose_file_names_no_site_the_site_is_asked_for(monkeypatch):
    app = upload(open_app(monkeypatch, PAGE), "Top linking text.csv", TEXTS[1], role="texts")
    assert "of your site" in app.subheader[0].value
    app.text_input(key="linking-texts:site").set_value("no site").run()
    assert sentences(app) == ["“no site” is not a site; write it as example.com."]
    app.text_input(key="linking-texts:site").set_value("longroad.example").run()
    assert "33% branded" in app.subheader[0].value
