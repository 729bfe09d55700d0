import subprocess
import sys

import numpy as np
import pytest

from backlink_audit.clusters import grouping as clusters
from backlink_audit.clusters.grouping import best_k, group, group_within, silhouettes
from backlink_audit.clusters.result import lay_out
from backlink_audit.errors import Cancelled


def unit(rows) -> np.ndarray:
    rows = np.asarray(rows, dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def around(*centres: int, pages: int = 12, dimensions: int = 16, seed: int = 1) -> np.ndarray:
    """Pages near the given axes, `pages` of each, one axis after the other."""
    noise = np.random.default_rng(seed).normal(scale=0.15, size=(len(centres) * pages, dimensions))
    noise[np.arange(len(noise)), np.repeat(centres, pages)] += 1
    return unit(noise)


def test_pages_near_one_centre_are_one_group():
    labels = group(around(0, 3, 7), 3, seed=0).labels.reshape(3, 12)
    assert all(len(set(row)) == 1 for row in labels.tolist())
    assert len(set(labels[:, 0].tolist())) == 3


def test_the_largest_group_is_the_first():
    vectors = np.vstack([around(0, pages=3), around(5, pages=9, seed=2)])
    found = group(vectors, 2, seed=0)
    assert found.sizes.tolist() == [9, 3]
    assert found.labels.tolist() == [1] * 3 + [0] * 9


def test_the_middle_is_the_page_nearest_to_the_centre():
    vectors = around(0, 3)
    found = group(vectors, 2, seed=0)
    for number, hub in enumerate(found.middles(vectors)):
        members = np.flatnonzero(found.labels == number)
        assert hub == members[np.argmax(vectors[members] @ found.centres[number])]


def test_similarity_is_the_cosine_to_the_own_centre():
    vectors = around(0, 3)
    found = group(vectors, 2, seed=0)
    centre = vectors[found.labels == 0].mean(axis=0)
    expected = vectors[found.labels == 0] @ (centre / np.linalg.norm(centre))
    assert found.similarities(vectors)[found.labels == 0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("pages", "k", "expected"), [(1, 15, 1), (2, 15, 1), (3, 15, 2), (20, 15, 15), (20, 30, 19)])
def test_there_are_never_more_groups_than_pages_less_one(pages, k, expected):
    assert group(around(0, pages=pages), k, seed=0).k == expected


def test_equal_pages_are_one_group_without_a_warning():
    found = group(np.ones((50, 1), dtype=np.float32), 15, seed=0)
    assert found.k == 1 and found.sizes.tolist() == [50]


def test_few_distinct_texts_on_many_pages_give_as_many_groups():
    found = group(np.repeat(unit(np.eye(3)), 40, axis=0), 15, seed=0)
    assert found.sizes.tolist() == [40, 40, 40]


def test_the_same_seed_gives_the_same_groups_twice():
    vectors = np.random.default_rng(0).normal(size=(300, 32))
    first, second = (group(unit(vectors), 9, seed=4) for _ in range(2))
    assert np.array_equal(first.labels, second.labels)
    assert np.array_equal(first.centres, second.centres)


@pytest.mark.slow
def test_another_process_finds_the_same_groups():
    code = (
        "import numpy as np, hashlib; from backlink_audit.clusters.grouping import group\n"
        "v = np.random.default_rng(0).normal(size=(200, 24)).astype('float32')\n"
        "v /= np.linalg.norm(v, axis=1, keepdims=True)\n"
        "print(hashlib.sha256(group(v, 7, 0).labels.astype('int64').tobytes()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={"OMP_NUM_THREADS": threads}
        ).stdout
        for threads in ("1", "4")
    }
    assert len(runs) == 1


def test_a_large_site_is_grouped_in_batches(monkeypatch):
    monkeypatch.setattr(clusters, "MINI_BATCH_ABOVE", 30)
    vectors = around(0, 3, 7)
    assert group(vectors, 3, seed=0).sizes.tolist() == [12, 12, 12]


def curve_of(vectors, numbers):
    return silhouettes(vectors, numbers, 0, np.zeros(len(vectors)))


def test_silhouette_finds_the_number_of_groups_that_are_there():
    curve = curve_of(around(0, 3, 7, 11), range(2, 9))
    assert list(curve) == [2, 3, 4, 5, 6, 7, 8]
    assert best_k(curve) == 4


@pytest.mark.parametrize("pages", [1, 2])
def test_too_few_pages_have_no_curve(pages):
    assert curve_of(around(0, pages=pages), range(2, 9)) == {}


def test_the_range_ends_where_no_more_groups_make_sense():
    assert list(curve_of(around(0, pages=6), range(2, 41))) == [2, 3, 4, 5]


def test_a_large_site_is_sampled_for_its_curve(monkeypatch):
    monkeypatch.setattr(clusters, "SILHOUETTE_PAGES", 20)
    assert best_k(curve_of(around(0, 3, 7), range(2, 7))) == 3


def test_choosing_the_number_can_be_stopped():
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        silhouettes(around(0, 3), range(2, 5), seed=0, sets=np.zeros(24), on_progress=stop)


def test_like_pages_stand_near_each_other_on_the_map():
    places = lay_out(around(0, 3, 7, pages=20), seed=0)
    middles = places.reshape(3, 20, 2).mean(axis=1)
    within = np.linalg.norm(places.reshape(3, 20, 2) - middles[:, None], axis=2).mean()
    between = np.linalg.norm(middles[0] - middles[1])
    assert between > 2 * within


def test_the_map_is_the_same_twice_and_fits_its_frame():
    vectors = around(0, 3, pages=10)
    first, second = (lay_out(vectors, seed=0) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.abs(first).max() == pytest.approx(1)


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 8, 9])
def test_a_map_of_few_pages_has_a_place_for_each(rows):
    places = lay_out(around(0, pages=rows), seed=0)
    assert places.shape == (rows, 2) and np.isfinite(places).all()


def test_equal_pages_share_their_place():
    places = lay_out(np.ones((30, 4), dtype=np.float32) / 2, seed=0)
    assert np.isfinite(places).all() and len(np.unique(places, axis=0)) == 1


@pytest.mark.parametrize("k", [2, 5])
def test_sets_are_kept_apart_even_where_there_are_more_than_groups(k):
    vectors = np.random.default_rng(1).standard_normal((40, 8)).astype(np.float32)
    sets = np.repeat(np.arange(4), 10)
    found = group_within(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), k, 0, sets)
    assert found.k == max(k, 4)
    assert all(len(set(sets[found.labels == label])) == 1 for label in range(found.k))


def test_languages_far_from_each_other_do_not_set_the_number_of_clusters():
    random = np.random.default_rng(0)
    subjects, languages = np.repeat(np.eye(6)[:3], 8, axis=0), np.repeat([0, 1], 24)
    far = np.zeros((48, 6))
    far[:24, 3], far[24:, 4] = 3, 3
    points = np.tile(subjects, (2, 1)) + far + 0.01 * random.standard_normal((48, 6))
    vectors = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    assert best_k(silhouettes(vectors, range(2, 9), 0, languages)) == 6
