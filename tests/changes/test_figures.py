import pandas as pd
import pytest

from backlink_audit.changes.result import cas_movements, months, most_important_first, roll_up, verdict_moves


def test_a_domain_is_what_its_links_are() -> None:
    links = pd.DataFrame(
        {
            "referring_domain": ["a", "a", "b", "b", "c", "d", "d"],
            "change": ["new", "new", "lost", "kept", "kept", "lost", "lost"],
        }
    )
    rolled = roll_up(links).set_index("referring_domain")
    assert rolled["change"].to_dict() == {"d": "lost", "b": "changed", "a": "new", "c": "kept"}
    assert rolled["net"].to_dict() == {"d": -2, "b": -1, "a": 2, "c": 0}


def test_links_can_be_rolled_up_by_target_page() -> None:
    links = pd.DataFrame({"target_key": ["x", "y"], "change": ["lost", "new"]})
    assert roll_up(links, by="target_key")["links_lost"].tolist() == [1, 0]


def test_no_links_roll_up_to_no_domains() -> None:
    assert roll_up(pd.DataFrame({"referring_domain": [], "change": []})).empty


def moved(change: str, first: str | None = None, last: str | None = None, lost: str | None = None) -> dict[str, object]:
    days = {"first_seen": first, "last_seen": last, "lost_date": lost}
    return {"change": change} | {name: pd.Timestamp(day) if day else pd.NaT for name, day in days.items()}


def test_months_are_without_gaps_and_lost_links_count_when_lost() -> None:
    links = pd.DataFrame(
        [
            moved("new", first="2025-01-15"),
            moved("lost", first="2024-01-01", last="2025-02-01", lost="2025-03-31"),
            moved("lost", first="2024-01-01", last="2025-01-31"),
            moved("kept", first="2025-03-01"),
            moved("new"),
        ]
    )
    counts = months(links)
    assert counts["month"].dt.strftime("%Y-%m").tolist() == ["2025-01", "2025-02", "2025-03"]
    assert counts["new"].tolist() == [1, 0, 0]
    assert counts["lost"].tolist() == [1, 0, 1]


def test_what_a_tool_met_before_the_older_export_is_in_no_month() -> None:
    links = pd.DataFrame(
        [moved("new", first="2014-10-01"), moved("new", first="2025-02-01"), moved("lost", last="2025-01-02")]
    )
    counts = months(links, pd.Timestamp("2025-01-10"), pd.Timestamp("2025-03-05"))
    assert counts["month"].dt.strftime("%Y-%m").tolist() == ["2025-01", "2025-02", "2025-03"]
    assert (counts["new"].tolist(), counts["lost"].tolist()) == ([0, 1, 0], [0, 0, 0])


def test_without_dates_there_are_no_months() -> None:
    assert months(pd.DataFrame([moved("new"), moved("lost")])).empty


def test_cas_is_gained_by_new_links_and_lost_with_lost_ones() -> None:
    links = pd.DataFrame(
        {
            "cas_before": [float("nan"), 2.0, 3.0, 5.0],
            "cas_after": [1.0, float("nan"), 2.5, 5.0],
            "was_lost": [False, False, False, True],
            "is_lost": [False, True, False, True],
        }
    )
    movements = cas_movements(links)
    assert movements["cas_gained"].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert movements["cas_lost"].tolist() == pytest.approx([0.0, 2.0, 0.5, 0.0])


def test_rounding_is_no_movement() -> None:
    same = pd.DataFrame({"cas_before": [0.3], "cas_after": [0.3 + 1e-8], "was_lost": False, "is_lost": False})
    assert cas_movements(same).to_numpy().tolist() == [[0.0, 0.0]]


def test_lost_links_come_first_and_the_largest_of_them_before_the_others() -> None:
    rows = pd.DataFrame({"change": ["kept", "new", "lost", "lost"], "cas_gained": 0.0, "cas_lost": [0, 0, 1.0, 2.0]})
    assert most_important_first(rows).index.tolist() == [3, 2, 1, 0]
    assert most_important_first(rows[["change"]]).index.tolist() == [2, 3, 1, 0]


def test_only_links_of_both_files_change_their_verdict() -> None:
    links = pd.DataFrame(
        {
            "verdict_before": ["Weak", "Weak", "", "Protect"],
            "verdict_after": ["Protect", "Protect", "Weak", "Protect"],
        }
    )
    assert verdict_moves(links).to_dict("records") == [
        {"verdict_before": "Weak", "verdict_after": "Protect", "links": 2}
    ]
