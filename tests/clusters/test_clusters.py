import pandas as pd
import pytest

from backlink_audit.clusters import charts


@pytest.fixture
def groups():
    return pd.DataFrame(
        {
            "cluster": ["Tents, mats", "Stoves"],
            "size": [3, 1],
            "page_share": [0.75, 0.25],
            "mean_similarity": [0.8, 1.0],
            "hub_title": ["Tents & <mats>", "Stoves"],
            "hub_url": ["https://a.example/0", "https://a.example/3"],
        }
    )


@pytest.fixture
def pages():
    return pd.DataFrame(
        {
            "cluster": ["Tents, mats"] * 3 + ["Stoves"],
            "cluster_number": [0, 0, 0, 1],
            "title": ["Tents & <mats>", "Mats", "Pegs", "Stoves"],
            "url": [f"https://a.example/{n}" for n in range(4)],
            "similarity": [0.9, 0.8, 0.7, 1.0],
            "is_hub": [True, False, False, True],
            "x": [0.0, 0.1, 0.2, 1.0],
            "y": [0.0, 0.1, -0.1, 1.0],
        },
        index=[2, 4, 6, 8],
    )


NOBODY = pd.DataFrame({"title": [], "url": [], "x": [], "y": []})


def test_every_page_is_on_the_map_once_and_can_be_picked(pages, groups):
    drawn = charts.topic_map(pages, groups, NOBODY)
    assert sorted(row for trace in drawn.data for row in trace.customdata) == [2, 4, 6, 8]


def test_the_hover_shows_title_and_url_and_runs_no_markup(pages, groups):
    hovers = [text for trace in charts.topic_map(pages, groups, NOBODY).data for text in trace.hovertext]
    assert any("Tents &amp; &lt;mats&gt;" in text and "a.example/0" in text for text in hovers)


def test_referring_pages_are_on_the_same_map(pages, groups):
    referring = pd.DataFrame({"title": ["A blog"], "url": ["https://b.example/"], "x": [0.5], "y": [0.5]})
    drawn = charts.topic_map(pages, groups, referring)
    assert [trace.name for trace in drawn.data if trace.showlegend] == ["Referring page"]
    assert "1 referring page" in drawn.layout.title.subtitle.text


def test_clusters_differ_in_colour_or_mark():
    looks = [(charts.colour(number), charts.mark(number)) for number in range(30)]
    assert len(set(looks)) == 30


def test_the_tree_map_holds_every_cluster_and_page(pages, groups):
    (tree,) = charts.tree_map(pages, groups).data
    assert tree.parents == ("", "", "c0", "c0", "c0", "c1")
    assert tree.values == (3, 1, 1, 1, 1, 1)


def test_a_tree_map_of_many_pages_says_how_many_are_left_out(pages, groups, monkeypatch):
    monkeypatch.setattr(charts, "MOST_LEAVES", 2)
    many = pd.concat([pages] * 3).assign(cluster_number=0)
    one = groups.head(1).assign(size=12)
    drawn = charts.tree_map(many, one)
    assert drawn.data[0].labels[-1] == "and 9 more"
    assert sum(drawn.data[0].values[1:]) == 12
    assert drawn.layout.title.subtitle.text.startswith("3 of 12 pages")


def test_the_map_fills_its_frame(pages, groups):
    drawn = charts.topic_map(pages, groups, NOBODY)
    low, high = drawn.layout.xaxis.range
    assert low < 0 < 1 < high
    assert high - low < 1.2


def test_a_large_site_shows_its_clusters_first_with_their_sizes(pages, groups, monkeypatch):
    assert charts.tree_map(pages, groups).data[0].maxdepth == 3
    monkeypatch.setattr(charts, "MOST_TILES", 3)
    (tree,) = charts.tree_map(pages, groups).data
    assert tree.maxdepth == 2
    assert tree.labels[:2] == ("Tents (3)", "Stoves (1)")


def test_empty_tables_say_why_nothing_is_drawn(pages, groups):
    none = pages.head(0)
    for drawn in (
        charts.topic_map(none, groups, NOBODY),
        charts.tree_map(none, groups),
    ):
        assert not drawn.data and drawn.layout.annotations[0].text


def test_clusters_with_most_clicks_come_first_and_those_without_are_left_out(groups):
    drawn = charts.earned(groups.assign(clicks=[10.0, 30.0]), "clicks", "clicks")
    assert drawn.layout.title.text == "“Stoves” gets 75% of the clicks"
    assert [bar.x[0] for bar in drawn.data if bar.type == "bar"] == [30, 10]
    nothing = charts.earned(groups.assign(clicks=float("nan")), "clicks", "clicks")
    assert nothing.layout.annotations[0].text == "No page of the crawl has clicks."
