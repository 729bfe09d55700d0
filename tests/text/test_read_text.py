"""A content's words, each with its place."""

import pytest

from backlink_audit.text.languages import words
from backlink_audit.text.sentences import read_text


@pytest.mark.parametrize(
    "text", ["Oil O’Brien's tables", "Straße und Maß", "東京のホテル SEO", "हिन्दी भाषा", "İstanbul'da çay", ""]
)
def test_words_and_places_are_those_of_the_text(text):
    read = read_text(text)
    assert read.words == words(text)
    assert len(read.starts) == len(read.ends) == len(read.words)
