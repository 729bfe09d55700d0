"""New and lost domains per month."""

import pandas as pd

from backlink_audit.profile.shares import by_month, lifetimes, spikes, with_clicks
from tests.backlinks import clean_links

A, B = "https://a.com/1", "https://b.com/1"
UNTIL = pd.Timestamp("2024-03-10")


def test_a_domain_is_new_when_its_first_link_was_seen():
    lives = lifetimes(clean_links(referring_url=[A, "https://a.com/2"], first_seen=["2024-02-05", "2024-01-20"]))
    assert lives["first_seen"].to_dict() == {"a.com": pd.Timestamp("2024-01-20")}


def test_a_domain_is_lost_with_its_last_link_and_only_if_all_are_lost():
    links = clean_links(
        referring_url=[A, "https://a.com/2", B, "https://b.com/2"],
        lost_date=["2024-02-05", "2024-02-09", "2024-02-01", None],
    )
    assert lifetimes(links)["lost_on"].to_dict() == {"a.com": pd.Timestamp("2024-02-09"), "b.com": pd.NaT}


def test_without_a_lost_date_the_day_it_was_last_seen_stands_in():
    links = clean_links(referring_url=[A], lost_link=[True], last_seen=["2024-02-07"])
    assert lifetimes(links)["lost_on"].tolist() == [pd.Timestamp("2024-02-07")]


def test_months_are_without_gaps_and_the_last_one_counts_its_days_so_far():
    links = clean_links(
        referring_url=[A, B, "https://c.com/"],
        first_seen=["2024-01-05", "2024-01-06", "2024-03-01"],
        lost_date=[None, "2024-03-09", None],
    )
    months = by_month(lifetimes(links), UNTIL)
    assert months["month"].dt.strftime("%Y-%m").tolist() == ["2024-01", "2024-02", "2024-03"]
    assert months["new_domains"].tolist() == [2, 0, 1]
    assert months["lost_domains"].tolist() == [0, 0, 1]
    assert months["net_domains"].tolist() == [2, 0, 0]
    assert months["net_per_day"].tolist() == [2 / 31, 0, 0]
    assert by_month(lifetimes(links[:2].assign(lost_date=pd.Series(pd.NaT, index=links.index[:2]))), UNTIL)[
        "net_per_day"
    ].tolist() == [2 / 31, 0, 0]


def test_the_days_of_a_month_that_is_not_over_are_those_that_have_passed():
    links = clean_links(referring_url=[A], first_seen=["2024-03-02"])
    assert by_month(lifetimes(links), UNTIL)["net_per_day"].tolist() == [1 / 10]


def test_a_month_with_far_more_domains_than_usual_is_a_spike():
    first_seen = [f"2024-{month:02}-01" for month in range(1, 9) for _ in range(3)] + ["2024-05-02"] * 40
    links = clean_links(referring_url=[f"https://s{n}.com/" for n in range(len(first_seen))], first_seen=first_seen)
    months = by_month(lifetimes(links), pd.Timestamp("2024-08-31"))
    assert months.set_index("month")["spike"].to_dict()[pd.Timestamp("2024-05-01")] == "new"
    assert (months["spike"] == "").sum() == 7


def test_few_months_or_even_ones_have_no_spike():
    assert not spikes(pd.Series([1, 90])).any()
    assert not spikes(pd.Series([5] * 12)).any()


def test_a_handful_of_domains_after_quiet_months_is_no_spike():
    assert spikes(pd.Series([0] * 9 + [4, 5])).tolist() == [False] * 10 + [True]


def test_without_dates_there_are_no_months():
    months = by_month(lifetimes(clean_links(anchor=["a", "b"])), UNTIL)
    assert months.empty
    assert "net_per_day" in months


def test_clicks_of_months_before_and_after_are_added():
    months = pd.DataFrame({"month": pd.to_datetime(["2025-02-01"]), "new_domains": [3]})
    days = pd.to_datetime(["2025-01-01", "2025-02-01", "2025-03-01"])
    joined = with_clicks(months, pd.DataFrame({"month": days, "clicks": [1.0, 2.0, None]}))
    assert joined["clicks"].fillna(0).tolist() == [1, 2, 0]
    assert joined["new_domains"].fillna(0).tolist() == [0, 3, 0]
