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


def test_authorities_are_banded_by_class_and_none_is_dropped() -> None:
    drawn = charts.authority_by_class(DOMAINS, {"DR": 30.0})
    bars = {trace.name: dict(zip(trace.customdata, trace.y, strict=True)) for trace in drawn.data}
    assert bars["missing"] == {"30 to 40": 1, "90 to 100": 1}
    assert bars["unique"] == {"unknown": 1}
    assert sum(sum(counts.values()) for counts in bars.values()) == 3
    assert drawn.layout.title.text == "2 of 3 sites reach DR 30"


def test_the_line_stands_at_the_limit_and_each_bar_over_its_band() -> None:
    drawn = charts.authority_by_class(DOMAINS, {"DR": 30.0})
    assert [line.x0 for line in drawn.layout.shapes] == [30.0]
    missing = next(trace for trace in drawn.data if trace.name == "missing")
    assert [(x - missing.width / 2 > 30, x + missing.width / 2 < 40) for x in missing.x[:1]] == [(True, True)]
    places = dict(zip(drawn.layout.xaxis.ticktext, drawn.layout.xaxis.tickvals, strict=True))
    assert places["40"] == 40 and places["unknown"] > 100


def test_only_one_scale_is_drawn_and_each_is_held_against_its_own_limit() -> None:
    mixed = DOMAINS.assign(authority_scale=["DR", "Page ascore", "", "DR"], authority=[29.0, 6.0, float("nan"), 80.0])
    drawn = charts.authority_by_class(mixed, {"DR": 30.0, "Page ascore": 5.0})
    assert drawn.layout.title.text == "1 of 3 sites reaches DR 30 or Page ascore 5"
    assert (
        "the line shows the minimum DR; not shown: 1 with a rating on another scale" in drawn.layout.title.subtitle.text
    )
    assert sum(sum(trace.y) for trace in drawn.data) == 2


def test_prospects_are_placed_by_relevance_and_authority() -> None:
    drawn = charts.strength_and_fit(DOMAINS.iloc[:3])
    assert [(list(trace.x), list(trace.y)) for trace in drawn.data] == [([99.0, 20.0], [35.0, 100.0])]
    assert "not shown: 1 without one of the two values" in drawn.layout.title.subtitle.text


def test_empty_tables_say_why_there_is_nothing() -> None:
    for drawn in (
        charts.overlap(OVERLAPS.iloc[:0], "us"),
        charts.authority_by_class(DOMAINS.iloc[:0], {}),
        charts.strength_and_fit(DOMAINS.iloc[:0]),
    ):
        assert not drawn.data and drawn.layout.annotations[0].text
