import pandas as pd

from backlink_audit.gap import charts

OVERLAPS = pd.DataFrame(
    {"us": [False, True, True], "them": [True, True, False], "other": [True, True, False], "domains": [9, 4, 2]}
)
DOMAINS = pd.DataFrame(
    {
        "referring_domain": ["a", "b", "c", "d"],
        "gap_class": ["missing", "missing", "unique", "shared"],
        "competitors": "them",
        "authority": [35.0, 100.0, float("nan"), 80.0],
        "authority_scale": "DR",
        "relevance": [99.0, 20.0, float("nan"), float("nan")],
        "band": ["relevant", "off-topic", "", ""],
    }
)


def test_the_overlap_has_a_bar_for_each_combination_and_a_dot_for_each_site() -> None:
    drawn = charts.overlap(OVERLAPS, "us")
    bars = drawn.data[0]
    assert list(bars.y) == [9, 4, 2]
    dots = {
        trace.name: list(zip(trace.x, trace.y, strict=True))
        for trace in drawn.data
        if trace.name in ("links", "does not")
    }
    assert dots["links"] == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)]
    assert len(dots["links"]) + len(dots["does not"]) == 9
    assert drawn.layout.title.text == "4 domains link to you and to a competitor"


def test_rare_combinations_are_counted_in_the_subtitle() -> None:
    many = pd.DataFrame({f"s{i}": [i == j for j in range(15)] for i in range(15)} | {"domains": range(15, 0, -1)})
    drawn = charts.overlap(many, "s0")
    assert len(drawn.data[0].y) == charts.MOST_COMBINATIONS
    assert "6 domains in 3 other combinations" in drawn.layout.title.subtitle.text


def test_prospects_are_placed_by_relevance_and_authority() -> None:
    drawn = charts.strength_and_fit(DOMAINS.iloc[:3])
    assert [(list(trace.x), list(trace.y)) for trace in drawn.data] == [([99.0, 20.0], [35.0, 100.0])]
    assert "not shown: 1 without one of the two values" in drawn.layout.title.subtitle.text


def test_empty_tables_say_why_there_is_nothing() -> None:
    for drawn in (
        charts.overlap(OVERLAPS.iloc[:0], "us"),
        charts.strength_and_fit(DOMAINS.iloc[:0]),
    ):
        assert not drawn.data and drawn.layout.annotations[0].text
