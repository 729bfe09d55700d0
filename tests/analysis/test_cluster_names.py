import numpy as np

from backlink_audit.analysis.cluster_names import Phrases, candidates, choose_names


def names(titles: list[set[str]], labels: list[int], fallbacks: list[str] | None = None) -> list[tuple[str, ...]]:
    groups = max(labels) + 1
    phrases = Phrases.of(titles, [set() for _ in titles])
    return choose_names(candidates(phrases, np.array(labels), groups), fallbacks or [f"hub {n}" for n in range(groups)])


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
    titles = [{"tent", "tents", "porch"}] * 3 + [{"maps"}] * 3
    assert len(names(titles, [0, 0, 0, 1, 1, 1])[0]) == 2


def test_a_title_counts_more_than_the_text():
    phrases = Phrases.of([{"tents"}, {"tents"}, set()], [{"weather"}, {"weather"}, {"maps"}])
    own = candidates(phrases, np.array([0, 0, 1]), 2)[0]
    assert own["tents"] > own["weather"]


def test_a_group_without_phrases_takes_its_hub():
    assert names([set(), set()], [0, 1], ["About", "Home"]) == [("About",), ("Home",)]


def test_one_group_alone_is_named():
    assert names([{"tents"}, {"tents"}], [0, 0]) == [("tents",)]
