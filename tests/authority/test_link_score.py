"""The link score against networkx, on graphs with dead ends and uneven starts."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from backlink_audit.authority.run import link_scores, link_shares


def random_links(pages: int, seed: int) -> sp.csr_matrix:
    """Weights of a graph in which every fifth page has no link."""
    rng = np.random.default_rng(seed)
    links = sp.random_array((pages, pages), density=min(1.0, 4 / pages), rng=rng).tolil()
    links[::5] = 0
    links.setdiag(0)
    return links.tocsr()


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 200), st.integers(0, 10**6), st.booleans())
def test_shares_are_those_of_networkx(pages, seed, uneven):
    links = random_links(pages, seed)
    start = np.random.default_rng(seed).random(pages) if uneven else np.ones(pages)
    start /= start.sum()
    graph = nx.from_scipy_sparse_array(links, create_using=nx.DiGraph)
    expected = nx.pagerank(graph, personalization=dict(enumerate(start)), tol=1e-15, max_iter=1_000)
    shares = link_shares(links, start)
    assert shares == pytest.approx([expected[page] for page in range(pages)], abs=1e-9)
    assert shares.sum() == pytest.approx(1)


def test_the_strongest_page_scores_100_and_one_without_links_0():
    links = sp.csr_matrix(np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0]]))
    start = np.full(3, 1 / 3)
    scores = link_scores(link_shares(links, start), links, start)
    assert scores[0] == pytest.approx(0) and scores[1:] == pytest.approx(100)


def test_without_any_link_all_pages_score_0():
    start = np.full(4, 1 / 4)
    links = sp.csr_matrix((4, 4))
    assert link_scores(link_shares(links, start), links, start).tolist() == [0, 0, 0, 0]
