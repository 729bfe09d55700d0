"""What the targets earn is shown beside the suggestions; those near the top of search may come first."""

from backlink_audit.exports.load import load
from backlink_audit.internal_links.result import NO_POSITIONS, with_figures
from backlink_audit.internal_links.tables import tables
from tests.audit.earned import clicks
from tests.internal_links.test_run import find


def test_targets_have_their_figures_and_those_near_the_top_come_first_if_asked():
    result = find()
    weaker = result.suggested[result.suggested["rank"] > 1]["target_url"].iloc[0]
    best = result.suggested[result.suggested["rank"] == 1]["target_url"].iloc[0]
    earned = clicks((weaker, 30, 12.0), (best, 90, 1.5))
    with_earnings = with_figures(result, earned)
    assert with_earnings.table["rank"].equals(result.table["rank"])
    assert set(with_earnings.table.loc[with_earnings.table["near_top"], "target_url"]) == {weaker}
    assert "2 of 2 pages (100%) are among the crawled pages." in with_earnings.notes[-1]

    first = with_figures(result, earned, near_top_first=True).table
    assert sorted(zip(first["source_url"], first["target_url"], strict=True)) == sorted(
        zip(result.table["source_url"], result.table["target_url"], strict=True)
    )
    for _, links in first[~first["near_duplicate"]].groupby("source_url"):
        assert links["near_top"].is_monotonic_decreasing
        assert links["rank"].tolist() == list(range(1, len(links) + 1))
    shown = tables(with_figures(result, earned)).main()
    assert shown.loc[shown["Target URL"] == weaker, "Striking distance"].unique().tolist() == ["yes"]
    assert shown.loc[shown["Target URL"] == weaker, "Target clicks"].unique().tolist() == [30]


def test_a_file_without_positions_is_said_where_those_near_the_top_should_come_first():
    result = find()
    views = f"Page path and screen class,Views\n{result.suggested['target_url'].iloc[0]},9\n"
    earned = load([("ga4.csv", views.encode())], "performance")
    with_earnings = with_figures(result, earned, near_top_first=True)
    assert with_earnings.table["rank"].equals(result.table["rank"])
    assert with_earnings.notes[-1].endswith(NO_POSITIONS)
    assert NO_POSITIONS not in with_figures(result, earned).notes[-1]
