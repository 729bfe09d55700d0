import pandas as pd

from backlink_audit.changes import charts

ROLLED = pd.DataFrame(
    {
        "referring_domain": ["a.example", "b.example", "c.example"],
        "links_lost": [5, 1, 0],
        "links_new": [0, 2, 3],
        "cas_gained": [0.0, 0.5, 2.0],
        "cas_lost": [4.0, 0.0, 0.0],
    }
)


def test_new_links_go_up_and_lost_ones_down() -> None:
    table = pd.DataFrame({"month": pd.to_datetime(["2025-01-01", "2025-02-01"]), "new": [2, 0], "lost": [0, 5]})
    drawn = charts.months(table, {"new": 4, "lost": 7})
    assert [list(trace.y) for trace in drawn.data] == [[2, 0], [0, -5]]
    assert drawn.layout.title.text == "3 links fewer than in the older file"
    assert "7 of 11 new or lost links have a date" in drawn.layout.title.subtitle.text


def test_only_losers_are_shown_where_links_were_lost() -> None:
    drawn = charts.where_lost(ROLLED, "referring_domain", "domain")
    assert list(drawn.data[0].y) == ["a.example", "b.example"]
    assert [list(trace.x) for trace in drawn.data] == [[5, 1], [0, 2]]


def test_cas_gained_is_right_and_lost_is_left_the_largest_first() -> None:
    drawn = charts.cas_moved(ROLLED)
    assert list(drawn.data[0].y) == ["a.example", "c.example", "b.example"]
    assert [list(trace.x) for trace in drawn.data] == [[0.0, 2.0, 0.5], [-4.0, 0.0, 0.0]]


def test_moves_of_verdicts_are_named() -> None:
    moves = pd.DataFrame({"verdict_before": ["Weak"], "verdict_after": ["Protect"], "links": [7]})
    drawn = charts.verdict_moves(moves)
    assert drawn.layout.title.text == "7 links with a new verdict"
    assert "Weak → Protect" in drawn.data[-1].text


def test_links_to_reclaim_are_drawn_by_cas() -> None:
    links = pd.DataFrame(
        {"referring_url": ["https://a.example/", "https://b.example/"], "cas": [3.0, 1.0], "how_lost": "Lost"}
    )
    drawn = charts.cas_to_reclaim(links)
    assert list(drawn.data[0].x) == [3.0, 1.0]


def test_a_negative_cas_makes_no_share_above_the_whole() -> None:
    links = pd.DataFrame({"referring_url": ["https://a.example/", "https://b.example/"], "cas": [3.0, -1.0]})
    drawn = charts.cas_to_reclaim(links.assign(how_lost="Lost"))
    assert drawn.layout.title.text == "The best link has 100% of the CAS to reclaim"


def test_empty_tables_say_why_there_is_nothing() -> None:
    for drawn in (
        charts.months(pd.DataFrame({"month": [], "new": [], "lost": []}), {"new": 0, "lost": 0}),
        charts.where_lost(ROLLED.iloc[:0], "referring_domain", "domain"),
        charts.cas_moved(ROLLED.iloc[:0]),
        charts.cas_moved(ROLLED.drop(columns=["cas_gained", "cas_lost"])),
        charts.verdict_moves(pd.DataFrame({"verdict_before": [], "verdict_after": [], "links": []})),
        charts.cas_to_reclaim(pd.DataFrame({"referring_url": [], "cas": [], "how_lost": []})),
    ):
        assert not drawn.data and drawn.layout.annotations[0].text
