"""The chart of profiles side by side: a bar for each file, whose parts are its shares."""

import pandas as pd
import pytest

from backlink_audit.competitors.charts import REST, shares


def test_each_file_has_a_bar_whose_parts_are_its_shares():
    table = pd.DataFrame(
        [("branded", "a.csv", 0.75), ("other", "a.csv", 0.25), ("other", "b.csv", 1.0)],
        columns=["value", "file", "share"],
    )
    drawn = {trace.name: list(trace.x) for trace in shares(table, "Anchors").data}
    assert drawn == {"branded": [0.75, 0.0], "other": [0.25, 1.0]}


def test_the_smallest_of_many_values_are_drawn_together():
    table = pd.DataFrame({"value": [f"v{n}" for n in range(12)], "file": "a.csv", "share": [0.2] * 2 + [0.06] * 10})
    drawn = {trace.name: list(trace.x) for trace in shares(table, "Topics").data}
    assert len(drawn) == 8 and drawn[REST] == pytest.approx([0.3])
    assert sum(sum(values) for values in drawn.values()) == pytest.approx(1.0)


def test_without_shares_the_chart_says_so():
    drawn = shares(pd.DataFrame(columns=["value", "file", "share"]), "Topics")
    assert not drawn.data


def test_a_value_keeps_its_colour_whatever_else_is_drawn_and_long_names_are_cut():
    both = pd.DataFrame(
        [("in the content", "a.csv", 0.5), ("outside the content", "a.csv", 0.5)], columns=["value", "file", "share"]
    )
    drawn = {trace.name: trace.marker.color for trace in shares(both, "Placement").data}
    alone = shares(both.tail(1).assign(file="a-very-long-name-of-a-file.csv"), "Placement").data[0]
    assert alone.marker.color == drawn["outside the content"] != drawn["in the content"]
    assert len(alone.y[0]) == 20
