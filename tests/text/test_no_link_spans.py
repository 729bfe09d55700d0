from backlink_audit.text.sentences import no_link_spans, repeated_spans, section_headings, without_repeats


def closed(text, taken=()):
    return [text[start:end] for start, end in no_link_spans(text, taken)]


def test_short_lines_without_an_end_are_headings():
    assert closed("Teak care\nTeak wants oil twice a year.") == ["Teak care"]


def test_content_of_one_line_has_no_headings_to_be_known_by_length():
    assert closed("Teak care Teak wants oil") == []


def test_given_texts_are_closed_as_whole_words():
    assert closed("The teak table and a teak tablet.", ["Teak table"]) == ["teak table"]


def test_what_stands_on_many_pages_is_a_menu():
    menu = "Home Tables Chairs Beds About us Contact"
    bodies = [f"{menu} Page {number} is about wood of kind {number * 7}." for number in range(6)]
    assert [
        [body[start:end] for start, end in spans] for body, spans in zip(bodies, repeated_spans(bodies), strict=True)
    ] == [[f"{menu} Page"] for _ in bodies]
    assert repeated_spans(bodies[:3]) == [[], [], []]


def test_texts_without_their_menu_keep_what_is_their_own():
    menu = "Home Tables Chairs Beds About us Contact"
    words = ["alder", "birch", "cedar", "fir", "oak", "teak"]
    assert without_repeats([f"{menu} {word} boards" for word in words]) == [f"{word} boards" for word in words]
    assert without_repeats([menu] * 6) == [menu] * 6


def test_entries_of_a_list_are_no_headings():
    text = "Care\nOil the wood now.\n- one\n- two\nStorage\nKeep it dry always."
    assert section_headings(text) == ["Care", "Storage"]
