"""Anchors that are keywords: what several sites write for one page, and words of trade."""

import pandas as pd
import pytest

from backlink_audit.judgement.footprints import footprints, shared
from backlink_audit.judgement.risk_signals import keyword_anchors
from tests.backlinks import clean_links

CHAIRS = "https://oakfurniture.example/oak-chairs/"
HOME = "https://oakfurniture.example/"


def found(anchors: list[str], target: str = CHAIRS, **columns) -> list[str]:
    links = clean_links(anchor=anchors, target_url=[target] * len(anchors), **columns)
    sites = shared(footprints(links))["page_anchor"]
    return keyword_anchors(links, sites, 3, ("oakfurniture",)).tolist()


@pytest.mark.parametrize(
    ("anchor", "target"),
    [
        ("sturdy oak chairs", CHAIRS),
        ("Sturdy oak chairs", CHAIRS),
        ("oak chairs", CHAIRS),
        ("garden furniture", HOME),
        ("furniture of oak in Berlin", HOME),
    ],
)
def test_a_phrase_of_several_sites_for_one_page_is_a_keyword(anchor, target):
    assert found([anchor] * 3, target) == [f"3 sites link to the same page with the anchor “{anchor}”"] * 3
    assert found([anchor] * 2, target) == ["", ""]


@pytest.mark.parametrize(
    ("anchor", "target"),
    [
        ("Sturdy Oak Chairs", CHAIRS),
        ("Oak Furniture chairs for gardens", HOME),
        ("latest research", HOME),
        ("chairs", CHAIRS),
        ("click here", CHAIRS),
        ("oak chairs: a guide", CHAIRS),
        ("how the best oak chairs of our old town were made by hand in winter", CHAIRS),
        ("how carpenters made oak chairs last", "https://oakfurniture.example/how-carpenters-made-oak-chairs-last"),
    ],
)
def test_names_titles_sentences_and_words_about_something_else_are_none(anchor, target):
    assert found([anchor] * 3, target) == ["", "", ""]


def test_one_article_on_several_sites_counts_once():
    urls = [f"https://news{row}.example/2024/01/how-to-choose-sturdy-chairs" for row in range(5)]
    assert found(["sturdy oak chairs"] * 5, referring_url=urls) == [""] * 5


def test_several_pages_that_one_site_links_with_a_phrase_are_no_keyword_and_nor_is_another_target():
    links = clean_links(anchor=["sturdy oak chairs"] * 3, target_url=[f"{HOME}oak-{row}" for row in range(3)])
    assert shared(footprints(links))["page_anchor"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("anchor", ["cheap oak chairs", "Eichenstühle günstig kaufen Berlin", "oak chairs for sale"])
def test_a_word_of_trade_shows_a_keyword_on_a_single_site(anchor):
    assert found([anchor]) == [f"the anchor “{anchor}” is a commercial keyword"]


@pytest.mark.parametrize("anchor", ["buy tickets", "Cheap Oak Chairs", "bulky oak chairs", "https://cheap-oak.example"])
def test_too_few_words_capitals_and_parts_of_words_are_no_trade(anchor):
    assert found([anchor]) == [""]


def test_links_that_are_not_followed_have_no_keyword():
    assert found(["cheap oak chairs"] * 3, nofollow=[True, True, True]) == ["", "", ""]


def test_an_empty_table_has_none():
    links = clean_links(anchor=["x"]).iloc[:0]
    assert keyword_anchors(links, pd.Series([], dtype="int32"), 3, ()).empty
