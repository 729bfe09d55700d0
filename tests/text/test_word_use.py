"""How words are used, found from a few sentences."""

from backlink_audit.text.phrases import read_word_use

STOP = {"the", "a", "of", "we", "is", "to", "it"}
TEXTS = [
    "The open source table is big. A table, a chair. We love open source, the table and open source chairs.",
    "It provides a table. The shop provides the chairs. Nobody provides a lamp. A lamp, the lamp; a lamp.",
    *["Birds sing the whole morning long and rest in trees all night."] * 25,
]
USE = read_word_use(TEXTS, STOP)


def test_words_that_meet_far_more_often_than_by_chance_belong_together():
    assert USE.are_fixed("open", "source")
    assert not USE.are_fixed("a", "table")
    assert not USE.are_fixed("source", "table")


def test_a_verb_leads_on_and_a_thing_pauses():
    assert USE.is_verb_like("provide") and not USE.is_noun_like("provide")
    assert USE.is_noun_like("lamp") and not USE.is_verb_like("lamp")


def test_a_word_that_is_met_too_seldom_is_neither():
    assert not USE.is_verb_like("nobody") and not USE.is_noun_like("nobody")


def test_a_common_word_is_written_small_inside_sentences():
    use = read_word_use(["a table by the table of a table for Kendal"] * 3, STOP)
    assert use.is_common("table")
    assert not use.is_common("kendal")
