"""Tests of backlink_audit.text.shared_words: the words that a judgement can name."""

import pandas as pd

from backlink_audit.text.shared_words import shared_words, site_words

PAGES = {
    "shop.example": ["Oak chairs", "Oak tables for the garden", "Oak and beech 2024"],
    "ホテル.example": ["沖縄のホテル"],
}


def found(*texts, site="shop.example") -> list[str]:
    series = pd.Series(texts, dtype="str")
    return shared_words(series, pd.Series([site] * len(series), dtype="str"), site_words(PAGES)).tolist()


def test_words_on_most_pages_of_the_site_stand_first():
    assert found("Chairs and tables made of OAK") == ["oak, chairs, tables"]


def test_words_that_say_nothing_are_no_grounds():
    assert found("The 2024 news for you and me", "") == ["", ""]


def test_no_more_than_three_words_are_named():
    assert found("beech garden tables chairs oak")[0].count(",") == 2


def test_scripts_without_spaces_are_compared_by_pairs():
    assert found("東京のホテル", site="ホテル.example") == ["のホ, ホテ, テル"]


def test_a_site_of_which_nothing_is_known_shares_nothing():
    assert found("oak", site="other.example") == [""]


def test_the_index_is_kept():
    series = pd.Series(["oak", "oak"], index=[7, 3], dtype="str")
    assert shared_words(series, series, {"oak": {"oak": 1}}).index.tolist() == [7, 3]


def test_everyday_words_are_no_grounds_unless_many_pages_have_them():
    pages = {
        "shop.example": ["oak price", *(f"oak {name}" for name in ("beech", "chairs", "tables")), "oil", "oil", "oil"]
    }
    titles = pd.Series(["oil price of oak"], dtype="str")
    shared = shared_words(titles, pd.Series(["shop.example"], dtype="str"), site_words(pages))
    assert shared.tolist() == ["oak, oil"]


def test_a_common_word_by_itself_is_no_ground():
    pages = {"shop.example": ["natural oils of Asia", "natural oils of bergamot", "natural oils"]}
    titles = pd.Series(["A natural park", "Birds of Asia", "Natural oils", "Bergamot"], dtype="str")
    shared = shared_words(titles, pd.Series(["shop.example"] * 4, dtype="str"), site_words(pages))
    assert shared.tolist() == ["", "", "natural, oils", "bergamot"]
