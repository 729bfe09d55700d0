import numpy as np

from backlink_audit.embedding.nearest import closest

AXES = np.eye(6, dtype=np.float32)


def test_each_query_finds_the_page_it_is_closest_to() -> None:
    place, cosine = closest(AXES[[1, 0]], [AXES[:3]])
    assert (place.tolist(), cosine.tolist()) == ([1, 0], [1.0, 1.0])


def test_the_closest_text_of_a_page_counts_and_blank_ones_do_not() -> None:
    words = np.array([AXES[3], np.zeros(6)], np.float32)
    titles = np.array([np.zeros(6), AXES[1]], np.float32)
    place, cosine = closest(AXES[[1, 3, 5]], [words, titles])
    assert place.tolist()[:2] == [1, 0]
    assert cosine.tolist() == [1.0, 1.0, 0.0]


def test_without_any_page_that_has_text_the_place_and_the_cosine_are_blank() -> None:
    for pages in ([], [np.zeros((1, 6), np.float32)]):
        place, cosine = closest(AXES[:1], pages)
        assert place[0] == -1 and np.isnan(cosine[0])
