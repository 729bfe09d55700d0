from dataclasses import fields

import numpy as np
import pytest

from backlink_audit.analysis.relevance import PAGE_HANDICAP, Chance, Comparison, bands, compare, relevance
from backlink_audit.analysis.topics import Topics
from backlink_audit.errors import Cancelled
from backlink_audit.progress import silent
from backlink_audit.settings import BandLimits


class Given:
    """A side of every link with vectors given by hand; a row of zeros has no text."""

    def __init__(self, *rows):
        table = np.array(rows, dtype=np.float32)
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        self.rows = table / np.where(lengths > 0, lengths, 1)

    def __len__(self):
        return len(self.rows)

    def has_text(self, start, stop):
        return self.rows[start:stop].any(axis=1)

    def unit_vectors(self, start, stop):
        return self.rows[start:stop]


def chance(topics, fields, names=()):
    phrases = tuple(f"topic {place}" for place in range(len(fields)))
    named = Topics(phrases, np.array(fields, dtype=object), np.zeros(len(fields), bool))
    return Chance(Given(*topics, *names).rows, named)


EAST, NORTH, UP, NOTHING = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)
AXES = chance([EAST, NORTH, UP, (1, 1, 0)], ["east", "north", "up", "mixed"])


def one(referring, page, site=None, against=AXES, anchor=None):
    return compare(
        Given(referring),
        [Given(page)],
        None if site is None else Given(site),
        against,
        None if anchor is None else Given(anchor),
    )


def test_similarity_is_the_cosine_with_the_nearer_of_page_and_site():
    referring = Given(EAST, EAST, EAST)
    found = compare(referring, [Given(NORTH, (1, 1, 0), NOTHING)], Given((1, 1, 0), UP, EAST), AXES)
    np.testing.assert_allclose(found.similarity, [np.sqrt(0.5), np.sqrt(0.5), 1], atol=1e-6)


def test_several_texts_of_the_target_page_compete_too():
    found = compare(Given(EAST), [Given(NORTH), Given((1, 1, 0))], None, AXES)
    np.testing.assert_allclose(found.similarity, [np.sqrt(0.5)], atol=1e-6)


@pytest.mark.parametrize(("referring", "target"), [(NOTHING, EAST), (EAST, NOTHING), (NOTHING, NOTHING)])
def test_a_side_without_text_leaves_everything_blank(referring, target):
    found = one(referring, target, site=target)
    assert np.isnan([found.similarity[0], found.beaten[0], found.standing[0]]).all()
    sure = relevance(found.standing, np.zeros(1), np.zeros(1), np.array([True]))
    assert np.isnan(sure).all()
    assert bands(sure, BandLimits()).tolist() == [""]


def test_the_topic_is_what_the_referring_page_is_about_and_blank_without_a_text():
    found = compare(Given((0.1, 1, 0), NOTHING), [Given(NORTH, NORTH)], None, AXES)
    assert found.field.tolist() == ["north", ""]
    assert found.topic.tolist() == ["topic 1", ""]
    assert found.own_field.tolist() == [True, False]


def test_a_field_that_the_target_is_not_about_is_not_its_own():
    against = chance(np.eye(5) + np.diag([0.3] * 4, 1), list("abcde"))
    found = compare(Given(*np.eye(5)), [Given(*[(5, 4, 3, 1, 1)] * 5)], None, against)
    assert found.own_field.tolist() == [True, True, True, False, False]


def test_a_text_in_a_language_that_the_model_does_not_know_is_unclear(monkeypatch):
    monkeypatch.setattr("backlink_audit.analysis.topics.LEAST_CLARITY_OF_FOREIGN", 1.1)
    found = compare(Given(NORTH, NORTH), [Given(NORTH, NORTH)], None, AXES, known=np.array([True, False]))
    assert found.field.tolist() == ["north", "unclear"]
    assert found.own_field.tolist() == [True, False]


def random_chance(rng, topics=40, names=0):
    return chance(
        rng.standard_normal((topics, 8)),
        [f"field {place % 10}" for place in range(topics)],
        rng.standard_normal((names, 8)),
    )


def test_chance_is_what_unrelated_subjects_come_to_on_either_end():
    rng = np.random.default_rng(1)
    against = random_chance(rng, names=5)
    referring, target = rng.standard_normal((30, 8)), rng.standard_normal((30, 8))
    found = compare(Given(*referring), [Given(*target)], None, against)
    for row in range(30):
        here, there = Given(referring[row]).rows[0], Given(target[row]).rows[0]
        near = {against.topics.fields[place] for place in np.argsort(-(against.vectors[:40] @ there))[:3]}
        unrelated = [
            vector
            for place, vector in enumerate(against.vectors)
            if place >= 40 or against.topics.fields[place] not in near
        ]
        by_chance = np.array([max(vector @ here, vector @ there) for vector in unrelated])
        assert found.beaten[row] == pytest.approx(100 * np.mean(by_chance < here @ there))
        assert found.standing[row] == pytest.approx((here @ there - by_chance.mean()) / by_chance.std(), rel=1e-4)


def test_one_page_must_stand_out_more_than_a_whole_site():
    rng = np.random.default_rng(2)
    against = random_chance(rng)
    here, there = rng.standard_normal(8), rng.standard_normal(8)
    nothing = np.zeros(8)
    by_page, by_site = one(here, there, nothing, against), one(here, nothing, there, against)
    assert by_site.standing[0] - by_page.standing[0] == pytest.approx(PAGE_HANDICAP)
    assert by_site.similarity[0] == by_page.similarity[0]
    assert one(here, there, None, against).standing[0] == by_site.standing[0]


def test_standing_is_the_same_whatever_the_scale_of_a_model_s_cosines():
    rng = np.random.default_rng(3)
    against, here, there = random_chance(rng), rng.standard_normal(8), rng.standard_normal(8)

    def crowded(vectors):  # a model to which everything is alike: one direction that all texts share
        return np.column_stack([Given(*np.atleast_2d(vectors)).rows, np.full(len(np.atleast_2d(vectors)), 3)])

    shared = chance(crowded(against.vectors), against.topics.fields)
    narrow, wide = one(crowded(here)[0], crowded(there)[0], None, shared), one(here, there, None, against)
    assert narrow.similarity[0] > 0.8
    assert narrow.standing[0] == pytest.approx(wide.standing[0], rel=1e-3)


def test_identical_ends_beat_everything():
    rng = np.random.default_rng(2)
    side = Given(*rng.standard_normal((4, 8)))
    found = compare(side, [side], None, chance(rng.standard_normal((20, 8)), [str(place) for place in range(20)]))
    assert found.beaten.tolist() == [100.0] * 4


def test_an_anchor_changes_its_own_fit_alone():
    fitting, other = one(EAST, (1, 1, 0), NORTH, anchor=(1, 1, 0)), one(EAST, (1, 1, 0), NORTH, anchor=UP)
    assert fitting.anchor_fit[0] == pytest.approx(1)
    assert other.anchor_fit[0] == pytest.approx(0)
    for name in ("similarity", "beaten", "standing", "field"):
        assert getattr(fitting, name) == getattr(other, name)


def test_an_anchor_to_a_page_without_words_is_held_against_the_site():
    assert one(EAST, NOTHING, NORTH, anchor=NORTH).anchor_fit[0] == pytest.approx(1)
    assert np.isnan(one(EAST, NORTH, NORTH, anchor=NOTHING).anchor_fit[0])
    assert np.isnan(one(EAST, NORTH, NORTH).anchor_fit[0])


def test_relevance_grows_with_standing_with_kinship_and_with_a_name():
    standing = np.array([-2.0, 0, 2, 4, 2, 2])
    kinship = np.array([0.0, 0, 0, 0, 0.3, 0])
    named = np.array([False, False, False, False, False, True])
    sure = relevance(standing, kinship, named, np.ones(6, bool))
    assert (np.diff(sure[:4]) > 0).all()
    assert (sure[4:] > sure[2]).all()
    assert ((sure > 0) & (sure < 100)).all()


def test_a_page_without_a_subject_has_no_relevance_however_near_it_comes():
    sure = relevance(np.array([5.0, np.nan]), np.zeros(2), np.ones(2, bool), np.zeros(2, bool))
    assert sure[0] == 0
    assert np.isnan(sure[1])


def test_bands_begin_at_their_limits():
    limits = BandLimits(relevant=90, weak=60)
    assert bands(np.array([100, 90, 89.9, 60, 59.9, 0, np.nan]), limits).tolist() == [
        "relevant",
        "relevant",
        "weak",
        "weak",
        "off-topic",
        "off-topic",
        "",
    ]


def test_blocks_give_what_one_go_gives(monkeypatch):
    rng = np.random.default_rng(3)
    sides = [Given(*rng.standard_normal((25, 8))) for _ in range(4)]
    against = random_chance(rng, topics=12)

    def compared(on_progress=silent):
        return compare(sides[0], [sides[1]], sides[2], against, sides[3], on_progress=on_progress)

    whole = compared()
    monkeypatch.setattr("backlink_audit.analysis.relevance.ROWS_AT_ONCE", 7)
    steps = []
    parts = compared(lambda what, done, total: steps.append((done, total)))
    for field in fields(Comparison):
        one_go, in_blocks = getattr(whole, field.name), getattr(parts, field.name)
        if one_go.dtype == object:
            assert in_blocks.tolist() == one_go.tolist()
        else:
            np.testing.assert_allclose(in_blocks, one_go, rtol=1e-4)
    assert steps == [(7, 25), (14, 25), (21, 25), (25, 25)]


def test_a_run_can_be_stopped():
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        compare(Given(EAST), [Given(EAST)], None, AXES, on_progress=stop)


def test_no_links_give_no_results():
    empty = Given(EAST)
    empty.rows = empty.rows[:0]
    assert len(compare(empty, [empty], empty, AXES).similarity) == 0
