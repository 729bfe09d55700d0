"""Where one sentence ends and the next begins."""

import pytest

from backlink_audit.text.sentences import LONGEST_SENTENCE, begins_sentence, sentence_gaps, shortened


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("By J. Doe. Read on.", ["By J. Doe.", "Read on."]),
        ("The U.S. is large. So it is.", ["The U.S. is large.", "So it is."]),
        ("a heading\r\n  a line\n\nanother", ["a heading", "a line", "another"]),
        ("東京です。京都です。 大阪です。", ["東京です。", "京都です。", "大阪です。"]),
    ],
)
def test_a_text_is_cut_between_its_sentences(text, sentences):
    starts, ends = zip(*sentence_gaps(text), strict=True)
    pieces = [text[start:end].strip() for start, end in zip((0, *ends), (*starts, len(text)), strict=True)]
    assert [piece for piece in pieces if piece] == sentences


def test_quotes_and_bullets_stand_before_the_first_word_of_a_sentence():
    assert begins_sentence("Go on. “Teak", 8)
    assert begins_sentence("• Teak", 2)
    assert not begins_sentence("Oiled teak", 6)


def test_a_line_ends_before_the_spaces_at_its_end():
    gaps = list(sentence_gaps("One line  \nanother"))
    assert gaps == [(8, 11)]


def test_a_long_sentence_is_cut_between_words_around_those_asked_for():
    text = "wood " * LONGEST_SENTENCE + "oak tables" + " wood" * LONGEST_SENTENCE
    at = text.index("oak")
    start, stop = shortened(text, (0, len(text)), (at, at + 10))
    assert stop - start <= LONGEST_SENTENCE and "oak tables" in text[start:stop]
    assert set(text[start:stop].split()) == {"wood", "oak", "tables"}


def test_a_long_sentence_is_whole_to_an_end_of_the_text_that_is_near():
    text = "oak tables" + " wood" * LONGEST_SENTENCE
    assert shortened(text, (0, len(text)), (0, 10))[0] == 0
