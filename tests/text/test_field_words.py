"""Tests of backlink_audit.text.field_words: words that name a field in any language."""

import pandas as pd
import pytest

from backlink_audit.judgement.fields import UNCLEAR, field_names, load_topics
from backlink_audit.text import FIRM, read_list
from backlink_audit.text.field_words import fields_of_pages, fields_of_texts

FIELDS = field_names(load_topics()).tolist()


def named(text: str) -> set[str]:
    (bits,) = (fields_of_texts([text], FIELDS) & ~FIRM).tolist()
    return {field for place, field in enumerate(FIELDS) if bits >> place & 1}


def test_every_row_of_the_list_is_of_a_field_with_topics():
    assert {row["field"] for row in read_list("field_words")} <= set(FIELDS) - {UNCLEAR}


def test_every_field_has_a_bit_of_its_own():
    assert len(FIELDS) < 62


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Whale sells 36,900 ETH", "Cryptocurrency"),
        ("暗号資産の規制", "Cryptocurrency"),
        ("Криптовалюта дешевеет", "Cryptocurrency"),
        ("Tiền điện tử hôm nay", "Cryptocurrency"),
        ("온라인 카지노", "Gambling"),
        ("Choisir l’assurance de la maison", "Finance and banking"),
        ("Hochzeitsfotos im Park", "Family and parenting"),
    ],
)
def test_a_field_word_names_its_field_in_any_language(title: str, field: str):
    assert named(title) == {field}


def test_a_phrase_counts_only_as_a_whole():
    assert named("Payday loans without papers") == {"Loans"}
    assert named("A loan until payday") == set()


def test_the_field_with_more_different_words_counts():
    assert named("Bitcoin and ethereum at the casino") == {"Cryptocurrency"}
    assert named("Bitcoin, bitcoin and the casino") == {"Cryptocurrency", "Gambling"}


def test_plain_words_and_no_text_name_no_field():
    assert named("Things to do with your old friends") == set()
    assert named("") == set()
    assert fields_of_texts([], FIELDS).shape == (0,)


def of_page(title: str, url: str) -> set[str]:
    (bits,) = fields_of_pages(pd.Series([title], dtype="str"), pd.Series([url], dtype="str"), FIELDS).tolist()
    bits &= ~FIRM
    return {field for place, field in enumerate(FIELDS) if bits >> place & 1}


def test_where_the_title_says_nothing_the_last_part_of_the_address_counts():
    assert of_page("نصائح", "https://a.example/fitness/bitcoin_for_beginners.html") == {"Cryptocurrency"}
    assert of_page("Bei uns", "https://a.example/bitcoin/") == {"Cryptocurrency"}
    assert of_page("Bei uns", "https://a.example/bitcoin/contact") == set()
    assert of_page("Bei uns", "") == set()


def test_what_the_title_says_counts_before_the_address():
    assert of_page("Unser Casino", "https://a.example/bitcoin") == {"Gambling"}


@pytest.mark.parametrize(
    ("title", "firm"),
    [
        ("Bitcoin falls", False),
        ("Bitcoin, bitcoin", False),
        ("Bitcoin and ethereum", True),
        ("Payday loans", True),
        ("Casino or bitcoin", False),
    ],
)
def test_several_words_or_a_phrase_are_firm(title: str, firm: bool):
    assert (fields_of_texts([title], FIELDS) >= FIRM).tolist() == [firm]
