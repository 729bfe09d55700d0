"""What pages earn: one row per page, spellings added up, paths joined, positions weighted by impressions."""

import pandas as pd

from backlink_audit.schema import PERFORMANCE
from backlink_audit.site.pages import add_up, clicks_by_month, figures_of, page_figures, queries_of_pages
from tests.backlinks import mapped_table

SITE = "https://www.shop.example"


def figures(**columns: list[object]) -> pd.DataFrame:
    columns.setdefault("source_file", ["a.csv"] * len(columns["page"]))
    return page_figures(mapped_table(PERFORMANCE, **columns), "shop.example")


def test_spellings_of_a_page_are_added_and_its_position_is_weighted():
    found = figures(
        page=[f"{SITE}/oak", "http://shop.example/oak/#legs", f"{SITE}/elm"],
        clicks=[10, 5, 1],
        impressions=[99.99999999999999, 300, 0],
        average_position=[2.0, 6.0, 9.0],
    )
    assert found["clicks"].to_dict() == {"shop.example/oak": 15, "shop.example/elm": 1}
    assert found["impressions"].tolist() == [400, 0]
    assert found["average_position"]["shop.example/oak"] == (2 * 100 + 6 * 300) / 400
    assert pd.isna(found["average_position"]["shop.example/elm"])


def test_positions_are_kept_where_a_file_has_no_impressions():
    found = figures(page=[f"{SITE}/oak", "/oak", "/elm"], clicks=[10, 5, 1], average_position=[2.0, 5.0, None])
    assert found["average_position"]["shop.example/oak"] == 3.5
    assert pd.isna(found["average_position"]["shop.example/elm"])


def test_paths_get_the_host_of_the_site_and_totals_are_left_out():
    found = figures(page=["/oak", "/", "(not set)", "Grand total", ""], views=[5, 4, 3, 2, 1])
    assert found["views"].to_dict() == {"shop.example/oak": 5, "shop.example": 4}
    assert found["page"].tolist() == ["https://shop.example/oak", "https://shop.example/"]


def test_of_two_files_the_first_that_knows_a_figure_counts_and_nothing_is_counted_twice():
    found = figures(
        page=[f"{SITE}/oak", f"{SITE}/oak", "/oak"],
        clicks=[10, 8, None],
        views=[None, None, 50],
        source_file=["this.csv", "last.csv", "ga4.csv"],
    )
    assert found[["clicks", "views"]].to_numpy().tolist() == [[10, 50]]


def test_figures_are_found_by_any_spelling_and_only_those_that_are_known_are_shown():
    table = figures(page=[f"{SITE}/oak"], clicks=[10])
    urls = pd.Series(["http://shop.example/oak/?utm_source=x", f"{SITE}/elm"], index=[7, 9], dtype="str")
    found = figures_of(urls, table)
    assert list(found.columns) == ["clicks"]
    assert found["clicks"][7] == 10 and pd.isna(found["clicks"][9])


def test_groups_add_up_clicks_and_weigh_positions():
    rows = pd.DataFrame({"clicks": [1.0, 2, None], "impressions": [10.0, 30, None], "average_position": [1.0, 5, None]})
    found = add_up(rows, pd.Series(["a", "a", "b"]))
    assert found.T["a"].tolist() == [3, 40, 4]
    assert found.loc["b"].isna().all()
    assert add_up(rows[["average_position"]], pd.Series([0, 0, 1]))["average_position"].tolist()[0] == 3


def test_a_week_across_two_months_counts_for_each_of_its_days():
    by_date = pd.DataFrame(
        {
            "date": pd.to_datetime(["2024-12-30", "2025-01-06"]),
            "until": pd.to_datetime(["2025-01-05", "2025-01-06"]),
            "clicks": [70.0, 8.0],
            "impressions": [None, 80.0],
        }
    )
    months = clicks_by_month(by_date)
    assert months["month"].dt.month.tolist() == [12, 1] and months["clicks"].tolist() == [20, 58]
    assert clicks_by_month(None).empty and clicks_by_month(by_date[:0]).empty


def test_no_number_of_clicks_is_too_large_for_a_month():
    day = pd.to_datetime(["2025-01-01"])
    months = clicks_by_month(pd.DataFrame({"date": day, "until": day, "clicks": [1e300], "impressions": [5.0]}))
    assert months[["clicks", "impressions"]].iloc[0].tolist() == [2**53, 5]


def queries(**columns: list[object]) -> dict[str, dict[str, float]]:
    columns.setdefault("source_file", ["a.csv"] * len(columns["page"]))
    return queries_of_pages(mapped_table(PERFORMANCE, **columns), "shop.example")


def test_the_queries_of_a_page_are_those_of_which_it_has_a_tenth_of_the_impressions():
    found = queries(
        page=[f"{SITE}/oak", "/elm", "/elm", "/oak"],
        query=["Oak ", "oak", "elm", ""],
        impressions=[91, 9, 4, 7],
    )
    assert found == {"shop.example/oak": {"oak": 91}, "shop.example/elm": {"elm": 4}}


def test_without_impressions_clicks_count_and_a_query_without_either_finds_nothing():
    found = queries(page=["/oak", "/elm"], query=["oak", "oak"], clicks=[5, None])
    assert found == {"shop.example/oak": {"oak": 5}}


def test_queries_of_two_files_are_not_added():
    found = queries(page=["/oak", "/oak"], query=["oak", "oak"], impressions=[5, 7], source_file=["a.csv", "b.csv"])
    assert found == {"shop.example/oak": {"oak": 7}}
