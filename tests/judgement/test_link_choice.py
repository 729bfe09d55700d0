"""Tests of backlink_audit.judgement.scales: which links the figures are about."""

import pytest

from backlink_audit.judgement.scales import chosen_links
from backlink_audit.settings import LinkChoice
from tests.backlinks import clean_links

STATES = ["live", "live", "live", "lost", "dead page", "live"]
PLACEMENTS = ["in content", "outside content", "unknown", "in content", "in content", "in content"]


@pytest.fixture
def links():
    urls = [f"https://{site}.example/{number}" for number, site in enumerate("aabcdd")]
    return clean_links(
        referring_url=urls, url_rating=[1.0, 7.0, None, 3.0, 4.0, 4.0], link_state=STATES, placement=PLACEMENTS
    )


@pytest.mark.parametrize(
    ("choice", "rows"),
    [
        (LinkChoice(), [0, 1, 2, 5]),
        (LinkChoice("live in content"), [0, 2, 5]),
        (LinkChoice("everything"), [0, 1, 2, 3, 4, 5]),
        (LinkChoice(one_per_domain=True), [1, 2, 5]),
        (LinkChoice("everything", one_per_domain=True), [1, 2, 3, 4]),
        (LinkChoice("live in content", one_per_domain=True), [0, 2, 5]),
    ],
)
def test_the_choice_says_which_links_count(links, choice, rows):
    assert links.index[chosen_links(links, choice)].tolist() == rows


def test_no_links_are_no_problem(links):
    assert chosen_links(links.iloc[:0], LinkChoice(one_per_domain=True)).tolist() == []
