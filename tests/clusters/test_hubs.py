import numpy as np
import scipy.sparse as sp

from backlink_audit.clusters.grouping import NO_HUB, choose_hubs, generality_of, partition

LABELS = np.array([0, 0, 0, 0, 1, 1])
FOUND = partition(np.eye(6, dtype=np.float32), LABELS)
NEAR = np.array([0.9, 0.8, 0.7, 0.2, 0.9, 0.9])
NO_HOMES = np.zeros(6, dtype=bool)
UNKNOWN = np.full(6, np.nan)


def links(*pairs: tuple[int, int]) -> sp.csr_matrix:
    linked = np.zeros((6, 6), dtype=bool)
    for source, target in pairs:
        linked[source, target] = True
    return sp.csr_matrix(linked)


def test_the_hub_is_the_page_near_the_centre_to_which_most_pages_of_its_group_link():
    linked = links((0, 1), (2, 1), (3, 1), (1, 0), (2, 0), (4, 5))
    assert choose_hubs(FOUND, NEAR, np.zeros(6), linked).tolist() == [1, 4]


def test_links_from_other_groups_and_to_pages_far_from_the_centre_make_no_hub():
    linked = links((4, 1), (5, 1), (2, 0), (1, 0), (0, 3), (1, 3), (2, 3))
    assert choose_hubs(FOUND, NEAR, np.zeros(6), linked)[0] == 0


def test_where_links_are_unknown_the_most_general_page_near_the_centre_is_the_hub():
    assert choose_hubs(FOUND, NEAR, np.array([0.1, 0.5, 0.2, 0.9, 0.0, 0.1])).tolist() == [1, 5]


def test_a_page_is_general_by_words_that_its_group_shares_and_by_a_short_path():
    titles = [["tents"], ["tents", "storm"], ["tents", "porch"], ["tents"], ["stoves"], ["stoves"]]
    general = generality_of(titles, np.array([1, 1, 1, 2, 1, 1]), UNKNOWN, NO_HOMES, LABELS)
    assert general[0] > general[1] and general[0] > general[3]


def test_a_homepage_is_less_general_than_any_page_about_the_subject():
    titles = [["tents"]] * 6
    home = np.array([True, False, False, False, False, False])
    general = generality_of(titles, np.array([0, 4, 4, 4, 4, 4]), UNKNOWN, home, LABELS)
    assert general[0] == general.min()


def test_of_pages_alike_the_one_that_more_pages_of_the_site_link_to_is_more_general():
    general = generality_of([["tents"]] * 6, np.ones(6), np.array([3, 90, 3, 3, np.nan, 0.0]), NO_HOMES, LABELS)
    assert general.argmax() == 1 and general[4] == general[5]


def test_a_link_from_one_page_alone_is_no_vote():
    assert choose_hubs(FOUND, NEAR, np.array([0.1, 0.5, 0.2, 0.9, 0.0, 0.1]), links((0, 2), (4, 5))).tolist() == [1, 5]


def test_a_page_about_what_its_group_is_called_goes_before_one_with_more_links():
    found, near, general = partition(np.eye(3, dtype=np.float32)[[0, 0, 0]], np.zeros(3, int)), np.ones(3), np.zeros(3)
    linked = links((1, 0), (2, 0))
    assert choose_hubs(found, near, general, linked, np.array([1, 1, 0])).tolist() == [0]
    assert choose_hubs(found, near, general, linked, np.array([0, 1, 0])).tolist() == [1]


def test_a_page_more_about_the_name_of_its_group_needs_fewer_links():
    found, near = partition(np.eye(3, dtype=np.float32)[[0, 0, 0, 0]], np.zeros(4, int)), np.ones(4)
    linked = sp.csr_matrix(np.array([[0, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]], dtype=bool))
    assert choose_hubs(found, near, np.zeros(4), linked, np.array([1, 1, 0, 0])).tolist() == [0]
    assert choose_hubs(found, near, np.zeros(4), linked, np.array([1, 2, 0, 0])).tolist() == [1]


def test_a_group_without_a_page_about_its_name_has_no_hub():
    assert choose_hubs(FOUND, NEAR, np.zeros(6), None, np.array([0, 0, 0, 0, 1, 0])).tolist() == [NO_HUB, 4]
