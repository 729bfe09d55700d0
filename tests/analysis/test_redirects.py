"""Old pages matched with new ones: scores, who claims a page, how sure that is, and why."""

import numpy as np
import scipy.sparse as sp

from backlink_audit.analysis import redirects
from backlink_audit.analysis.redirects import Likeness, confidence, match_pages, reasons

OLD = np.eye(3, dtype=np.float32)[[0, 1, 1]]
NEW = np.array([[1, 0, 0], [0, 0.8, 0.6]], dtype=np.float32)


def test_the_score_is_the_mean_of_what_the_old_page_has():
    title = Likeness("title", sp.csr_matrix(np.array([[1.0], [0.0], [1.0]])), sp.csr_matrix(np.array([[1.0], [1.0]])))
    found = match_pages([Likeness("meaning", OLD, NEW), title])
    assert found.pages[:, 0].tolist() == [0, 1, 1]
    assert np.allclose(found.scores[:, 0], [1.0, 0.8, 0.9])
    assert np.allclose(found.ahead, [0.5, 0.8, 0.4])


def test_a_page_that_another_old_page_is_more_like_is_a_choice_at_most():
    title = Likeness("title", sp.csr_matrix(np.array([[1.0], [0.0], [1.0]])), sp.csr_matrix(np.array([[1.0], [1.0]])))
    found = match_pages([Likeness("meaning", OLD, NEW), title])
    assert found.mutual.tolist() == [True, False, True]
    assert confidence(found, np.ones(3, dtype=bool)).tolist() == ["sure", "choose", "sure"]
    assert confidence(found, np.zeros(3, dtype=bool)).tolist() == ["likely", "choose", "likely"]


def test_blocks_give_what_one_piece_gives(monkeypatch):
    random = np.random.default_rng(0)
    vectors = [random.normal(size=(rows, 8)).astype(np.float32) for rows in (40, 30)]
    pages = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in vectors]
    whole = match_pages([Likeness("meaning", *pages)])
    monkeypatch.setattr(redirects, "BLOCK_SCORES", 100)
    parts = match_pages([Likeness("meaning", *pages)])
    assert np.array_equal(whole.pages, parts.pages) and np.array_equal(whole.claimed_by, parts.claimed_by)


def test_the_reason_names_what_is_the_same_and_what_is_alike():
    said = reasons(
        [Likeness("title", OLD, NEW), Likeness("content", OLD, NEW)], np.array([0, 1, 0]), np.array([0, 1, 1])
    )
    assert said == ["same title, content", "alike: title (0.80), content (0.80)", "not very similar"]
