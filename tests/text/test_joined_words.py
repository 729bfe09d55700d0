"""Tests of backlink_audit.text.joined_words: names written in one word."""

import pytest

from backlink_audit.text.joined_words import split_joined


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("greenforestwalks", "green forest walks"),
        ("Profile of Bestteachairs", "Profile of Best tea chairs"),
        ("GARDENFURNITURE", "GARDEN FURNITURE"),
        ("seablueteapots and more", "sea blue tea pots and more"),
    ],
)
def test_a_name_of_several_words_is_split(text: str, split: str):
    assert split_joined(text) == split


@pytest.mark.parametrize(
    "text",
    [
        "photography",  # a word of its own
        "Blockchain stablecoins",  # words that name a topic
        "teachair",  # short
        "gardenfurniture.example and www.gardenfurniture",  # parts of host names
        "me@gardenfurniture",
        "Xqvzwgardenfurniture",  # not words alone
        "oakfurniture",  # oak is rare for three letters, which are in many foreign words
        "Milliarden",  # another language
        "Möbelgeschäft",
        "",
    ],
)
def test_all_else_stays_as_it_is(text: str):
    assert split_joined(text) == text


def test_as_few_words_as_possible_are_found():
    assert split_joined("grandmotherkitchen") == "grandmother kitchen"
