"""Each feature that is read from an address, a word or a number."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from backlink_audit.judgement.features import (
    FEATURE_NAMES,
    FEATURES,
    LINK_FEATURES,
    SHARED_FEATURES,
    link_features,
    shared_features,
)
from backlink_audit.judgement.footprints import footprints, shared
from tests.backlinks import clean_links


def features(**columns: Any) -> pd.DataFrame:
    links = clean_links(**columns)
    return link_features(links).join(shared_features(shared(footprints(links))))


def of_url(url: str) -> dict[str, Any]:
    return {"referring_url": [url]}


VALUES: list[tuple[str, dict[str, Any], float]] = [
    ("external_links", {"external_links": [99]}, np.log(100)),
    ("external_links", {"external_links": [None]}, np.nan),
    ("rating", {"url_rating": [12.0]}, 12),
    ("rating", {"url_rating": [None]}, 2),
    ("nofollow", {"nofollow": [True]}, 1),
    ("nofollow", {"nofollow": [False]}, 0),
    ("nofollow", {"nofollow": [None]}, np.nan),
    ("capitals", {"referring_title": ["Oak chairs From Élan"]}, 0.75),
    ("capitals", {"referring_title": ["12 34"]}, np.nan),
    ("url_length", of_url("https://a.example/b"), 19),
    ("hyphens", of_url("https://a-b.example/c-d/how-to-oil-oak/"), 3),
    ("forum_url", of_url("https://a.example/viewtopic.php?t=5"), 1),
    ("forum_url", of_url("https://a.example/oak"), 0),
    ("profile_url", of_url("https://a.example/members/anna"), 1),
    ("profile_url", of_url("https://a.example/oak"), 0),
    ("subdomains", of_url("https://www.a.example/oak"), 0),
    ("subdomains", of_url("https://blog.shop.a.example:443/oak"), 2),
    ("subdomains", of_url("https://blog.a.example"), 1),
    ("dated_url", of_url("https://a.example/2024/05/oak"), 1),
    ("dated_url", of_url("https://a.example/2024/99/oak"), 0),
    ("file_url", of_url("https://a.example/wp-content/uploads/x.php"), 1),
    ("file_url", of_url("https://a.example/?h=24959562"), 1),
    ("file_url", of_url("https://a.example/?p=92608"), 0),
    ("file_url", of_url("https://a.example/oak"), 0),
    ("title_sites", {"referring_title": ["Ten oak chairs"] * 3}, np.log(4)),
    (
        "path_sites",
        {"referring_url": [f"https://a{row}.example/top-website-list-{row}" for row in range(3)]},
        np.log(4),
    ),
    ("anchor_in_title", {"anchor": ["Oak tables"], "referring_title": ["About oak"]}, 0.5),
    ("anchor_in_title", {"anchor": [""], "referring_title": ["About oak"]}, np.nan),
    ("anchor_in_target", {"anchor": ["Oak chairs"], "target_url": ["https://shop.example/oak-chairs"]}, 1),
    ("anchor_in_target", {"anchor": ["Oak chairs"], "target_url": ["https://shop.example/"]}, 0),
    ("redirecting", {"target_url": ["https://shop.example/out.php?id=7&to=https%3A%2F%2Fspam.example"]}, 1),
    ("redirecting", {"target_url": ["https://shop.example/go/http://spam.example/"]}, 1),
    ("redirecting", {"target_url": ["https://shop.example/?u=//spam.example"]}, 1),
    ("redirecting", {"target_url": ["https://shop.example/http-status-codes?page=2"]}, 0),
]


@pytest.mark.parametrize(("name", "columns", "value"), VALUES)
def test_each_feature_has_its_value(name, columns, value):
    assert features(**columns)[name].iloc[0] == pytest.approx(value, nan_ok=True)


def test_every_feature_of_a_link_is_in_that_table():
    assert {name for name, _, _ in VALUES} == {*(feature.name for feature in LINK_FEATURES), *SHARED_FEATURES}


def test_the_features_are_numbers_with_the_index_of_the_links():
    links = clean_links(anchor=["a", ""]).set_axis([7, 3])
    found = link_features(links)
    assert found.index.tolist() == [7, 3]
    assert tuple(found.columns) == tuple(feature.name for feature in LINK_FEATURES)
    assert (found.dtypes == "float32").all()


def test_every_feature_has_a_name_of_its_own_and_its_words_take_its_number():
    assert len(set(FEATURE_NAMES)) == len(FEATURES)
    for feature in FEATURES:
        for words in (feature.high, feature.low):
            said = words.format(feature.show(3.0))
            assert "{" not in said and "e+" not in said


def test_a_counted_feature_shows_the_number_of_the_export():
    external = LINK_FEATURES[0]
    assert external.high.format(external.show(float(np.float32(np.log1p(1234))))) == "1,234 external links"
