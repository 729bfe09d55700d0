"""Tests of backlink_audit.text.link_texts: which linking pages are asked what a site is about."""

import pandas as pd

from backlink_audit.text import link_texts
from backlink_audit.text.link_texts import voters
from tests.backlinks import clean_links

LINKS = clean_links(
    referring_url=[f"https://a.site{number % 20}.example/{number}" for number in range(60)],
    target_url=[f"https://shop{number % 3}.example/" for number in range(60)],
    referring_title=[f"Title {number}" for number in range(60)],
)


def test_each_domain_has_one_vote_with_its_first_page():
    asked = voters(LINKS)
    assert not asked.duplicated(["target_domain", "referring_domain"]).any()
    assert len(asked) == 60
    twice = pd.concat([LINKS, LINKS.assign(referring_title="Later")], ignore_index=True)
    pd.testing.assert_frame_equal(voters(twice), asked)


def test_parts_of_an_export_give_the_voters_of_the_whole(monkeypatch):
    monkeypatch.setattr(link_texts, "VOTERS", 7)
    whole = voters(LINKS)
    assert whole.groupby("target_domain").size().tolist() == [7, 7, 7]
    parts = [voters(LINKS.iloc[start : start + 9]) for start in range(0, 60, 9)]
    pd.testing.assert_frame_equal(voters(pd.concat(parts, ignore_index=True)), whole)
    assert voters(LINKS.iloc[:0]).empty
