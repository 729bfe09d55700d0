"""What a profile is made of, counted by hand."""

import numpy as np
import pandas as pd
import pytest

from backlink_audit.profile.shares import (
    authority_bands,
    breakdown,
    http_statuses,
    link_attributes,
    may_bring_visitors,
    referring_domains,
    target_pages,
    topic_mix,
)
from tests.backlinks import clean_links

SITES = ["https://a.com/1", "https://a.com/2", "https://b.com/1", "https://c.com/1"]


def judged(**columns) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    blank = {"similarity": np.nan, "relevance": np.nan, "cas": np.nan, "topic": "", "topic_field": "", "verdict": ""}
    return clean_links(**{name: [value] * rows for name, value in blank.items()} | columns)


def test_values_are_counted_by_links_and_by_domains_and_blanks_are_left_out():
    links = clean_links(referring_url=SITES, language=["en", "en", "de", ""])
    table = breakdown(links["language"], links["referring_domain"])
    assert table.to_dict("list") == {"value": ["en", "de"], "links": [2, 1], "domains": [1, 1], "share": [2 / 3, 1 / 3]}


def test_a_column_without_values_has_no_rows():
    assert breakdown(pd.Series(["", ""]), pd.Series(["a", "b"])).empty


def test_the_counts_equal_those_of_pandas():
    rng = np.random.default_rng(0)
    values = pd.Series(rng.choice(["x", "y", "z"], 500))
    domains = pd.Series(rng.choice([f"d{number}.com" for number in range(40)], 500))
    table = breakdown(values, domains).set_index("value")
    assert table["links"].to_dict() == values.value_counts().to_dict()
    assert table["domains"].to_dict() == domains.groupby(values).nunique().to_dict()


def test_a_referring_domain_has_its_figures_and_nothing_that_was_not_judged():
    links = clean_links(
        referring_url=SITES,
        domain_rating=[40, 41, None, 70],
        nofollow=[True, False, False, None],
        first_seen=["2024-01-02", "2024-01-01", None, None],
        last_seen=["2024-05-01", "2024-06-01", None, None],
    )
    domains = referring_domains(links)
    assert domains["referring_domain"].tolist() == ["c.com", "a.com", "b.com"]
    assert domains["authority"].tolist()[:2] == [70, 41]
    assert domains["links"].tolist() == [1, 2, 1]
    assert domains["followed_share"].tolist() == [1, 0.5, 1]
    assert list(domains.loc[1, ["first_seen", "last_seen"]]) == [
        pd.Timestamp("2024-01-01"),
        pd.Timestamp("2024-06-01"),
    ]
    assert not {"mean_similarity", "mean_relevance", "best_cas", "topic", "verdict"} & set(domains.columns)


def test_an_audits_links_bring_what_was_judged():
    domains = referring_domains(judged(referring_url=SITES, relevance=[90, 80, 10, 20], cas=[1, 3, 2, np.nan]))
    assert domains.set_index("referring_domain")["mean_relevance"].to_dict() == {"a.com": 85, "b.com": 10, "c.com": 20}
    assert domains.set_index("referring_domain").loc["a.com", "best_cas"] == 3


def test_bands_count_domains_by_their_best_authority():
    links = clean_links(
        referring_url=[f"https://s{n}.com/" for n in range(6)], domain_rating=[50, 49.9, 20, 1, 0, None]
    )
    bands = authority_bands(referring_domains(links)).set_index("value")
    assert bands["domains"].to_dict() == {"50+": 1, "20–49": 2, "1–19 (check)": 1, "0": 1, "not given": 1}
    assert bands["share"].sum() == pytest.approx(1)


def test_semrush_bands_are_those_of_the_ascore():
    links = clean_links(url_rating=[60, 10], scale=["Semrush", "Semrush"])
    assert authority_bands(referring_domains(links))["domains"].tolist() == [1, 0, 1, 0, 0]


def test_attributes_may_overlap():
    links = clean_links(referring_url=SITES, nofollow=[True, True, False, None], ugc=[True, False, None, None])
    table = link_attributes(links).set_index("value")
    assert table["links"].to_dict() == {"followed": 2, "nofollow": 2, "UGC": 1, "sponsored": 0}
    assert table.loc["nofollow", "domains"] == 1


def test_statuses_become_words():
    assert http_statuses(pd.Series([404.0, 0.0, np.nan])).tolist() == ["404", "not checked", ""]


def test_target_pages_are_joined_on_their_normalised_url_and_ranked_by_domains():
    targets = ["https://www.our.com/a", "https://our.com/a/", "https://our.com/a#x", "https://our.com/b"]
    pages = target_pages(
        judged(
            referring_url=SITES, target_url=targets, relevance=[50, 70, 90, 10], nofollow=[True, False, False, False]
        )
    )
    assert pages["target_url"].tolist() == ["https://www.our.com/a", "https://our.com/b"]
    assert pages["links"].tolist() == [3, 1]
    assert pages["domains"].tolist() == [2, 1]
    assert pages["mean_relevance"].tolist() == [70, 10]
    assert pages["followed_share"].tolist() == [pytest.approx(2 / 3), 1]


def test_topics_are_counted_with_their_field():
    topics = topic_mix(
        judged(referring_url=SITES, topic=["cats", "cats", "poker", ""], topic_field=["Pets", "Pets", "Gambling", ""])
    )
    assert topics[["topic_field", "topic", "links", "domains"]].to_numpy().tolist() == [
        ["Pets", "cats", 2, 1],
        ["Gambling", "poker", 1, 1],
    ]


def test_links_that_may_bring_visitors_are_relevant_not_followed_and_on_busy_pages():
    links = clean_links(
        anchor=["busiest", "busy", "quiet", "followed", "off topic"],
        nofollow=[True, True, True, False, True],
        page_traffic=[900, 100, 99, 500, 500],
    ).assign(band=["relevant"] * 4 + ["off-topic"])
    assert may_bring_visitors(links, 100)["anchor"].tolist() == ["busiest", "busy"]
