from dataclasses import replace

import pytest

from backlink_audit.text.anchor_places import NO_ANCHOR, Content, find_names
from backlink_audit.text.page_names import ExactNames, Rarity, read_target

STOP = {"the", "a", "of", "to", "how", "in", "and", "it", "what", "we", "about", "for"}


def find(text, *titles, taken=(), own=(), others=(), pages_with=None, pages=100):
    rarity = Rarity({}, STOP, pages_with or {}, pages)
    return find_names(Content(text, taken, own, stop=STOP), [read_target(titles, others, {}, rarity)])[0]


def test_the_anchor_stands_in_the_sentence_and_the_sentence_in_the_content():
    text = "We sell beds. Before winter, learn to oil a Teak table in an hour. Then rest."
    anchor = find(text, "How to oil a teak table")
    assert anchor.phrase == "oil a Teak table"
    assert anchor.sentence == "Before winter, learn to oil a Teak table in an hour."
    assert anchor.sentence in text


def test_the_longest_phrase_of_title_or_heading_wins():
    text = "A teak table is nice. Garden furniture covers keep it dry."
    assert find(text, "Teak table", "Garden furniture covers").phrase == "Garden furniture covers"


def test_a_phrase_never_crosses_sentences():
    common = {"teak": 90, "table": 90}
    assert find("We love teak. Table legs are round.", "Teak table", pages_with=common) == NO_ANCHOR


def test_stop_words_alone_are_no_anchor():
    assert find("This is how to go to the sea.", "How to") == NO_ANCHOR


def test_a_common_word_alone_is_no_anchor_but_a_rare_one_is():
    common, rare = {"furniture": 80}, {"furniture": 2}
    assert find("Our furniture is old.", "Furniture", pages_with=common) == NO_ANCHOR
    assert find("Our furniture is old.", "Furniture", pages_with=rare).phrase == "furniture"


@pytest.mark.parametrize(
    "text",
    [
        "See [our teak table](https://a.example/teak-table) for more.",
        "See [our teak table][9] for more.",
        "See https://a.example/teak-table for more.",
        "Teak table\nThis page is about wood.",
    ],
)
def test_links_addresses_and_headings_are_left_alone(text):
    assert find(text, "Teak table") == NO_ANCHOR


def test_the_name_of_a_site_is_an_address_and_no_anchor():
    assert find("The site analytics.usa.gov shows visits.", "analytics.usa.gov: new features") == NO_ANCHOR
    assert find("Ask FEC.gov about it.", "The new FEC.gov") == NO_ANCHOR
    assert find("Learn Node.js today.", "Node.js").phrase == "Node.js"


def test_words_linked_already_are_left_alone_and_the_next_place_is_taken():
    text = "Our big teak table is oiled. Every teak table wants care."
    assert find(text, "Teak table", taken=["our big teak table"]).sentence == "Every teak table wants care."


def test_an_endless_sentence_is_cut_between_words_around_the_anchor():
    text = "word " * 300 + "teak table " + "word " * 300
    anchor = find(text, "Teak table")
    assert len(anchor.sentence) <= 320
    assert anchor.sentence in text
    assert anchor.phrase in anchor.sentence
    assert set(anchor.sentence.split()) == {"word", "teak", "table"}


def test_a_sentence_begins_with_a_letter_so_that_no_spreadsheet_runs_it():
    anchor = find("- Oil your teak table twice a year;\n- and rest.", "Teak table")
    assert anchor.sentence.startswith("Oil your")


def test_abbreviations_do_not_end_a_sentence():
    assert find("The U.S. Digital Service hires.", "U.S. Digital Service").phrase == "U.S. Digital Service"


def test_japanese_phrases_are_found_without_spaces():
    text = "週末は東京のホテル予約がおすすめです。温泉もあります。"
    anchor = find(text, "東京のホテル予約")
    assert anchor.phrase == "東京のホテル予約"
    assert anchor.sentence == "週末は東京のホテル予約がおすすめです。"


def test_a_single_word_of_a_longer_title_must_be_a_name():
    assert find("The whole team loved it.", "What we loved about it") == NO_ANCHOR
    assert find("Ask the FEC about it.", "The new FEC").phrase == "FEC"
    assert find("We met Kubernetes there.", "How to Kubernetes").phrase == "Kubernetes"
    assert find("Kubernetes is big.", "How to Kubernetes") == NO_ANCHOR


def test_words_that_hang_together_stay_together():
    assert find("The site analytics.usa.gov shows visits.", "Analytics USA") == NO_ANCHOR


def test_no_phrase_runs_across_quotes_or_brackets():
    assert find("They hack “bad” tables (teak) daily.", "Bad tables teak") == NO_ANCHOR


@pytest.mark.parametrize(
    "text",
    [
        "Read the Third-Party Management Policy first.",
        "Read the Central Party Management Policy first.",
        "Read the Party Management Policy Handbook first.",
    ],
)
def test_a_part_of_a_longer_name_is_no_anchor(text):
    assert find(text, "Party Management Policy") == NO_ANCHOR
    assert (
        find("Read the Party Management Policy first.", "Party Management Policy").phrase == "Party Management Policy"
    )


def test_a_phrase_that_leads_on_to_what_it_owns_is_no_anchor():
    assert find("Wipe the teak table's legs.", "Teak table") == NO_ANCHOR


def test_the_name_of_the_source_itself_is_no_anchor():
    assert find("Every teak table wants oil.", "Teak table care", own=["Our teak table"]) == NO_ANCHOR


def test_words_of_the_title_are_found_in_another_order_and_number():
    text = "We joined the Agile Delivery Services marketplace last year."
    assert find(text, "A marketplace for agile delivery service").phrase == "Agile Delivery Services marketplace"


def test_a_section_of_the_target_is_a_name_of_it_but_only_whole():
    others = ["Deep watchers", "computed()"]
    assert find("You may want deep watchers here.", "Reactivity in depth", others=others).phrase == "deep watchers"
    assert find("You may want watchers here.", "Reactivity in depth", others=others) == NO_ANCHOR
    assert find("The computed() call caches.", "Core", others=others).phrase == "computed()"
    assert find("The recomputed() call caches.", "Core", others=others) == NO_ANCHOR


def test_one_place_holds_one_link_that_of_the_page_it_names_best():
    rarity = Rarity({}, STOP, {}, 100)
    targets = [read_target([title], (), {}, rarity) for title in ("Oak tables and garden chairs", "Garden chairs")]
    found = find_names(Content("Oil your garden chairs. Then sit.", stop=STOP), targets)
    assert [anchor.phrase for anchor in found] == ["", "garden chairs"]


def test_a_phrase_never_crosses_lines_or_dashes():
    assert find("They love teak\ntable legs are round and nice.", "Teak table") == NO_ANCHOR
    assert find("They love teak - table legs are round.", "Teak table") == NO_ANCHOR


def test_the_sentence_about_the_target_is_chosen_of_two():
    rarity = Rarity({}, STOP, {}, 100)
    target = read_target(["Garden chairs"], (), {"oil": 3.0, "teak": 3.0}, rarity)
    text = "Sam sold garden chairs. With teak oil the garden chairs last."
    assert find_names(Content(text, stop=STOP), [target])[0].sentence == "With teak oil the garden chairs last."


@pytest.mark.parametrize("text", ["Set a table in teak first.", "Read teak_table twice."])
def test_words_of_a_title_are_joined_by_its_own_small_words_alone(text):
    assert find(text, "Teak table") == NO_ANCHOR
    assert find("Take care of the table.", "Care of the table").phrase == "care of the table"


def test_a_name_in_code_is_linked_whole_and_a_word_twice_only_once():
    text = "The attributes stand in $attrs of the page. Mind in in-DOM templates what browsers do."
    rarity = Rarity({}, frozenset({"in"}), {}, 50)
    content = Content(text, stop={"in"})
    found = find_names(content, [read_target([], [name], {}, rarity) for name in ("$attrs", "in-DOM templates")])
    assert [anchor.phrase for anchor in found] == ["$attrs", "in-DOM templates"]


def test_one_word_of_a_heading_is_no_anchor_unless_it_is_a_name():
    rarity = Rarity({}, frozenset(), {}, 50)
    content = Content("These restrictions hold for Kubernetes too.")
    found = find_names(content, [read_target([], [name], {}, rarity) for name in ("Restrictions", "Kubernetes")])
    assert [anchor.phrase for anchor in found] == ["", "Kubernetes"]


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("Read “How to oil a teak table” first.", "How to oil a teak table"),
        ('Read "How to oil a teak table," then rest.', "How to oil a teak table"),
        ("Read “To oil a teak table by hand” first.", ""),
        (
            "She said: “Nobody here has the time to oil a teak table, not today and not this winter.”",
            "oil a teak table",
        ),
    ],
)
def test_a_quoted_title_is_linked_whole_or_not_at_all(text, anchor):
    assert find(text, "How to oil a teak table").phrase == anchor


def test_a_common_word_is_an_anchor_for_the_page_that_says_it_most_in_a_sentence_about_it():
    rarity = Rarity({}, STOP, {"slots": 80}, 100)
    target = read_target(["Slots"], (), {"content": 3.0, "fallback": 3.0}, rarity, leading={"slot"})
    assert find_names(Content("The slots show fallback content.", stop=STOP), [target])[0].phrase == "slots"
    assert find_names(Content("The slots are full.", stop=STOP), [target]) == [NO_ANCHOR]
    assert find_names(
        Content("The slots show fallback content.", stop=STOP), [read_target(["Slots"], (), {}, rarity)]
    ) == [NO_ANCHOR]


def test_less_of_a_title_is_enough_where_the_pages_are_close():
    target = read_target(["Oil, wax and varnish for teak garden tables"], (), {}, Rarity({}, STOP, {}, 100))
    content = Content("Every teak table wants care.", stop=STOP)
    assert find_names(content, [target]) == [NO_ANCHOR]
    assert find_names(content, [replace(target, close=True)])[0].phrase == "teak table"


@pytest.mark.parametrize(
    "text",
    [
        "Why do you oil a teak table?",
        "¿Por qué oil a teak table?",
        "Oil a teak table : it lasts for years.",
        "“Oil a teak table”.",
        "It sets oil a teak table. when the code runs.",
        "Oil a teak table “I have oiled it for years.”",
        "How we oil a teak table ---------- We oil it twice.",
        "We oil. Why oil a teak table every year ---------- It lasts.",
    ],
)
def test_questions_labels_and_code_are_no_place_for_a_link(text):
    assert find(text, "Oil a teak table") == NO_ANCHOR


def test_a_quoted_title_of_too_many_words_is_not_cut_short():
    title = "How to sand and wipe and oil and wax a garden table in winter"
    assert find(f"Read “{title}” first.", title) == NO_ANCHOR


def test_the_place_of_a_whole_name_is_taken_before_one_with_more_of_the_title():
    target = read_target(["Oil for teak tables"], (), {}, Rarity({}, STOP, {}, 100))
    target = replace(target, exact=ExactNames({("teak", "table")}))
    found = find_names(Content("Teak tables oil is here. A teak table too.", stop=STOP), [target])[0]
    assert (found.phrase, found.match) == ("teak table", "exact")
    assert found.sentence[found.at :].startswith("teak table")
    part = find_names(Content("A teak table too.", stop=STOP), [replace(target, exact=ExactNames({("table",)}))])[0]
    assert (part.phrase, part.match) == ("teak table", "partial")


def test_words_of_a_title_that_stand_side_by_side_the_other_way_round_are_another_thing_unless_they_are_all_of_it():
    assert find("We are writing guides for it.", "A guide to the writing lab") == NO_ANCHOR
    assert find("We love the writing lab guide.", "A guide to the writing lab").phrase == "writing lab guide"


def test_a_word_that_a_sign_joins_to_others_in_a_title_is_no_name_of_the_page_alone():
    assert find("Ask the FEC about it.", "The new FEC.gov") == NO_ANCHOR


@pytest.mark.parametrize(
    "text", ["Install csi-driver-spiffe first.", "Ask in #csi-driver about it.", "See my/csi-driver."]
)
def test_a_name_with_a_hyphen_is_no_anchor_inside_a_longer_one(text):
    assert find(text, "csi-driver") == NO_ANCHOR
    assert find("Install csi-driver first.", "csi-driver").phrase == "csi-driver"


@pytest.mark.parametrize("text", ["Run kubectl apply --dry-run now.", "Run `kubectl apply -f page` now."])
def test_a_part_of_a_command_is_no_anchor(text):
    assert find(text, "Kubectl apply") == NO_ANCHOR
    assert find("Run `kubectl apply` now.", "Kubectl apply").phrase == "kubectl apply"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (
            "We like it.\n[teak]: https://a.example/oak All about a teak table, as we said.",
            "[teak]: https://a.example/oak",
        ),
        ("Read more.\n- [Oak](/oak) compares oak and the teak table, as we said.", "[Oak](/oak)"),
    ],
)
def test_nothing_is_linked_in_a_reference_or_in_a_list_of_links(text, link):
    assert find(text, "Teak table") == NO_ANCHOR
    assert find(text.replace(link, "This"), "Teak table").phrase == "teak table"


def test_a_list_of_links_is_known_by_the_words_that_are_linked():
    text = "Read more here, and come back.\n- Oak boards compares oak and the teak table, as we said."
    assert find(text, "Teak table", taken=["Oak boards"]) == NO_ANCHOR
    assert find(text, "Teak table").phrase == "teak table"


def test_a_whole_name_keeps_its_small_word_at_the_end_where_it_is_said():
    rarity = Rarity({}, STOP | {"act"}, {}, 100)
    target = read_target(["Connected Tables Act"], [], {}, rarity)
    said = "We follow the Connected Tables Act since May."
    assert find_names(Content(said, stop=rarity.stop), [target])[0].phrase == "Connected Tables Act"


def test_what_the_target_is_called_may_stand_in_the_longer_name_of_the_source():
    rarity = Rarity({}, STOP, {}, 100)
    target = replace(read_target(["Teak oil"], [], {}, rarity), exact=ExactNames(frozenset({("teak", "oil")})))
    for own, phrase in (("Our teak oil toolkit", "teak oil"), ("The teak oil", "")):
        content = Content("Every table wants teak oil in May.", own=[own], stop=STOP | {"our"})
        assert find_names(content, [target])[0].phrase == phrase


def test_a_name_in_a_longer_title_or_before_its_rest_is_known():
    for text, words, is_in in (
        ("We read Controls for Web Kits often.", "Web Kits", True),
        ("We read about Web Kits often.", "Web Kits", False),
        ("The Web Kits (WK) Museum is open.", "Web Kits", True),
        ("The Web Kits (WK) are open.", "Web Kits", False),
    ):
        content = Content(text, stop=STOP)
        first = next(n for n, (start, _) in enumerate(content.spans) if text[start:].startswith(words))
        assert content.is_in_a_title(first, first + 1) is is_in
