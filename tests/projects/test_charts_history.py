import pandas as pd
import pytest

from backlink_audit.labels import PROTECT, REVIEW, VERDICTS
from backlink_audit.projects import client_report


@pytest.fixture
def table():
    """Three snapshots; the first has no domains to compare with, the second no median."""
    days = pd.to_datetime(["2026-01-05", "2026-02-05", "2026-03-05"])
    columns = {"day": days, "domains": [40, 44, 38], "dominant_anchor": [0.5, None, 0.6]}
    columns |= {"new_domains": [None, 7, 2], "lost_domains": [None, 3, 8]}
    return pd.DataFrame(columns | {label.word: [0, 0, 0] for label in VERDICTS} | {PROTECT.word: [5, 6, 7]})


MONTHS = pd.DataFrame({"month": pd.to_datetime(["2025-11-01", "2025-12-01"]), "domains": [30, 36]})


def test_a_figure_has_a_point_per_snapshot_and_says_how_far_it_moved(table):
    drawn = client_report.over_time(table, "domains", "Referring domains", MONTHS)
    before, points = drawn.data
    assert (
        list(points.y) == [40, 44, 38] and "38" in drawn.layout.title.text and "2026-01-05" in drawn.layout.title.text
    )
    assert list(before.y) == [30, 36, 40], "the dotted line meets the first snapshot"


def test_a_figure_that_a_snapshot_has_not_is_left_out_and_shares_are_percentages(table):
    drawn = client_report.over_time(table, "dominant_anchor", "Relevant", MONTHS)
    (points,) = drawn.data
    assert list(points.y) == [0.5, 0.6] and drawn.layout.yaxis.tickformat == ".0%"


def test_one_snapshot_is_a_point_with_its_day_and_none_is_said(table):
    one = client_report.over_time(table.head(1), "dominant_anchor", "Relevant", MONTHS.head(0))
    assert len(one.layout.xaxis.tickvals) == 1 and "since" not in one.layout.title.text
    none = client_report.over_time(table.head(0), "domains", "Referring domains", MONTHS)
    assert none.layout.annotations[0].text == "No snapshot has this metric."


def test_verdicts_that_no_snapshot_has_are_no_bar(table):
    drawn = client_report.verdicts(table)
    assert [bar.name for bar in drawn.data] == [PROTECT.word] and REVIEW.word not in drawn.layout.title.text
    assert list(drawn.data[0].y) == [5, 6, 7]


def test_lost_domains_stand_below_the_line(table):
    won, lost = client_report.moves(table).data
    assert list(won.y) == [7, 2] and list(lost.y) == [-3, -8]


@pytest.mark.parametrize(("rows", "why"), [(1, "This needs two snapshots."), (2, "not been compared yet")])
def test_moves_without_a_comparison_say_why(table, rows, why):
    drawn = client_report.moves(table.head(rows).assign(new_domains=None))
    assert why in drawn.layout.annotations[0].text


def test_ratings_of_two_tools_are_not_joined_and_not_subtracted(table):
    rated = table.assign(authority=[34.0, 62.0, 63.0], authority_name=["Page <b>ascore", "DR", "DR"])
    drawn = client_report.over_time(rated, "authority", "Median authority")
    assert [list(line.y) for line in drawn.data] == [[34], [62, 63]]
    assert "since" not in drawn.layout.title.text
    assert "rated by Page &lt;b&gt;ascore and DR" in drawn.layout.title.subtitle.text
    assert ["ascore" in line.hovertemplate for line in drawn.data] == [True, False]
    one = client_report.over_time(rated.tail(2), "authority", "Median authority")
    assert "+1 since 2026-02-05" in one.layout.title.text and len(one.data) == 1
