import pytest

from backlink_audit.text.languages import stop_words, word_spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Über uns: Möbel & Wärme", ["über", "uns", "möbel", "wärme"]),
        ("Ελληνικά νησιά", ["ελληνικά", "νησιά"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("don't stop", ["dont", "stop"]),
        ("", []),
    ],
)
def test_words_of_any_script_are_kept_whole(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize("text", ["東京のホテル予約", "北京大学图书馆", "โรงแรมในกรุงเทพ"])
def test_scripts_without_spaces_are_read_in_pairs_of_characters(text):
    assert all(len(word) == 2 for word in words(text))
    assert len(words(text)) == len(text) - 1


def test_spans_point_at_the_words_as_they_are_written():
    text = "Die Straße nach Łódź"
    assert [text[start:end] for _, start, end in word_spans(text)] == ["Die", "Straße", "nach", "Łódź"]


def test_stop_words_are_written_as_words_are():
    assert {"the", "dont"} <= stop_words("en")
    assert "der" in stop_words("de")
    assert stop_words("xx") == frozenset()
