import numpy as np
import pytest

from backlink_audit.embedding.models import load_encoder
from backlink_audit.judgement.fields import (
    UNCLEAR,
    NamedTopics,
    Topics,
    cosine_spread,
    field_names,
    load_kind_phrases,
    load_topics,
    name_topics,
)
from backlink_audit.settings import LINKS_MODEL
from backlink_audit.text import FIRM
from backlink_audit.text.text_vectors import unit_rows


def test_the_taxonomy_is_wide_enough_and_every_topic_stands_once():
    topics = load_topics()
    assert len(topics) >= 250
    assert len(set(topics.fields)) >= 25
    assert len(set(topics.phrases)) == len(topics)
    assert all(phrase.strip() for phrase in topics.phrases)


def test_the_fields_of_link_spam_are_there_and_marked_risky():
    topics = load_topics()
    risky = set(topics.fields[topics.risky])
    assert {"Adult", "Gambling", "Pharmacy", "Loans", "Essay mills", "Counterfeit goods"} <= risky
    assert not risky & set(topics.fields[~topics.risky])
    assert UNCLEAR not in risky


def test_pages_without_a_subject_of_their_own_are_there_as_unclear():
    assert (load_topics().fields == UNCLEAR).sum() >= 20


def test_the_kinds_have_phrases_that_stand_once():
    kinds = load_kind_phrases()
    assert set(kinds) == {"domain_lists", "link_sellers"}
    phrases = [phrase for of_kind in kinds.values() for phrase in of_kind]
    assert len(set(phrases)) == len(phrases)


# --- what a page is about ---

TAXONOMY = Topics(
    ("oak tables", "sofas", "jazz", "opera", "slot machines", "member profiles"),
    np.array(["Home", "Home", "Music", "Music", "Gambling", "unclear"], dtype=object),
    np.array([False, False, False, False, True, False]),
)
DIRECTIONS = np.eye(7, dtype=np.float32)
HOME = unit_rows(DIRECTIONS[0] + 0.3 * DIRECTIONS[[1, 2]])
MUSIC = unit_rows(DIRECTIONS[3] + 0.3 * DIRECTIONS[[4, 5]])
TOPIC_VECTORS = np.vstack([HOME, MUSIC, unit_rows(DIRECTIONS[[6]] + 0.2 * DIRECTIONS[[3]]), DIRECTIONS[[1]]])
NOTHING_NEAR = unit_rows(TOPIC_VECTORS.sum(axis=0, keepdims=True))


def named(vectors: np.ndarray, words: int = 0) -> NamedTopics:
    bits = np.full(len(vectors), words, dtype=np.int64)
    spread = cosine_spread(TOPIC_VECTORS, TAXONOMY)
    return name_topics(vectors @ TOPIC_VECTORS.T, np.asarray(vectors.any(axis=1)), bits, spread, TAXONOMY)


def test_a_page_has_the_field_and_the_topic_it_is_nearest_to():
    found = named(TOPIC_VECTORS[[0, 3]])
    assert found.field.tolist() == ["Home", "Music"]
    assert found.topic.tolist() == ["oak tables", "opera"]
    assert (found.clarity > 0.5).all()


def test_a_page_between_two_topics_of_a_field_is_about_the_field_in_general(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("backlink_audit.judgement.fields.LEAST_TOPIC_SHARE", 0.6)
    found = named(unit_rows(TOPIC_VECTORS[[0]] + TOPIC_VECTORS[[1]]))
    assert (found.field.tolist(), found.topic.tolist()) == (["Home"], ["Home in general"])


def test_a_page_as_near_to_everything_is_unclear(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("backlink_audit.judgement.fields.LEAST_CLARITY", 0.6)
    found = named(NOTHING_NEAR)
    assert (found.field.tolist(), found.topic.tolist()) == ([UNCLEAR], [UNCLEAR])
    assert 0 < found.clarity[0] < 0.6


def test_a_page_without_a_subject_of_its_own_is_unclear_however_clear_that_is():
    found = named(TOPIC_VECTORS[[5]])
    assert found.field.tolist() == [UNCLEAR]
    assert found.clarity[0] > 0.5


def test_a_page_without_text_is_blank():
    found = named(np.vstack([np.zeros(7, np.float32), TOPIC_VECTORS[0]]))
    assert found.field.tolist() == ["", "Home"]
    assert found.topic.tolist() == ["", "oak tables"]
    assert np.isnan(found.clarity[0])


@pytest.mark.parametrize(("least", "field"), [(0.0, "Gambling"), (1.1, UNCLEAR)])
def test_a_field_that_accuses_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch, least: float, field: str):
    monkeypatch.setattr("backlink_audit.judgement.fields.LEAST_CLARITY_TO_ACCUSE", least)
    found = named(TOPIC_VECTORS[[4, 0]])
    assert found.field.tolist() == [field, "Home"]


def named_with(vectors: np.ndarray, *fields: str, firm: bool = False) -> list[str]:
    bits = sum(1 << field_names(TAXONOMY).tolist().index(field) for field in fields) + FIRM * firm
    return named(vectors, bits).field.tolist()


def test_field_words_name_the_field_where_the_model_knows_none():
    assert named_with(TOPIC_VECTORS[[5]], "Music") == ["Music"]  # a profile, as far as the model sees


def test_field_words_of_two_fields_leave_the_choice_to_the_model():
    assert named_with(TOPIC_VECTORS[[4]], "Music", "Gambling") == ["Gambling"]
    assert named_with(TOPIC_VECTORS[[3]], "Music", "Gambling") == ["Music"]


def test_what_the_model_sees_clearly_outweighs_a_word():
    assert named_with(TOPIC_VECTORS[[0]], "Music") == ["Home"]


def test_several_words_outweigh_what_the_model_sees_unless_it_is_very_clear(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("backlink_audit.judgement.fields.MOST_AGAINST_FIRM_WORDS", 1.1)
    assert named_with(TOPIC_VECTORS[[0]], "Music", firm=True) == ["Music"]
    assert named_with(TOPIC_VECTORS[[0]], "Gambling", firm=True) == ["Gambling"]
    monkeypatch.setattr("backlink_audit.judgement.fields.MOST_AGAINST_FIRM_WORDS", 0.0)
    assert named_with(TOPIC_VECTORS[[0]], "Music", firm=True) == ["Home"]


def test_a_word_that_accuses_needs_more_than_one_that_does_not(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("backlink_audit.judgement.fields.LEAST_CLARITY", 0.0)
    monkeypatch.setattr("backlink_audit.judgement.fields.MOST_AGAINST_WORDS", 1.1)
    assert named_with(TOPIC_VECTORS[[0]], "Music") == ["Music"]
    assert named_with(TOPIC_VECTORS[[0]], "Gambling") == ["Home"]


def test_a_model_whose_cosines_are_all_high_names_the_same():
    """Limits are in units of the model's own spread: squeezing all cosines together changes nothing."""
    vectors = np.random.default_rng(5).standard_normal((50, 7))
    cosines = unit_rows(vectors) @ TOPIC_VECTORS.T
    spread = cosine_spread(TOPIC_VECTORS, TAXONOMY)
    yes = np.ones(50, dtype=bool)
    no_words = np.zeros(50, dtype=np.int64)
    wide = name_topics(cosines, yes, no_words, spread, TAXONOMY)
    narrow = name_topics(0.8 + 0.1 * cosines, yes, no_words, 0.1 * spread, TAXONOMY)
    assert wide.field.tolist() == narrow.field.tolist()
    assert wide.topic.tolist() == narrow.topic.tolist()
    np.testing.assert_allclose(wide.clarity, narrow.clarity, atol=1e-4)
    assert len(set(wide.field)) > 2


def test_no_rows_give_no_topics():
    found = named(np.empty((0, 7), np.float32))
    assert (len(found.field), len(found.topic), len(found.clarity)) == (0, 0, 0)


TITLES = {
    "How to bake sourdough bread at home": {"Food and drink"},
    "Ten puppy training tips for new dog owners": {"Pets and animals"},
    "Django tutorial: build your first web application in Python": {"Software and programming"},
    "The best hiking trails and huts in the Dolomites": {"Outdoor and sport", "Travel"},
    "Divorce lawyers in Chicago | Miller & Stone": {"Law"},
    "Violin concertos played by the city orchestra": {"Music"},
    "Wheat harvest and tractor prices this autumn": {"Agriculture"},
    "Online casino: 200 free spins and a welcome bonus": {"Gambling"},
    "Buy replica Rolex watches, cheap": {"Counterfeit goods"},
    "Member profile - our forum": {UNCLEAR},
    "Business directory - list of websites, page 12": {UNCLEAR},
    "Recetas fáciles para la cena de toda la familia": {"Food and drink"},
    "Die besten Wanderwege für Familien in den Alpen": {"Outdoor and sport", "unclear"},
    "株式市場の最新ニュース": {"Finance and banking"},
}


@pytest.mark.model
def test_the_real_model_names_the_fields_of_plain_titles():
    encoder, topics = load_encoder(LINKS_MODEL), load_topics()
    titles, phrases = list(TITLES), encoder.encode(list(topics.phrases))
    yes, no_words = np.ones(len(titles), dtype=bool), np.zeros(len(titles), dtype=np.int64)
    found = name_topics(encoder.encode(titles) @ phrases.T, yes, no_words, cosine_spread(phrases, topics), topics)
    wrong = {title: field for title, field in zip(titles, found.field, strict=True) if field not in TITLES[title]}
    assert wrong == {}
