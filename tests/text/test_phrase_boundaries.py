"""Anchors end where phrases end, found from how the site uses its words."""

from dataclasses import replace

import pytest

from backlink_audit.text.anchor_places import NO_ANCHOR, Content, find_names
from backlink_audit.text.page_names import ExactNames, Rarity, read_target
from backlink_audit.text.phrases import read_word_use

STOP = {"the", "a", "of", "to", "and", "in", "we", "is", "more", "for", "at", "by", "with"}
SITE = [
    "We love open source software. The software is free, the source is open, the property is mine.",
    "Open source software provides a computed property. The writable property, the computed property.",
    "Nobody provides the software, and Sam provides a property; the listener, the event. More of the people.",
    "A component, the component, a listener for the component and the software of the people at the table.",
    "The shop has more people and more chairs. We read more of it, and more people by the sea read more in the agency.",
    *["The wind is in the trees and the birds and people sing at the sea all day and all night."] * 12,
]


def find(text, *titles, body="", others=()):
    use = read_word_use([*SITE, text], STOP)
    target = read_target(titles, others, {}, Rarity({}, STOP, {}, 100), body)
    return find_names(Content(text, stop=STOP, use=use), [target])[0]


def test_a_phrase_that_is_cut_out_of_a_longer_one_is_no_anchor():
    assert find("We use open source software daily.", "Source software for agencies") == NO_ANCHOR
    assert find("The component listener is new.", "Listener guide and tools") == NO_ANCHOR
    assert find("The source software is new.", "Source software for agencies").phrase == "source software"


def test_it_is_made_longer_where_the_target_says_the_longer_one_too():
    title, text = "Computed listeners in agencies", "The computed listener property is read first."
    assert find(text, title) == NO_ANCHOR
    found = find(text, title, body="What a computed listener property is.")
    assert found.phrase == "computed listener property"


def test_a_content_without_words_has_no_anchor():
    assert find("", "Teak tables") == find("...", "Teak tables") == NO_ANCHOR


def test_a_verb_beside_it_is_not_a_part_of_it():
    assert find("The computed listener provides a table.", "Computed listeners in agencies").phrase == (
        "computed listener"
    )


@pytest.mark.parametrize(
    ("text", "title", "phrase"),
    [
        ("Read the computed listeners chapter first.", "Computed listeners", "computed listeners"),
        ("Read the OTC debates first.", "OTC", ""),
        ("Read of the OTC in it.", "OTC", "OTC"),
        ("Wir lesen das Leinöl Buch in Kendal.", "Leinöl", ""),
        ("Wir lesen das Leinöl, in Kendal.", "Leinöl", "Leinöl"),
    ],
)
def test_what_a_name_of_one_word_stands_before_belongs_to_it(text, title, phrase):
    assert find(text, title).phrase == phrase


def test_a_title_of_one_common_word_is_a_part_of_what_it_stands_before():
    assert find("Read the listener chapter first.", "Listener") == NO_ANCHOR
    assert find("Read of the listener in it.", "Listener").phrase == "listener"


@pytest.mark.parametrize(
    ("text", "title", "phrase"),
    [
        ("It is the Oak Table Council (OTC) of Kendal.", "Oak Table Council and others", "Oak Table Council (OTC)"),
        ("It is the Big Oak Table Council (BOTC) here.", "Oak Table Council and others", ""),
        ("The Oak Table Council (OTC) is here.", "How the OTC works", ""),
        ("Its Oak Table Council (since 1990) is here.", "Oak Table Council and others", "Oak Table Council"),
    ],
)
def test_an_abbreviation_belongs_to_the_name_before_it(text, title, phrase):
    assert find(text, title).phrase == phrase


@pytest.mark.parametrize("text", ["It is at the Office of Oak Table Care now.", "The U.S. Oak Table Care is big."])
def test_the_beginning_of_a_name_belongs_to_it(text):
    often = "The Office of Trees is here. The Office of Birds is there. We like the Office of Wind."
    assert find(f"{text} {often}", "Oak Table Care and more") == NO_ANCHOR
    assert find(f"It is at the Shop of Oak Table Care now. {often}", "Oak Table Care and more").phrase


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Teak tables More people in the shop oil teak tables.", "More people in the shop oil teak tables."),
        ("Teak Tables People in the shop oil teak tables.", "People in the shop oil teak tables."),
    ],
)
def test_a_heading_that_runs_into_its_sentence_is_no_anchor(text, sentence):
    assert find(text, "Teak tables").sentence == sentence


def test_a_name_that_is_met_again_is_no_heading():
    sentence = "The Teak People of Kendal sell more teak tables."
    assert find(f"{sentence} We love the Teak People of Kendal.", "Teak tables").sentence == sentence


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("We love open source software.", "exact"),
        ("The open source software provides a table.", "exact"),
        ("We love open source software listeners.", "partial"),
        ("We love Acme open source software.", "partial"),
        ("We love Open Source Software listeners.", "exact"),
    ],
)
def test_words_are_an_exact_anchor_where_no_longer_phrase_holds_them(text, match):
    target = read_target(["Open source software"], (), {}, Rarity({}, STOP, {}, 100))
    whole = replace(target, exact=ExactNames({("open", "source", "software")}))
    content = Content(text, stop=STOP, use=read_word_use([*SITE, text], STOP))
    assert find_names(content, [whole])[0].match == match


def test_a_common_word_with_a_capital_begins_something_new():
    title = "How personal information people share is kept"
    assert (
        find("We ask for the personal information people share.", title).phrase == "personal information people share"
    )
    assert "People" not in find("Access to personal information People read of it by the sea.", title).phrase
