from backlink_audit.text.phrases import WholePhrases

FILLER = "the table and the chair are made by the hands of those who like the smell of wood " * 30


def whole(phrase: str, titles: list[str], bodies: list[str], most: int = 4, brand: frozenset[str] = frozenset()) -> str:
    return WholePhrases.of(titles, bodies, brand).find(phrase, range(len(titles)), most)


def test_a_word_that_belongs_to_a_phrase_is_added_on_both_sides():
    bodies = [FILLER + f"{verb} open source code." for verb in ("Use", "Write", "Read")]
    assert whole("source", ["Open source code"] * 3, bodies) == "Open source code"


def test_small_words_are_too_frequent_to_belong_to_a_phrase():
    assert whole("chair", ["Chairs"] * 3, [FILLER] * 3) == "Chairs"


def test_a_phrase_grows_no_longer_than_asked():
    bodies = [FILLER + "Open source code."] * 3
    assert whole("source", ["Open source code"] * 3, bodies, most=1) == "source"
    assert len(whole("source", ["Open source code"] * 3, bodies, most=2).split()) == 2


def test_a_word_beside_half_of_the_places_alone_is_none_of_the_phrase():
    bodies = [FILLER + "A green bench, a red bench, a bench."] * 3
    assert whole("bench", ["Benches", "Bench", "Bench"], bodies) == "Bench"


def test_brands_and_numbers_are_never_added():
    bodies = [FILLER + "Acme bench 2024"] * 3
    assert whole("bench", ["Bench"] * 3, bodies, brand=frozenset({"acme"})) == "Bench"


def test_a_phrase_keeps_its_hyphen_and_capitals_as_titles_have_them():
    assert whole("micro purchase", ["Micro-purchases"] * 2, [""] * 2) == "Micro-purchases"
    assert whole("fec", ["Elections"] * 2, ["FEC data", "FEC"]) == "FEC"


def test_words_at_the_end_of_a_line_and_after_a_comma_belong_to_nothing():
    bodies = [FILLER + "carved\nbench, polished"] * 3
    assert whole("bench", ["Bench"] * 3, bodies) == "Bench"
    assert whole("bench polished", ["Bench"] * 3, bodies) == "bench polished"


def test_a_phrase_that_no_page_says_is_returned_as_it_is():
    assert whole("stove", ["Tents"], ["Tents"]) == "stove"
