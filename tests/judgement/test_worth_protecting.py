"""What a client is told to keep: links of known sites that somebody chose, and nothing to fill a page with."""

from typing import Any

import pandas as pd
import pytest

from backlink_audit.judgement.actions import known_enough, titles_of_their_own, worth_protecting
from tests.judgement.test_outreach import judged

SENTENCE = {"left_context": "Of all the chairs that we have tried, we like these"}
ALONE = {"left_context": "", "right_context": ""}
USUAL: dict[str, object] = {
    "target_url": "https://shop.example/",
    "anchor": "Oakwood",
    "domain_rating": 45.0,
    "external_links": 20.0,
    "cas": 0.2,
    "worth": 90.0,
    "referring_title": "How we chose our chairs",
    "verdict": "Protect",
}


def is_worth(**fact: Any) -> bool:
    """Whether a link may be named, in a file that knows the words around its links."""
    every = judged(USUAL | SENTENCE | fact, USUAL | SENTENCE)
    return bool(worth_protecting(every.iloc[:1], every).item())


@pytest.mark.parametrize(
    "fact",
    [
        {},
        {"anchor": "these chairs"},
        {"anchor": "https://shop.example/"},
        {"anchor": "Health & Beauty Oils", "referring_title": "Health and beauty oils"} | ALONE,
        {"anchor": "oak chairs", "referring_title": "Oak chairs for ever", "target_url": "https://shop.example/oak"},
        {"names_site": "title, anchor"},
        {"domain_rating": None},
        {"scale": "Semrush", "domain_rating": None, "url_rating": 8.0},
    ],
)
def test_a_link_that_somebody_of_a_known_site_chose_is_worth_protecting(fact):
    assert is_worth(**fact)


@pytest.mark.parametrize(
    "fact",
    [
        {"domain_rating": 6.0},
        {"scale": "Semrush", "domain_rating": None, "url_rating": 3.0},
        {"cas": 0.0004},
        {"worth": 69.0},
        {"external_links": 169.0},
        {"anchor": "oak chair", "referring_title": "Oak chairs and how to oil them"},
        {"anchor": "Incense"} | ALONE,
        {"anchor": ""} | ALONE,
        {"anchor": "www.shop.example"} | ALONE,
        {"anchor": "[5]"},
        {"names_site": "title, anchor"} | ALONE,
        {"target_url": "https://shop.example/oak.JPG?x=1"},
        {"referring_url": "https://images.engine.example/images/search?q=oak"},
    ],
)
def test_small_sites_keywords_and_what_nobody_chose_are_not(fact):
    assert not is_worth(**fact)


def test_where_no_words_around_links_are_known_none_is_left_out_for_them():
    every = judged(USUAL | ALONE | {"anchor": "www.shop.example"})
    assert worth_protecting(every, every).all()
    assert known_enough(every).all()


def test_titles_are_compared_without_the_names_of_their_sites_and_short_ones_by_address():
    titles = ["Why we build | Oak News", "Why We Build – Elm", "Home | Oak", "Home | Elm", ""]
    links = pd.DataFrame({"referring_title": titles, "referring_url": list("abcde")})
    assert titles_of_their_own(links).tolist() == ["why we build", "why we build", "c", "d", "e"]
