import numpy as np
import pandas as pd
import pytest

from backlink_audit.audit import charts
from backlink_audit.labels import VERDICTS
from backlink_audit.report import charts as report_charts
from tests.report.scored import scored_links

HISTOGRAMS = (
    report_charts.similarity_histogram,
    report_charts.relevance_histogram,
    report_charts.cas_histogram,
)
NO_ARGUMENTS = (*HISTOGRAMS, charts.topics, charts.verdicts)


def bar_totals(drawn):
    """Links for each bar, its bands added up."""
    totals: dict[str, int] = {}
    for trace in drawn.data:
        for name, number in zip(trace.x, trace.y, strict=True):
            totals[name] = totals.get(name, 0) + number
    return totals


@pytest.mark.parametrize("chart", NO_ARGUMENTS)
def test_a_chart_of_no_links_says_so(chart):
    drawn = chart(scored_links(0))
    assert len(drawn.data) == 0
    assert drawn.layout.annotations[0].text


@pytest.mark.parametrize("chart", NO_ARGUMENTS)
def test_a_chart_of_one_link_is_drawn(chart):
    links = scored_links(1).assign(cas=1.0)
    assert chart(links).data


@pytest.mark.parametrize("chart", HISTOGRAMS)
def test_a_histogram_drops_no_link(chart):
    links = scored_links(300)
    assert sum(bar_totals(chart(links)).values()) == 300


@pytest.mark.parametrize("chart", HISTOGRAMS)
def test_a_histogram_of_blanks_only_counts_them(chart):
    links = scored_links(20).assign(similarity=np.nan, relevance=np.nan, cas=np.nan, band="")
    assert bar_totals(chart(links))["blank"] == 20


def test_the_similarity_histogram_puts_each_value_into_its_step():
    links = scored_links(6).assign(similarity=[-0.1, 0.0, 0.049, 0.05, 1.0, np.nan])
    totals = bar_totals(report_charts.similarity_histogram(links))
    assert {name: number for name, number in totals.items() if number} == {
        "blank": 1,
        "negative": 1,
        "0–0.05": 2,
        "0.05–0.1": 1,
        "0.95–1": 1,
    }


def test_the_cas_histogram_keeps_zero_negative_and_blank_apart():
    links = scored_links(6).assign(cas=[np.nan, -0.2, 0.0, 1e-8, 0.5, 45.0])
    totals = bar_totals(report_charts.cas_histogram(links))
    assert {name: number for name, number in totals.items() if number} == {
        "blank": 1,
        "negative": 1,
        "0": 1,
        "under 0.001": 1,
        "0.3–1": 1,
        "30–100": 1,
    }


def test_the_blanks_are_named_in_the_subtitle():
    assert (
        "5 of them without a value" in report_charts.similarity_histogram(scored_links(200)).layout.title.subtitle.text
    )


def test_topics_count_every_link_with_a_clear_one_and_say_how_many_have_none():
    links = scored_links(200)
    links.loc[links.index[-40:], "topic_field"] = "unclear"
    drawn = charts.topics(links)
    unclear, blank = ((links["topic_field"] == word).sum() for word in ("unclear", ""))
    assert unclear == 40 and blank
    assert sum(sum(trace.x) for trace in drawn.data) == 200 - unclear - blank
    assert not any("unclear" in trace.y for trace in drawn.data)
    assert drawn.layout.title.subtitle.text.endswith(f"not shown: 40 with an unclear topic and {blank} without text")
    assert "with an unclear topic" in drawn.layout.title.text


def test_verdicts_have_their_own_colours_and_counts():
    links = scored_links(200)
    bars = charts.verdicts(links).data[0]
    assert dict(zip(bars.y, bars.x, strict=True)) == links["verdict"].value_counts().to_dict()
    colours = {label.word: label.colour for label in VERDICTS}
    assert list(bars.marker.color) == [colours[word] for word in bars.y]


@pytest.mark.parametrize(("lost", "said"), [(0, "20 live links by verdict"), (1, "20 links by verdict")])
def test_the_verdicts_say_where_only_live_links_are_counted(lost, said):
    states = ["lost"] * lost + ["live"] * (20 - lost)
    drawn = charts.verdicts(scored_links(20).assign(link_state=states))
    assert said in drawn.layout.title.subtitle.text


def test_the_scatter_draws_every_link_that_has_both_values():
    links = scored_links(200)
    drawn = charts.scatter(links, "url_rating", "UR")
    assert sum(len(trace.x) for trace in drawn.data) == 195
    assert "not shown: 5" in drawn.layout.title.subtitle.text
    assert set(np.concatenate([trace.customdata for trace in drawn.data])) == set(links.index[5:])


def test_a_scatter_of_many_links_is_sampled_and_says_so():
    links = pd.concat([scored_links(300)] * 20, ignore_index=True)
    drawn = charts.scatter(links, "url_rating", "UR")
    assert sum(len(trace.x) for trace in drawn.data) == charts.MOST_POINTS
    assert f"a sample of {charts.MOST_POINTS:,}" in drawn.layout.title.subtitle.text


def test_the_scatter_counts_the_best_quarter_from_all_links():
    links = scored_links(4).assign(similarity=[0.1, 0.2, 0.8, 0.9], url_rating=[90.0, 10.0, 30.0, 10.0])
    assert charts.scatter(links, "url_rating", "UR").layout.title.text == "1 link is both similar and strong"


def test_zeros_that_would_flatten_the_rest_get_a_scale_of_their_own():
    links = scored_links(60).assign(cas=[0.0] * 50 + [0.5] * 10)
    axes = {trace.yaxis for trace in report_charts.cas_histogram(links).data}
    assert axes == {None, "y2"}


def test_a_few_zeros_share_the_scale_of_the_rest():
    links = scored_links(60).assign(cas=[0.0] * 2 + [0.5] * 58)
    axes = {trace.yaxis for trace in report_charts.cas_histogram(links).data}
    assert axes == {None}


def test_a_scatter_without_any_rating_says_which_is_missing():
    drawn = charts.scatter(scored_links(3).assign(url_rating=np.nan), "url_rating", "UR")
    assert drawn.layout.annotations[0].text == "No link has both a similarity and a UR."
