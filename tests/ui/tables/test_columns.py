import pandas as pd

from backlink_audit.ui import column_looks


def test_columns_that_hold_nothing_are_left_out():
    table = pd.DataFrame({"a": ["", ""], "b": [None, None], "c": ["", "x"], "d": [float("nan"), 0.0]})
    assert column_looks.filled(table, ("a", "b", "c", "d", "e")) == ["c", "d"]


def test_a_rating_that_is_the_same_everywhere_gives_way_to_one_that_is_not():
    table = pd.DataFrame({"url_rating": [0.0, 0.0], "domain_rating": [3.0, 70.0]})
    assert column_looks.spread(table, ("url_rating", "domain_rating")) == ["domain_rating"]
    assert column_looks.spread(table.head(1), ("url_rating", "domain_rating")) == ["url_rating", "domain_rating"]
