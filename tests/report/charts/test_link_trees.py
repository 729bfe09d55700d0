import numpy as np
import pytest

from backlink_audit.report.charts import link_trees as charts
from backlink_audit.report.charts.link_trees import TreeLook
from tests.report.charts.suggestions import SITES, suggestions


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


def test_the_names_of_the_inner_ring_point_to_the_middle_and_do_not_meet_there(pairs):
    pairs["source_title"] = "A long title of a page to link from, number " + pairs["source_url"].str[-1]
    drawn = charts.radial_tree(pairs, TreeLook(level_1=6, level_2=5))
    inner, outer = nodes(drawn, "Link from"), nodes(drawn, "Link to")
    assert np.hypot(inner.x, inner.y) == pytest.approx(charts.INNER_RING * np.hypot(outer.x, outer.y).max())
    names = [name for name in drawn.layout.annotations if "long" in name.text or "…" in name.text][:6]
    assert len(names) == 6 and all(name.x * name.xshift + name.y * name.yshift < 0 for name in names)
    few, many = (charts.radial_tree(pairs, TreeLook(level_1=6, height=height)) for height in (400, 900))
    longest = [max(len(name.text) for name in figure.layout.annotations[:6]) for figure in (few, many)]
    assert longest[0] < longest[1]


def test_a_title_is_never_read_as_markup(pairs):
    pairs["target_title"] = "<b>bold</b>"
    drawn = charts.tree(pairs, TreeLook())
    assert all("<b>" not in text for text in nodes(drawn, "Link to").hovertext)


def test_empty_trees_say_so(pairs):
    for draw in (charts.tree, charts.radial_tree):
        assert draw(pairs.head(0), TreeLook()).layout.annotations[0].text
