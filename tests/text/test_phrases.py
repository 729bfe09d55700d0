from backlink_audit.text.phrases import page_phrases


def test_punctuation_keeps_words_apart():
    assert "tents stoves" not in page_phrases("Tents, stoves", ["en"])
    assert "tents stoves" not in page_phrases("Tents - stoves", ["en"])
    assert "tents stoves" not in page_phrases("Tents\nstoves", ["en"])


def test_a_hyphen_inside_a_word_joins_its_parts():
    assert "camping stove" in page_phrases("camping-stove fuel", ["en"])


def test_stop_words_break_a_phrase():
    assert page_phrases("bags for the rain", ["en"]) == {"bags", "rain"}


def test_stop_words_are_those_of_the_language():
    assert page_phrases("der Sattel und die Tasche", ["de"]) == {"sattel", "tasche"}


def test_a_text_of_stop_words_has_no_phrases():
    assert page_phrases("about us and the", ["en"]) == set()


def test_numbers_alone_say_nothing():
    assert page_phrases("2024 12", ["en"]) == set()


def test_scripts_without_spaces_have_phrases_too():
    assert "自転" in page_phrases("自転車の旅", ["ja"])


def test_phrases_are_as_long_as_asked_for():
    assert page_phrases("waterproof bike panniers", ["en"], most=1) == {"waterproof", "bike", "panniers"}
    three = page_phrases("waterproof bike panniers, rear rack", ["en"], most=3)
    assert "waterproof bike panniers" in three and "bike panniers rear" not in three


def test_stop_words_of_the_page_and_of_the_site_are_left_out():
    assert page_phrases("der Sattel and the Tasche", ["de", "en"]) == {"sattel", "tasche"}
