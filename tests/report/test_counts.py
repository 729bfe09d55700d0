"""Axes that count: few things have whole ticks only, in every chart that counts."""

import pandas as pd
import pytest

from backlink_audit.audit import charts
from backlink_audit.changes import charts as changes_charts
from backlink_audit.gap import charts as gap_charts
from backlink_audit.labels import ANCHOR_CLASSES
from backlink_audit.profile import charts as profile_charts
from backlink_audit.report import charts as report_charts
from backlink_audit.risk import charts as risk_charts
from tests.gap.test_gap import OVERLAPS
from tests.report.scored import scored_links

LINKS = scored_links(4)
MIX = pd.DataFrame({"anchor_class": [label.word for label in ANCHOR_CLASSES], "links": 1, "share": 1 / 7})
MONTHS = pd.DataFrame(
    {"month": pd.to_datetime(["2024-01-01", "2024-02-01"]), "new_domains": [1, 2], "lost_domains": [1, 0], "spike": ""}
)
MOVED = pd.DataFrame({"month": pd.to_datetime(["2024-01-01"]), "new": [2], "lost": [1]})
ROLLED = pd.DataFrame({"target_url": ["https://a.example/"], "links_lost": [2], "links_new": [1]})
MOVES = pd.DataFrame({"verdict_before": ["Fine"], "verdict_after": ["Reclaim"], "links": [2]})
SIGNALS = pd.DataFrame({"label": ["Spam TLD"], "links": [2], "domains": [1]})
TARGETS = pd.DataFrame({"target_url": ["https://a.example/"], "links": [3], "domains": [2]})
BANDS = pd.DataFrame({"value": ["50+", "not given"], "domains": [2, 0]})

ACROSS = {
    "verdicts": lambda: charts.verdicts(LINKS),
    "topics": lambda: charts.topics(LINKS),
    "bands of authority": lambda: profile_charts.authority_bands(BANDS, "DR"),
    "anchor classes": lambda: profile_charts.anchor_classes(MIX),
    "attribute": lambda: profile_charts.attribute(pd.DataFrame({"value": ["a"], "links": [2], "share": [1.0]}), "Type"),
    "target pages": lambda: profile_charts.target_pages(TARGETS),
    "signals": lambda: risk_charts.signals(SIGNALS, 3),
    "where lost": lambda: changes_charts.where_lost(ROLLED, "target_url", "target page"),
    "verdict moves": lambda: changes_charts.verdict_moves(MOVES),
}
UPWARDS = {
    "relevance": lambda: report_charts.relevance_histogram(LINKS),
    "similarity": lambda: report_charts.similarity_histogram(LINKS),
    "cas": lambda: report_charts.cas_histogram(LINKS),
    "months of domains": lambda: profile_charts.months(MONTHS),
    "months of links": lambda: changes_charts.months(MOVED, {"new": 1, "lost": 2}),
    "overlap": lambda: gap_charts.overlap(OVERLAPS, "us"),
}


@pytest.mark.parametrize("name", ACROSS)
def test_counts_to_the_right_have_whole_ticks(name):
    axis = ACROSS[name]().layout.xaxis
    assert (axis.dtick, axis.tickformat) == (1, ",d")


@pytest.mark.parametrize("name", UPWARDS)
def test_counts_upwards_have_whole_ticks(name):
    axis = UPWARDS[name]().layout.yaxis
    assert (axis.dtick, axis.tickformat) == (1, ",d")


def test_many_counts_have_the_ticks_that_the_library_chooses():
    assert charts.verdicts(scored_links(2_000)).layout.xaxis.dtick is None


def test_bars_on_a_scale_of_their_own_have_whole_ticks_too():
    drawn = report_charts.cas_histogram(LINKS.assign(cas=[0.0, 0.0, 0.0, 0.4]))
    assert (drawn.layout.yaxis2.dtick, drawn.layout.yaxis.dtick) == (1, 1)
