"""What the app and the terminal say, in words that everybody knows."""

from tests import sentences


def test_no_sentence_uses_words_that_readers_stumble_over():
    found = [
        f"{path.name}:{line}: {words}"
        for path in sentences.modules()
        for line, words in sentences.sentences(path)
        if any(quaint in words.lower() for quaint in sentences.QUAINT)
    ]
    assert not found


def test_sentences_are_found_in_pages_commands_and_words_of_their_own(tmp_path):
    code = tmp_path / "page.py"
    lines = ['"""Not shown."""', 'st.title("Gap")', 'st.info(f"No {noun}s match.")', 'key = "url_rating"']
    code.write_text("\n".join(lines), encoding="utf-8")
    assert list(sentences.sentences(code)) == [(2, "Gap"), (3, "No {…}s match.")]
