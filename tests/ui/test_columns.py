import pandas as pd

from backlink_audit.ui import columns


def test_a_column_is_described_by_its_name_or_its_label():
    assert columns.describe("cas") == columns.describe("CAS")
    assert columns.describe("referring_url").style == "url"


def test_columns_that_hold_nothing_are_left_out():
    table = pd.DataFrame({"a": ["", ""], "b": [None, None], "c": ["", "x"], "d": [float("nan"), 0.0]})
    assert columns.filled(table, ("a", "b", "c", "d", "e")) == ["c", "d"]
