import pandas as pd
import pytest

from backlink_audit.judgement.verdicts import at_stake
from tests.backlinks import clean_links


def stakes(**columns) -> list[float]:
    rows = len(next(iter(columns.values())))
    usual = {"scale": ["Ahrefs"] * rows, "domain_rating": [50] * rows, "relevance": [80.0] * rows}
    return at_stake(clean_links(**{**usual, **columns})).tolist()


def test_what_is_at_stake_is_authority_times_relevance():
    assert stakes(domain_rating=[96, 8], relevance=[90.0, 100.0]) == pytest.approx([0.864, 0.08])


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"domain_rating": [96, 8]}, "a stronger site"),
        ({"relevance": [90.0, 40.0]}, "a more relevant page"),
        ({"nofollow": [False, True]}, "a followed link"),
        ({"page_traffic": [500.0, 0.0]}, "more visits"),
        ({"relevance": [1.0, None]}, "a relevance that is known"),
        ({"domain_rating": [11, None]}, "an authority that is known"),
    ],
)
def test_each_of_the_four_counts(columns, why):
    first, second = stakes(**columns)
    assert first > second, why


def test_visits_at_most_double_it():
    assert stakes(page_traffic=[1e9, 0.0])[0] == pytest.approx(2 * stakes(page_traffic=[0.0])[0])
    assert pd.notna(stakes(relevance=[None])[0])
