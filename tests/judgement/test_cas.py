from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from backlink_audit.judgement.scales import (
    blank_reasons,
    contextual_authority,
    original_columns,
    percentiles,
    rank_links,
)
from backlink_audit.settings import AuditSettings

UR = AuditSettings()


def links(**columns):
    rows = len(next(iter(columns.values())))
    table = pd.DataFrame(
        {"url_rating": 10.0, "domain_rating": 50.0, "external_links": 2.0, "similarity": 0.5, "followed": True}
        | {"scale": "Ahrefs"},
        index=range(rows),
    )
    return table.assign(**columns)


BY_HAND = pd.DataFrame(
    [
        (50, 1, 0.9, 45.0, 90, 4500),
        (50, 100, 0.9, 0.45, 90, 45),
        (12, 37, 0.4567, 0.148, 46, 15),
        (25, 10, 0.4444, 1.111, 44, 111),
        (5, 200, 0.3, 0.0075, 30, 1),
        (10, 900, 0.4, 0.004, 40, 0),
        (30, 60, -0.05, -0.025, -5, -2),
        (0, 5, 0.5, 0.0, 50, 0),
    ],
    columns=["url_rating", "external_links", "similarity", "cas", "cosine", "original"],
)


def test_cas_is_rating_by_external_links_times_similarity():
    table = links(**{name: BY_HAND[name].astype(float) for name in ("url_rating", "external_links", "similarity")})
    np.testing.assert_allclose(contextual_authority(table, UR), BY_HAND["cas"], atol=0.0005)


def test_original_columns_round_halves_to_the_even_neighbour():
    table = links(**{name: BY_HAND[name].astype(float) for name in ("url_rating", "external_links", "similarity")})
    original = original_columns(table)
    assert original["Cosine Similarity"].tolist() == BY_HAND["cosine"].tolist()
    assert original["Contextual Authority Score"].tolist() == BY_HAND["original"].tolist()
    halves = original_columns(links(similarity=[0.545, 0.445, 0.575, 0.125]))
    assert halves["Cosine Similarity"].tolist() == [54, 44, 58, 12]


def test_a_missing_part_leaves_cas_blank_with_its_reason():
    table = links(
        url_rating=[np.nan, 10, 10, 10, 10],
        external_links=[1, 0, np.nan, 1, 1],
        similarity=[0.5, 0.5, 0.5, np.nan, 0.5],
    )
    assert contextual_authority(table, UR).isna().tolist() == [True, True, True, True, False]
    assert blank_reasons(table, UR) == {
        "no text on one of the two pages": 1,
        "UR not known": 1,
        "external links not known": 1,
        "0 external links": 1,
    }
    assert original_columns(table).isna().sum().tolist() == [1, 4]


def test_no_blank_has_no_reason():
    assert blank_reasons(links(similarity=[0.5]), UR) == {}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (AuditSettings(authority="DR"), 50 / 2 * 0.5),
        (AuditSettings(log_dilution=True), 10 / (1 + np.log(2)) * 0.5),
        (AuditSettings(authority="DR", log_dilution=True), 50 / (1 + np.log(2)) * 0.5),
    ],
)
def test_variants_of_cas(settings, expected):
    assert contextual_authority(links(similarity=[0.5]), settings)[0] == pytest.approx(expected)


def test_followed_only_gives_unfollowed_links_nothing_but_keeps_blanks_blank():
    table = links(followed=[True, False, False], similarity=[0.5, 0.5, np.nan])
    scores = contextual_authority(table, AuditSettings(followed_only=True))
    assert scores[:2].tolist() == [2.5, 0.0]
    assert np.isnan(scores[2])


def test_percentiles_run_from_0_to_100_and_skip_blanks():
    scores = pd.Series([3.0, np.nan, 1.0, 2.0])
    assert percentiles(scores).tolist()[2:] == [0.0, 50.0]
    assert percentiles(scores)[0] == 100.0
    assert np.isnan(percentiles(scores)[1])


def prints(same_link: list[int], page_link: Sequence[int] = (1, 2, 3), address: Sequence[int] = (1, 2, 3)) -> Any:
    columns = {"same_link": same_link, "page_link": list(page_link), "address": list(address)}
    return pd.DataFrame(columns, dtype="uint64")


def test_a_place_is_among_the_trusted_links_whoever_has_it():
    scores, trusted = pd.Series([1.0, 2.0, 3.0, 2.5, 9.0, 0.0]), pd.Series([True] * 3 + [False] * 3)
    assert percentiles(scores, trusted).tolist() == [0.0, 50.0, 100.0, pytest.approx(200 / 3), 100.0, 0.0]
    assert percentiles(scores, ~trusted & False).tolist() == percentiles(scores).tolist()


def test_of_equal_copies_the_first_by_address_is_the_best_whatever_their_order():
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        cas, found = pd.Series([2.0, 2.0, 1.0])[order], prints([7, 7, 7], (5, 5, 6), (9, 4, 1)).iloc[order]
        ranks = rank_links(cas, found).sort_index()
        assert ranks["is_best_copy"].tolist() == [False, True, False]
        assert ranks["addresses"].tolist() == [2, 2, 1]
        assert ranks["is_other_address"].tolist() == [True, False, False]


def test_links_from_own_sites_have_no_place_among_the_others():
    ranks = rank_links(pd.Series([9.0, 1.0, 2.0]), prints([0, 0, 0]), pd.Series([True, False, False]))
    assert np.isnan(ranks["cas_percentile"][0])
    assert ranks["cas_percentile"].tolist()[1:] == [0.0, 100.0]


def test_a_file_full_of_zeros_does_not_put_zeros_at_the_top():
    assert percentiles(pd.Series([0.0] * 9 + [1.0])).tolist() == [pytest.approx(100 * 4 / 9)] * 9 + [100.0]


def test_equal_scores_and_a_lone_score_stand_in_the_middle():
    assert percentiles(pd.Series([0.3, 0.3, 0.3])).tolist() == [50.0] * 3
    assert percentiles(pd.Series([0.3])).tolist() == [50.0]
    assert percentiles(pd.Series([np.nan])).isna().all()
