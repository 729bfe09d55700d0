"""Tests of backlink_audit.text.page_subjects: what a title says of the page itself."""

import pandas as pd
import pytest

from backlink_audit.text.page_subjects import page_subjects, search_words

POST = "How to play the blues guitar | Oak Tables"


def subject(title: str, url: str) -> str:
    return page_subjects(pd.Series([title], dtype="str"), pd.Series([url], dtype="str")).iloc[0]


def test_what_visitors_write_is_not_about_the_site_they_write_on():
    assert subject(POST, "https://oak.example/forum/general/blues") == "How to play the blues guitar"


def test_the_site_counts_on_its_own_pages_and_where_the_visitor_says_little():
    assert subject(POST, "https://oak.example/blog/blues") == POST
    assert subject("Hello all | Oak Tables", "https://oak.example/forum/hello") == "Hello all | Oak Tables"


def test_a_search_is_about_its_words_where_the_title_does_not_say_them():
    assert subject("Findall", "https://findall.example/?id=7&search=oak%20chairs") == "oak chairs"
    assert subject("", "https://findall.example/?query=oak+chairs") == "oak chairs"
    assert subject("Oak chairs - Findall", "https://findall.example/?search=oak%20chairs") == "Oak chairs - Findall"


@pytest.mark.parametrize("url", ["https://a.example/?search=", "https://a.example/?search=17", "https://[a/?search=x"])
def test_a_search_for_nothing_that_can_be_read_changes_nothing(url: str):
    assert search_words("Findall", url) == "Findall"


def test_each_page_keeps_its_place():
    titles = pd.Series(["Findall", POST, "gardenchairs", ""], index=[7, 3, 9, 1], dtype="str")
    urls = pd.Series(["a.example/?search=elm", "a.example/forum/x", "a.example/x", "a.example/y"], titles.index)
    found = page_subjects(titles, urls)
    assert found.to_dict() == {7: "elm", 3: "How to play the blues guitar", 9: "garden chairs", 1: ""}
