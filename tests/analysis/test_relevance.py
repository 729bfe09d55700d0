import numpy as np
import pytest

from backlink_audit.analysis.relevance import Chance, bands, compare
from backlink_audit.errors import Cancelled
from backlink_audit.settings import BandLimits


class Given:
    """A side of every link with vectors given by hand; a row of zeros has no text."""

    def __init__(self, *rows):
        rows = np.array(rows, dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        self.rows = rows / np.where(lengths > 0, lengths, 1)

    def __len__(self):
        return len(self.rows)

    def has_text(self, start, stop):
        return self.rows[start:stop].any(axis=1)

    def unit_vectors(self, start, stop):
        return self.rows[start:stop]


def chance(topics, fields, names=()):
    return Chance(Given(*topics, *names).rows, np.array(fields, dtype=object))


EAST, NORTH, UP, NOTHING = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)
AXES = chance([EAST, NORTH, UP, (1, 1, 0)], ["east", "north", "up", "mixed"])


def test_similarity_is_the_cosine_of_the_best_evidence_and_names_it():
    title, anchor = Given(EAST, EAST, NOTHING), Given(UP, (1, 1, 0), NORTH)
    found = compare([title, anchor], [Given(NORTH, NORTH, NORTH)], title, AXES)
    np.testing.assert_allclose(found.similarity, [0, np.sqrt(0.5), 1], atol=1e-6)
    assert found.evidence.tolist() == [0, 1, 1]


def test_several_texts_of_the_target_compete_too():
    found = compare([Given(EAST)], [Given(NORTH), Given((1, 1, 0))], Given(EAST), AXES)
    np.testing.assert_allclose(found.similarity, [np.sqrt(0.5)], atol=1e-6)


@pytest.mark.parametrize(("referring", "target"), [(NOTHING, EAST), (EAST, NOTHING), (NOTHING, NOTHING)])
def test_a_side_without_text_leaves_everything_blank(referring, target):
    found = compare([Given(referring)], [Given(target)], Given(referring), AXES)
    assert np.isnan([found.similarity[0], found.relevance[0]]).all()
    assert found.evidence.tolist() == [-1]
    assert bands(found.relevance, BandLimits()).tolist() == [""]


def test_the_topic_is_the_one_nearest_to_the_subject_and_blank_without_one():
    found = compare([Given(EAST, EAST)], [Given(EAST, EAST)], Given((0.1, 1, 0), NOTHING), AXES)
    assert found.topic.tolist() == [1, -1]


def test_relevance_is_the_share_of_unrelated_subjects_that_come_less_near_to_either_end():
    rng = np.random.default_rng(1)
    topics = rng.standard_normal((40, 8))
    names = rng.standard_normal((5, 8))
    fields = [f"field {place % 10}" for place in range(40)]
    referring, target = rng.standard_normal((30, 8)), rng.standard_normal((30, 8))
    found = compare([Given(*referring)], [Given(*target)], Given(*referring), chance(topics, fields, names))
    for row in range(30):
        one, other = Given(referring[row]).rows[0], Given(target[row]).rows[0]
        all_topics, all_names = Given(*topics).rows, Given(*names).rows
        near = {fields[place] for place in np.argsort(-(all_topics @ other))[:3]}
        unrelated = [topic for topic, field in zip(all_topics, fields, strict=True) if field not in near] + [*all_names]
        beaten = [max(subject @ one, subject @ other) < one @ other for subject in unrelated]
        assert found.relevance[row] == pytest.approx(100 * np.mean(beaten))


def test_identical_ends_beat_everything():
    rng = np.random.default_rng(2)
    side = Given(*rng.standard_normal((4, 8)))
    found = compare([side], [side], side, chance(rng.standard_normal((20, 8)), [str(place) for place in range(20)]))
    assert found.relevance.tolist() == [100.0] * 4


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
    one, other = Given(*rng.standard_normal((25, 8))), Given(*rng.standard_normal((25, 8)))
    against = chance(rng.standard_normal((12, 8)), [str(place) for place in range(12)])
    whole = compare([one], [other], one, against)
    monkeypatch.setattr("backlink_audit.analysis.relevance.ROWS_AT_ONCE", 7)
    steps = []
    parts = compare([one], [other], one, against, lambda what, done, total: steps.append((done, total)))
    for name in ("similarity", "evidence", "relevance", "topic"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-5)
    assert steps == [(7, 25), (14, 25), (21, 25), (25, 25)]


def test_a_run_can_be_stopped():
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        compare([Given(EAST)], [Given(EAST)], Given(EAST), AXES, stop)


def test_no_links_give_no_results():
    empty = Given(EAST)
    empty.rows = empty.rows[:0]
    assert len(compare([empty], [empty], empty, AXES).similarity) == 0
