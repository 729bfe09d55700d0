"""What the features come to, and the words that say why."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from backlink_audit.judgement.features import FEATURE_NAMES, FEATURES, SITE_FEATURES
from backlink_audit.judgement.judge import KINDS, Fitted, Forest, bands, judge, kind_reasons, read_forest, reasons
from backlink_audit.settings import BandLimits

MIDDLE = {feature.name: feature.middle for feature in FEATURES}


def forest(**added: float) -> Forest:
    """One tree for each of these features: that adds the number above the feature's middle, and takes it off below."""
    trees = [
        {
            "feature": [FEATURE_NAMES.index(name), 0, 0],
            "threshold": [MIDDLE[name], 0, 0],
            "missing_left": [1, 0, 0],
            "left": [1, 0, 0],
            "right": [2, 0, 0],
            "value": [0, -number, number],
        }
        for name, number in added.items()
    ]
    return read_forest(FEATURE_NAMES, {"baseline": 0, "of_site": [2, 0], "trees": trees})


def rows(*values: dict[str, float]) -> pd.DataFrame:
    return pd.DataFrame(
        [dict.fromkeys((*FEATURE_NAMES, *SITE_FEATURES), np.nan) | row for row in values], dtype="float32"
    )


CLOSE, FAR = {"to_linking_pages": 9.0}, {"to_linking_pages": -9.0}
FITTED = Fitted(
    relevance=forest(to_linking_pages=2),
    worth=forest(rating=1),
    suspicion=forest(about_link_selling=3),
    kinds=(forest(hyphens=1), forest(title_sites=5), forest(file_url=5), forest(forum_url=5)),
    trust=forest(),
    middle=np.array([5, 1], dtype=np.float32),
)


def test_each_answer_comes_from_its_own_trees():
    found = judge(rows({**CLOSE, "rating": 5.0, "about_link_selling": 0.0}, FAR), np.array([True, True]), FITTED)
    assert found.relevance.round().tolist() == [88, 12]
    assert found.worth.round().tolist() == [73, 27]
    assert found.suspicion.round().tolist() == [5, 5]


def test_what_is_known_of_the_site_is_added_and_nothing_where_nothing_is():
    table = rows({"rating": 5.0}, {"rating": 5.0, "linked_variety": 6.0}, {"rating": 5.0, "linked_variety": 5.0})
    assert judge(table, np.array([True] * 3), FITTED).worth.round().tolist() == [73, 95, 73]


def test_the_likeliest_kind_wins_and_without_words_none():
    table = rows({"title_sites": 2}, {"file_url": 1}, {"forum_url": 1}, {"hyphens": 4}, {"title_sites": 2})
    found = judge(table, np.array([True] * 4 + [False]), FITTED)
    assert found.kind.tolist() == ["list", "spam", "visitors", "page", "unclear"]


def test_the_kinds_are_in_the_order_of_their_forests():
    assert KINDS == ("page", "list", "spam", "visitors")


def test_a_band_begins_at_its_limit():
    relevance = np.array([57.0, 56.9, 30.0, 29.9, np.nan])
    assert bands(relevance, BandLimits()).tolist() == ["relevant", "weak", "weak", "off-topic", ""]


@pytest.mark.parametrize(
    ("row", "speaks_for", "why"),
    [
        (CLOSE, True, "its title is close to the other pages that link here"),
        (FAR, False, "its title is far from the other pages that link here"),
        (FAR, True, ""),
        (CLOSE, False, ""),
        ({}, False, ""),
    ],
)
def test_only_what_weighed_in_favour_is_a_reason(row: dict[str, Any], speaks_for, why):
    found = reasons(rows(row), forest(to_linking_pages=2), "relevance", np.array([speaks_for]))
    assert found.tolist() == [why]


def test_closeness_is_no_reason_that_a_page_is_off_topic():
    assert reasons(rows(CLOSE), forest(to_linking_pages=-2), "relevance", np.array([False])).tolist() == [""]


def test_the_two_features_that_weighed_most_are_named_the_heaviest_first():
    trees = forest(to_target=1, to_linking_pages=3, to_site_name=2)
    close = {"to_target": 9.0, "to_linking_pages": 9.0, "to_site_name": 9.0}
    assert reasons(rows(close), trees, "relevance", np.array([True])).tolist() == [
        "its title is close to the other pages that link here; its title is close in meaning to the site's name"
    ]


def test_what_hardly_weighed_is_no_reason():
    assert reasons(rows(CLOSE), forest(to_linking_pages=0.09), "relevance", np.array([True])).tolist() == [""]


def test_a_feature_is_named_only_for_the_questions_that_it_answers():
    trees, table = forest(to_linking_pages=2, rating=-3), rows({**CLOSE, "rating": 0.0})
    yes = np.array([True])
    assert reasons(table, trees, "relevance", yes).tolist() == ["its title is close to the other pages that link here"]
    assert reasons(table, trees, "suspicion", yes).tolist() == ["the page has no authority"]


def test_a_kind_is_shown_by_its_own_trees():
    table = rows(
        {"external_links": np.log1p(900), "title_sites": np.log1p(4)}, {"forum_url": 1}, {"title_sites": 1}
    ).set_axis([4, 2, 9])
    found = kind_reasons(table, np.array(["list", "visitors", "unclear"], dtype=object), FITTED)
    assert found.to_dict() == {
        4: "4 sites have a page with this title",
        2: "its URL is that of a page its visitors write, such as a forum",
        9: "",
    }


def test_without_rows_there_is_nothing_to_say():
    none = rows({}).iloc[:0]
    found = judge(none, np.empty(0, bool), FITTED)
    assert len(found.relevance) == len(found.kind) == len(reasons(none, FITTED.worth, "kind", np.empty(0, bool))) == 0
