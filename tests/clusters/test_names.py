import numpy as np

from backlink_audit.clusters.names import (
    Candidate,
    Name,
    Phrases,
    candidates,
    choose_names,
    tells_little,
)


def names(titles: list[set[str]], labels: list[int], fallbacks: list[str] | None = None) -> list[tuple[str, ...]]:
    groups = max(labels) + 1
    phrases = Phrases.of(titles, [set() for _ in titles])
    found = candidates(phrases, np.array(labels), groups)
    sizes = np.bincount(labels, minlength=groups).tolist()
    return [name.phrases for name in choose_names(found, sizes, fallbacks or [f"hub {n}" for n in range(groups)])]


def candidate(weight: float, *titled: int) -> Candidate:
    return Candidate(weight, frozenset(titled))


def test_a_group_is_named_by_what_only_it_has():
    titles = [{"tents", "gear"}, {"tents", "gear"}, {"stoves", "gear"}, {"stoves", "gear"}]
    assert names(titles, [0, 0, 1, 1]) == [("tents",), ("stoves",)]


def test_a_phrase_of_one_page_does_not_name_a_larger_group():
    titles = [{"tents", "hurricane"}, {"tents"}, {"tents"}, {"tents"}, {"stoves"}, {"stoves"}]
    assert names(titles, [0, 0, 0, 0, 1, 1])[0] == ("tents",)


def test_two_words_stand_for_each_of_them():
    titles = [{"camping", "stove", "camping stove"}] * 3 + [{"maps"}] * 3
    assert names(titles, [0, 0, 0, 1, 1, 1])[0] == ("camping stove",)


def test_forms_of_one_word_are_not_repeated():
    titles = [{"designer"}, {"designer"}, {"design"}, {"design"}, {"porch"}, {"porch"}] + [{"maps"}] * 3
    assert names(titles, [0] * 6 + [1] * 3)[0] in {("design", "porch"), ("designer", "porch")}


def test_a_further_phrase_is_in_titles_that_have_none_of_the_name():
    titles = [{"tents", "porch"}] * 3 + [{"pegs"}] * 2 + [{"maps"}] * 3
    assert names(titles, [0] * 5 + [1] * 3)[0] in {("tents", "pegs"), ("porch", "pegs")}


def test_a_further_phrase_of_one_title_is_enough_in_a_small_group_alone():
    small = [{"tents": candidate(1.0, 0, 1), "pegs": candidate(0.9, 2)}]
    assert choose_names(small, [3], [""]) == [Name(("tents", "pegs"), 3)]
    assert choose_names(small, [4], [""]) == [Name(("tents",), 2)]


def test_a_title_counts_more_than_the_text():
    phrases = Phrases.of([{"tents"}, {"tents"}, set()], [{"weather"}, {"weather"}, {"maps"}])
    own = candidates(phrases, np.array([0, 0, 1]), 2)[0]
    assert own["tents"].weight > own["weather"].weight
    assert own["tents"].titled == {0, 1} and not own["weather"].titled


def test_a_group_without_phrases_takes_its_hub():
    assert names([set(), set()], [0, 1], ["About", "Home"]) == [("About",), ("Home",)]


def test_one_group_alone_is_named():
    assert names([{"tents"}, {"tents"}], [0, 0]) == [("tents",)]


def test_a_word_on_nearly_all_pages_of_the_site_names_nothing():
    titles = [{"acme", "tents", "acme tents"}] * 6 + [{"acme", "stoves"}] * 5 + [{"stoves"}]
    found = candidates(Phrases.of(titles, [set()] * 12), np.array([0] * 6 + [1] * 6), 2)
    assert [set(own) for own in found] == [{"acme tents", "tents"}, {"stoves"}]


def test_on_a_site_of_few_pages_every_word_may_name_a_group():
    titles = [{"acme"}] * 5 + [{"oak"}]
    assert "acme" in candidates(Phrases.of(titles, [set()] * 6), np.array([0, 0, 0, 1, 1, 1]), 2)[0]


def test_a_group_whose_phrases_another_has_gets_one_of_its_own():
    weights = [{"tents": candidate(2), "storm": candidate(0.4)}, {"tents": candidate(2), "porch": candidate(0.4)}]
    assert [name.phrases for name in choose_names(weights, [5, 5], ["", ""])] == [("tents",), ("tents", "porch")]


def test_a_phrase_of_three_words_stands_for_those_in_it():
    weights = {"stove": candidate(1, 0), "gas stove": candidate(0.8, 0), "small gas stove": candidate(0.7)}
    assert choose_names([weights], [4], [""]) == [Name(("small gas stove",), 1)]


def test_a_name_that_few_titles_have_and_other_pages_say_as_well_tells_little():
    members = np.arange(20) < 10
    assert tells_little(Name(("tents",)), np.ones(20, dtype=bool), members)
    assert tells_little(Name(("tents",)), np.arange(20) < 5, members)
    assert not tells_little(Name(("tents",)), members, members)
    assert not tells_little(Name(("tents",), 2), np.ones(20, dtype=bool), members)
    assert not tells_little(Name(("tents",)), np.zeros(20, dtype=bool), np.ones(20, dtype=bool))


def test_a_word_of_many_other_pages_names_a_group_only_if_most_of_its_titles_have_it():
    bodies = [{"agency"}] * 9 + [set()] * 3
    titles = [{"agency"}, {"agency"}, {"oak"}, {"oak"}, {"oak"}, {"oak"}, *({"lamp"} for _ in range(6))]
    labels = np.array([0] * 6 + [1] * 6)
    assert "agency" not in candidates(Phrases.of(titles, bodies), labels, 2)[0]
    titles[2:4] = [{"agency", "oak"}] * 2
    assert "agency" in candidates(Phrases.of(titles, bodies), labels, 2)[0]
