"""Old pages matched with new ones: scores, who claims a page, how sure that is, and why."""

import numpy as np
import scipy.sparse as sp

from backlink_audit.redirects import matching as redirects
from backlink_audit.redirects.matching import TAKEN, Likeness, confidence, match_pages, reasons

OLD = sp.csr_matrix(np.eye(3, dtype=np.float32)[[0, 1, 1]])
NEW = sp.csr_matrix(np.array([[1, 0, 0], [0, 0.8, 0.6]], dtype=np.float32))
CONTENT = Likeness("content", OLD, NEW)
TITLE = Likeness("title", sp.csr_matrix(np.array([[1.0], [0.0], [1.0]])), sp.csr_matrix(np.array([[1.0], [1.0]])))
NOBODYS, EVERY = np.array([-1, -1]), np.zeros(3, dtype=np.float32)


def test_the_score_is_the_mean_of_what_the_old_page_has():
    found = match_pages([CONTENT, TITLE], NOBODYS, EVERY)
    assert found.pages[:, 0].tolist() == [0, 1, 1]
    assert np.allclose(found.scores[:, 0], [1.0, 0.8, 0.9])
    assert np.allclose(found.ahead, [0.5, 0.8, 0.4])


def test_a_page_that_another_old_page_is_more_like_is_a_choice_at_most_unless_its_text_and_last_part_were_kept():
    found = match_pages([CONTENT, TITLE], NOBODYS, EVERY)
    yes, no = np.ones(3, dtype=bool), np.zeros(3, dtype=bool)
    assert found.mutual.tolist() == [True, False, True]
    assert confidence(found, yes, no).tolist() == ["sure", "choose", "sure"]
    assert confidence(found, no, no).tolist() == ["likely", "choose", "likely"]
    assert confidence(found, no, yes).tolist() == ["likely", "likely", "likely"]


def test_a_new_page_that_the_old_site_had_at_the_same_url_is_its_own_and_stands_behind_the_others():
    found = match_pages([CONTENT, TITLE], np.array([-1, 1]), EVERY)
    assert found.claimed_by.tolist() == [0, 1]
    assert np.allclose(found.scores[:, 0], [1.0, 0.8 - TAKEN, 0.9 - TAKEN])


def test_an_old_page_that_needs_no_other_claims_none():
    found = match_pages([CONTENT, TITLE], NOBODYS, np.array([0, 0, np.inf], dtype=np.float32))
    assert found.claimed_by.tolist() == [0, 1]


def test_blocks_give_what_one_piece_gives(monkeypatch):
    random = np.random.default_rng(0)
    vectors = [random.normal(size=(rows, 8)).astype(np.float32) for rows in (40, 30)]
    pages = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in vectors]
    meant = Likeness("content", *(sp.csr_matrix(page) for page in pages))
    own, handicap = np.full(30, -1), np.zeros(40, dtype=np.float32)
    whole = match_pages([meant], own, handicap)
    monkeypatch.setattr(redirects, "BLOCK_SCORES", 100)
    parts = match_pages([meant], own, handicap)
    assert np.array_equal(whole.pages, parts.pages) and np.array_equal(whole.claimed_by, parts.claimed_by)


def test_the_reason_names_what_is_the_same_and_what_is_alike():
    said = reasons(
        [Likeness("title", OLD, NEW), Likeness("content", OLD, NEW)], np.array([0, 1, 0]), np.array([0, 1, 1])
    )
    assert said == ["same title, content", "alike: title (0.80), content (0.80)", "not very similar"]
