import numpy as np

from backlink_audit.analysis.fit import closest, fit_to_site

AXES = np.eye(6, dtype=np.float32)


def test_a_prospect_fits_the_page_it_is_closest_to() -> None:
    fit = fit_to_site(AXES[[1, 0]], [AXES[:3]], AXES[3:])
    assert fit.page.tolist() == [1, 0]
    assert fit.similarity.tolist() == [1.0, 1.0]
    assert fit.relevance.tolist() == [100.0, 100.0]


def test_relevance_is_the_share_of_topics_whose_best_page_is_less_close() -> None:
    pages = AXES[:2]
    topics = np.array([AXES[0], AXES[3], AXES[4], (AXES[1] + AXES[3]) / np.sqrt(2)], np.float32)
    prospect = (AXES[0] * 0.5 + AXES[5] * np.sqrt(0.75)).reshape(1, -1).astype(np.float32)
    assert fit_to_site(prospect, [pages], topics).relevance.tolist() == [50.0]


def test_the_closest_text_of_a_page_counts_and_blank_ones_do_not() -> None:
    words = np.array([AXES[3], np.zeros(6)], np.float32)
    titles = np.array([np.zeros(6), AXES[1]], np.float32)
    place, cosine = closest(AXES[[1, 3, 5]], [words, titles])
    assert place.tolist()[:2] == [1, 0]
    assert cosine.tolist() == [1.0, 1.0, 0.0]


def test_without_text_on_either_side_the_fit_is_blank() -> None:
    nothing = np.zeros((1, 6), np.float32)
    fit = fit_to_site(nothing, [AXES[:2]], AXES)
    assert (fit.page[0], fit.topic[0]) == (-1, -1)
    assert np.isnan(fit.relevance[0]) and np.isnan(fit.similarity[0])
    fit = fit_to_site(AXES[:1], [nothing], AXES)
    assert fit.page[0] == -1 and np.isnan(fit.relevance[0]) and fit.topic[0] == 0
    assert fit_to_site(AXES[:1], [], AXES).page[0] == -1


def test_the_topic_is_the_nearest_one() -> None:
    assert fit_to_site(AXES[[2]], [AXES[:1]], AXES[[4, 2]]).topic.tolist() == [1]
