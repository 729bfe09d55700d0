import numpy as np
import pandas as pd

from backlink_audit.judgement.referring_sites import roll_up
from tests.backlinks import clean_links


def test_links_are_rolled_up_to_their_domains_with_the_best_cas_first():
    links = clean_links(
        referring_url=["https://a.example/1", "https://www.a.example/2", "https://b.example/", "https://a.example/3"],
        domain_rating=[10, 20, 50, None],
        nofollow=[False, True, True, False],
        first_seen=["2024-02-01", "2024-01-01", None, "2024-03-01"],
        last_seen=["2024-05-01", "2024-06-01", None, None],
        similarity=[0.2, 0.4, np.nan, 0.6],
        relevance=[50.0, 100.0, np.nan, 90.0],
        cas=[np.nan, 3.0, np.nan, 1.0],
        topic=["travel", "gardens", "", "gardens"],
        verdict=["Relevant", "Review", "Not enough data", "Weak"],
    )
    domains = roll_up(links).set_index("referring_domain")
    assert domains.index.tolist() == ["a.example", "b.example"]
    a, b = domains.loc["a.example"], domains.loc["b.example"]
    assert (a.links, a.authority, a.best_cas, a.topic, a.verdict) == (3, 20, 3.0, "gardens", "Review")
    assert np.isclose([a.followed_share, a.mean_similarity, a.mean_relevance], [2 / 3, 0.4, 80]).all()
    assert (a.first_seen, a.last_seen) == (pd.Timestamp("2024-01-01"), pd.Timestamp("2024-06-01"))
    assert (b.links, b.topic, b.verdict, b.followed_share) == (1, "", "Not enough data", 0)
    assert pd.isna(b.best_cas) and pd.isna(b.first_seen)


def test_topics_that_are_equally_frequent_go_by_the_alphabet():
    links = clean_links(
        referring_url=["https://a.example/1", "https://a.example/2"],
        similarity=[0.1, 0.1],
        relevance=[1.0, 1.0],
        cas=[0.1, 0.1],
        topic=["travel", "gardens"],
        verdict=["Weak", "Weak"],
    )
    assert roll_up(links).topic.tolist() == ["gardens"]
