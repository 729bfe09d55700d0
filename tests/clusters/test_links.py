import numpy as np
import pytest
import scipy.sparse as sp

from backlink_audit.clusters import grouping as cluster_links
from backlink_audit.clusters.grouping import PAIRS_PER_PAGE, missing_hub_links, missing_pairs


def near_each_other(pages: int) -> np.ndarray:
    vectors = np.random.default_rng(0).normal(scale=0.3, size=(pages, 24)).astype(np.float32)
    vectors[:, 0] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_links_that_exist_are_not_missing():
    linked = sp.csr_matrix(np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]], dtype=bool))
    sources, targets = missing_hub_links(np.array([0, 0, 0, 1]), np.array([1, 3]), linked)
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [(1, 0), (1, 2)]


@pytest.mark.parametrize("cells", [4_000_000, 30])
def test_each_page_is_paired_with_the_most_similar_ones_of_its_group_that_it_does_not_link_to(cells, monkeypatch):
    monkeypatch.setattr(cluster_links, "BLOCK_CELLS", cells)
    vectors, labels, hubs = near_each_other(20), np.repeat([0, 1], 10), np.array([3, 12])
    linked = np.random.default_rng(1).random((20, 20)) < 0.3
    lowest = np.array([0.2, 0.5])
    sources, targets = missing_pairs(vectors, labels, hubs, sp.csr_matrix(linked), lowest, near_duplicate=0.95)
    cosines = vectors @ vectors.T
    expected = set()
    for page in range(20):
        others = [
            other
            for other in np.argsort(-cosines[page])
            if other != page
            and labels[other] == labels[page]
            and not {page, int(other)} & set(hubs.tolist())
            and not linked[page, other]
            and lowest[labels[page]] <= cosines[page, other] < 0.95
        ]
        expected |= {(page, int(other)) for other in others[:PAIRS_PER_PAGE]}
    assert len(expected) > 20
    assert set(zip(sources.tolist(), targets.tolist(), strict=True)) == expected


def test_near_duplicates_are_not_to_be_linked():
    vectors = np.repeat(near_each_other(1), 3, axis=0)
    nothing = sp.csr_matrix((3, 3), dtype=bool)
    sources, _ = missing_pairs(vectors, np.zeros(3, int), np.array([0]), nothing, np.array([0.0]), near_duplicate=0.95)
    assert len(sources) == 0
