"""Phrases that can name a thing, by how a site uses its words."""

from backlink_audit.text.phrases import noun_phrases, read_word_use

STOP = frozenset({"the", "a", "of", "we"})
SITE = [
    "We oil the garden table, the teak chair. We like the garden table. Oil the chair. We oil the table. A chair."
] * 2


def found(text):
    return set(noun_phrases(text, STOP, read_word_use([*SITE, text], STOP)))


def test_phrases_end_with_a_word_used_as_a_noun():
    assert {"garden table", "table"} <= found("The garden table is old.")
    assert not any(phrase.endswith(" is") for phrase in found("The garden table is old."))


def test_no_phrase_begins_with_a_verb_or_holds_a_small_word_or_a_number():
    assert found("We oil table. A chair of table. Table 7 chair.") & {"oil table", "chair of table", "7 chair"} == set()


def test_no_phrase_runs_across_a_comma():
    assert "teak table" not in found("Teak, table.")
