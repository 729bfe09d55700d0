"""Tests of backlink_audit.text.link_texts: which linking pages are asked what a site is about."""

import pandas as pd

from backlink_audit.text import link_texts
from backlink_audit.text.link_texts import asked_links
from tests.backlinks import clean_links

LINKS = clean_links(
    referring_url=[f"https://a.site{number % 20}.example/{number}" for number in range(60)],
    target_url=[f"https://shop{number % 3}.example/" for number in range(60)],
    referring_title=[f"Title {number}" for number in range(60)],
)


def test_of_a_domain_s_links_to_one_page_the_titled_and_best_rated_one_is_asked_whatever_their_order():
    links = clean_links(
        referring_url=[f"https://a.example/{page}" for page in "abcd"],
        target_url=["https://shop.example/"] * 4,
        referring_title=["", "Weak", "Strong", "Weak too"],
        url_rating=[90.0, 5.0, 20.0, None],
    )
    assert asked_links(links)["referring_title"].tolist() == ["Strong"]
    for seed in range(5):
        pd.testing.assert_frame_equal(asked_links(LINKS.sample(frac=1, random_state=seed)), asked_links(LINKS))


def test_parts_of_an_export_ask_the_links_of_the_whole(monkeypatch):
    monkeypatch.setattr(link_texts, "ASKED", 7)
    whole = asked_links(LINKS)
    assert whole.groupby("target_domain").size().tolist() == [7, 7, 7]
    parts = [asked_links(LINKS.iloc[start : start + 9]) for start in range(0, 60, 9)]
    pd.testing.assert_frame_equal(asked_links(pd.concat(parts, ignore_index=True)), whole)
    assert asked_links(LINKS.iloc[:0]).empty
