import pytest

from backlink_audit.settings import ClusterSettings
from tests.ui.app import figures, open_app, sample_file, sentences, upload

PAGE = "pages/internal_links/clusters.py"
TABS = ["Topic map", "Clusters", "Tree map", "Missing links", "Pages", "Download"]


@pytest.fixture
def app(monkeypatch):
    return upload(open_app(monkeypatch, PAGE), *sample_file("pages"), role="pages")


def run(app):
    return app.button(key="run:Find the clusters").click().run()


def show_tab(app, name):
    app.session_state["clusters:tabs"] = name
    return app.run()


def test_without_a_crawl_the_page_says_what_to_bring(monkeypatch):
    app = open_app(monkeypatch, PAGE)
    assert not app.exception and app.button(key="sample")


def test_the_figures_on_screen_are_those_of_the_result(app):
    run(app)
    shown = figures(app)
    assert shown["Pages"] == "68" and 4 <= int(shown["Clusters"]) <= 16
    assert app.subheader[0].value.startswith(f"68 pages form {shown['Clusters']} clusters")


def test_every_tab_opens(app):
    run(app)
    for tab in TABS:
        show_tab(app, tab)
        assert not app.exception, tab


def test_another_number_of_clusters_marks_the_old_result(app):
    run(app)
    app.segmented_control(key="clusters:way").select("given").run()
    app.number_input(key="clusters:k").set_value(5).run()
    assert any("earlier" in warning.value for warning in app.warning)
    run(app)
    assert figures(app)["Clusters"] == "5"


def test_without_inlinks_the_page_asks_for_them(app):
    run(app)
    show_tab(app, "Missing links")
    assert any("All inlinks" in info.value for info in app.info)


def test_with_the_sample_project_missing_links_are_listed(monkeypatch):
    app = open_app(monkeypatch, PAGE, with_sample=True)
    show_tab(app, "Missing links")
    assert "missing inside the clusters" in app.subheader[0].value
    assert not app.exception and app.dataframe


def test_a_crawl_without_a_page_left_is_a_sentence(monkeypatch):
    data = b"Address,Content Type,Status Code,Title 1\nhttps://a.example/x.png,image/png,200,\n"
    app = run(upload(open_app(monkeypatch, PAGE), "crawl.csv", data, role="pages"))
    assert "Not HTML" in sentences(app)[0]


def test_the_brands_found_are_shown_to_be_edited(app):
    box = next(text for text in app.text_input if text.label == "Remove from titles")
    assert box.value
    box.set_value("").run()
    run(app)
    assert not any("Text removed from the titles" in caption.value for caption in app.caption)


def test_embeddings_that_the_crawl_brings_can_be_chosen(monkeypatch):
    lines = [f'https://a.example/{n},200,Page {n},"[{n % 2}, {1 - n % 2}, 0]"' for n in range(6)]
    data = "\n".join(["Address,Status Code,Title 1,Embeddings", *lines]).encode()
    app = upload(open_app(monkeypatch, PAGE), "crawl.csv", data, role="pages")
    app.segmented_control(key="clusters:embeddings").select("From the crawl").run()
    run(app)
    assert figures(app)["Clusters"] == "2"


def test_columns_of_the_file_can_be_joined(app):
    box = next(box for box in app.multiselect if box.label == "Or use these columns")
    box.select("Title 1").select("H1-1").run()
    run(app)
    assert not app.exception and not sentences(app)


def test_widgets_stand_on_the_defaults_of_the_settings(app):
    defaults = ClusterSettings()
    assert app.segmented_control(key="clusters:way").value == "chosen" and defaults.k is None
    assert app.segmented_control(key="clusters:name_words").value == defaults.name_words
    assert app.selectbox(key="clusters:text").value is defaults.text
    assert app.selectbox(key="clusters:model").value == defaults.model


def test_a_cluster_can_be_renamed_and_split_and_all_undone(app):
    run(app)
    show_tab(app, "Clusters")
    number = figures(app)["Clusters"]
    next(box for box in app.text_input if box.label == "New name").set_value("Mine *alone*").run()
    app.button(key="clusters:rename").click().run()
    assert app.dataframe[0].value["cluster"].tolist()[0] == "Mine *alone*"
    app.button(key="clusters:split").click().run()
    assert int(figures(app)["Clusters"]) == int(number) + 1
    app.button(key="clusters:undo").click().run()
    assert figures(app)["Clusters"] == number and not app.exception


def test_a_name_that_another_cluster_has_is_a_sentence(app):
    run(app)
    show_tab(app, "Clusters")
    taken = app.dataframe[0].value["cluster"].tolist()[1]
    next(box for box in app.text_input if box.label == "New name").set_value(taken).run()
    app.button(key="clusters:rename").click().run()
    assert "already" in sentences(app)[0]
