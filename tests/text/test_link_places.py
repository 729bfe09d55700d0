"""The words around a link: its sentence, and what its page says besides."""

import pandas as pd
import pytest

from backlink_audit.text.link_texts import AROUND, MOST_OTHERS, read_place_texts, sentence_around, sentences_of
from backlink_audit.text.text_vectors import BLANK, Vocabulary

OTHERS = [f"The class visited museum number {number} in spring." for number in range(6)]
LINKED = "We sat on oak chairs that came from the village."


def around(**given: str) -> pd.DataFrame:
    row = dict.fromkeys(AROUND, "") | {
        "place": "content",
        "page_anchor": "oak chairs",
        "text_before": "It rained. We sat on",
        "text_after": "that came from the village. Then we left.",
        "main_text": "\n".join([*OTHERS[:3], LINKED, *OTHERS[3:]]),
    }
    return pd.DataFrame([row | given], dtype="str")


def read(**given: str):
    vocabulary = Vocabulary()
    texts = read_place_texts(vocabulary, around(**given), pd.Series(["https://shop.example/chairs"]))
    return texts, vocabulary


def test_a_link_has_its_sentence_and_the_other_sentences_of_its_page():
    texts, vocabulary = read(heading="Furniture", page_title="Spring at our school in the valley")
    assert texts.words["sentence"].tolist() == [LINKED]
    assert texts.words["beside"].tolist() == ["\n".join(["Spring at our school in the valley", *OTHERS])]
    section = "Furniture It rained. We sat on oak chairs that came from the village. Then we left."
    assert section in vocabulary.texts
    assert texts.target.tolist() == ["oak chairs shop example chairs"]


@pytest.mark.parametrize(
    "given",
    [
        {"place": "footer"},
        {"main_text": ""},
        {"text_before": "Website:", "text_after": ""},
        {"main_text": "\n".join([LINKED, *OTHERS[:4]])},
    ],
)
def test_a_link_without_a_sentence_or_a_page_around_it_has_none(given):
    texts, vocabulary = read(**given)
    assert texts.words["sentence"].tolist() == [""] and texts.target.tolist() == [""]
    assert texts.sentence.codes.tolist() == [BLANK] and not len(vocabulary)


def test_where_the_words_around_are_not_known_the_anchor_is_looked_for_in_the_text():
    assert read(text_before="", text_after="")[0].words["sentence"].tolist() == [LINKED]
    twice = "\n".join([LINKED, "More oak chairs stood in the other room.", *OTHERS])
    assert read(text_before="", text_after="", main_text=twice)[0].words["sentence"].tolist() == [""]


def test_sentences_of_a_long_page_are_spread_over_it():
    long = [f"Sentence number {number} of a very long page." for number in range(100)]
    beside = read(main_text="\n".join(long))[0].words["beside"].iloc[0].splitlines()
    assert len(beside) == MOST_OTHERS
    assert beside[0] == long[0] and int(beside[-1].split()[2]) > 90


def test_the_titles_of_other_pages_show_a_site_else_its_own_title():
    _, vocabulary = read(site_titles="School news\nSports day", page_title="Spring")
    assert {"School news", "Sports day"} <= set(vocabulary.texts) and "Spring" not in vocabulary.texts
    assert "Spring" in read(page_title="Spring")[1].texts


def test_a_sentence_ends_where_its_neighbours_begin():
    assert sentence_around("One. Two", "three", "four. Five.") == "Two three four."
    assert sentence_around("", "three", "") == "three"


def test_short_lines_and_repeats_are_no_sentences():
    assert sentences_of("Menu\nThis is a sentence of the page.\nThis is a sentence of the page.") == [
        "This is a sentence of the page."
    ]
