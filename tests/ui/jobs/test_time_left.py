import pytest

from backlink_audit.ui.jobs import TimeLeft


def reported(steps, total=100):
    """A pace after these reports of (seconds, done)."""
    pace = TimeLeft()
    for now, done in steps:
        pace.report(done / total, now)
    return pace


def test_nothing_is_promised_before_three_seconds_and_five_percent():
    assert reported([(0, 0), (1, 10), (3.9, 60)]).seconds_left(3.9) is None
    assert reported([(0, 0), (1, 1), (60, 5)]).seconds_left(60) is None
    assert reported([(0, 0), (1, 1), (5, 11)]).seconds_left(5) is not None


def test_the_time_before_the_first_step_counts_for_nothing():
    """A model is loaded before the first text is embedded."""
    assert reported([(0, 0), (20, 1), (30, 11)]).seconds_left(30) == pytest.approx(89)


def test_an_even_pace_is_estimated_rightly_and_counts_down_between_two_reports():
    pace = reported([(second, second) for second in range(1, 51)])
    assert pace.seconds_left(50) == pytest.approx(50)
    assert pace.seconds_left(53) == pytest.approx(47)


def test_one_slow_step_moves_the_promise_a_little_only():
    pace = reported([(second, second) for second in range(1, 51)])
    pace.report(0.51, 60.0)
    assert 40 < pace.seconds_left(60) < 60


def test_a_lasting_change_of_pace_is_followed():
    pace = reported([(second, second) for second in range(1, 31)])
    for step in range(1, 31):
        pace.report((30 + step) / 100, 30.0 + 4 * step)
    assert pace.seconds_left(150) == pytest.approx(160, rel=0.35)


def test_without_a_share_there_is_no_promise():
    pace = reported([(0, 0), (1, 10), (9, 50)])
    pace.report(None, 10.0)
    assert pace.seconds_left(10) is None
