import pytest

from backlink_audit.internal_links import charts
from backlink_audit.internal_links.charts import TreeLook
from tests.report.suggestions import SITES, suggestions


@pytest.fixture
def pairs():
    return suggestions()


def nodes(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


@pytest.mark.parametrize("draw", [charts.tree, charts.radial_tree])
def test_trees_hold_as_many_nodes_as_their_limits_say(pairs, draw):
    drawn = draw(pairs, TreeLook(level_1=3, level_2=2, node_size=17, height=900))
    assert list(nodes(drawn, "Link from").customdata) == SITES[:3]
    assert len(nodes(drawn, "Link to").x) == 6
    assert nodes(drawn, "Link to").marker.size == 17
    assert drawn.layout.height == 900


@pytest.mark.parametrize("draw", [charts.tree, charts.radial_tree])
def test_no_two_nodes_of_a_tree_stand_on_the_same_place(pairs, draw):
    drawn = draw(pairs, TreeLook(level_1=6, level_2=5))
    places = {
        (round(float(x), 6), round(float(y), 6))
        for name in charts.LEVEL_NAMES
        for x, y in zip(nodes(drawn, name).x, nodes(drawn, name).y, strict=True)
    }
    assert len(places) == 1 + 6 + 30


def test_the_pages_to_link_from_stand_in_the_radial_tree_as_numbers_towards_the_middle(pairs):
    look = TreeLook(level_1=6, level_2=5)
    drawn = charts.radial_tree(pairs, look)
    numbers = [name for name in drawn.layout.annotations if name.text.startswith("<b>")]
    inner = nodes(drawn, "Link from")
    assert [(name.text, name.x, name.y) for name in numbers] == [
        (f"<b>{place + 1}</b>", inner.x[place], inner.y[place]) for place in range(6)
    ]
    assert all(name.x * name.xshift + name.y * name.yshift < 0 for name in numbers)
    titles = dict(zip(pairs["source_url"], pairs["source_title"], strict=True))
    assert charts.numbered(pairs, look) == [titles[url] for url in inner.customdata]


def test_a_title_is_never_read_as_markup(pairs):
    pairs["target_title"] = "<b>bold</b>"
    drawn = charts.tree(pairs, TreeLook())
    assert all("<b>" not in text for text in nodes(drawn, "Link to").hovertext)


def test_empty_trees_say_so(pairs):
    for draw in (charts.tree, charts.radial_tree):
        assert draw(pairs.head(0), TreeLook()).layout.annotations[0].text


def test_without_suggestions_no_page_has_a_number(pairs):
    assert charts.numbered(pairs.head(0), TreeLook()) == []


def test_every_name_of_the_tree_has_a_row_of_its_own_below_its_parent(pairs):
    drawn = charts.tree(pairs, TreeLook(level_1=3, level_2=2))
    rows = {name: list(nodes(drawn, name).y) for name in charts.LEVEL_NAMES}
    assert sorted((row for some in rows.values() for row in some), reverse=True) == [-row for row in range(10)]
    assert rows["Link from"] == [-1, -4, -7] and rows["Link to"][:2] == [-2, -3]
    assert {trace.textposition for trace in drawn.data if trace.name in charts.LEVEL_NAMES} == {"middle right"}
