import numpy as np

from backlink_audit.embedding.distil import with_directions


def test_texts_without_a_known_word_are_like_nothing_but_themselves():
    rows = with_directions(np.zeros((3, 256), dtype=np.float32), ["日本", "한국", "日本"])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert rows[0] @ rows[2] > 0.999
    assert abs(rows[0] @ rows[1]) < 0.3


def test_rows_with_a_direction_keep_it():
    row = np.eye(1, 8, dtype=np.float32)
    np.testing.assert_array_equal(with_directions(row.copy(), ["law"]), row)
