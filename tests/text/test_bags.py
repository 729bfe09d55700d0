import numpy as np
import pandas as pd

from backlink_audit.text.text_vectors import BLANK, Vocabulary, unit_rows


def test_each_distinct_text_stands_once_in_the_vocabulary():
    vocabulary = Vocabulary()
    vocabulary.bags(pd.Series(["oak chair", "oak chair", "elm"]), lambda value: [value])
    vocabulary.bags(pd.Series(["elm", "ash"]), lambda value: [value])
    assert vocabulary.texts == ["oak chair", "elm", "ash"]


def test_a_function_of_texts_is_called_once_for_each_distinct_value():
    seen = []

    def words(value: str) -> list[str]:
        seen.append(value)
        return value.split()

    Vocabulary().bags(pd.Series(["a b", "c", "a b"]), words)
    assert seen == ["a b", "c"]


def test_rows_without_text_are_blank_and_get_a_vector_of_zeros():
    bags = Vocabulary().bags(pd.Series(["oak", "", None], dtype="str"), lambda value: [value])
    assert bags.codes.tolist() == [0, BLANK, BLANK]
    side = bags.embedded(np.array([[0.6, 0.8]], dtype=np.float32))
    rows = side.unit_vectors_at(np.arange(0, 3))
    np.testing.assert_allclose(rows, np.array([[0.6, 0.8], [0, 0], [0, 0]]), rtol=1e-6)


def test_a_value_whose_texts_are_all_empty_is_blank():
    bags = Vocabulary().bags(pd.Series(["//", "a"]), lambda value: [part for part in value.split("/")])
    assert bags.codes.tolist() == [BLANK, 0]


def test_a_bag_of_several_texts_is_their_mean_and_repeats_count():
    vocabulary = Vocabulary()
    bags = vocabulary.bags(pd.Series(["x y", "y", "x x y"]), str.split)
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    expected = unit_rows(np.array([[1, 1], [0, 1], [2, 1]], dtype=np.float32))
    np.testing.assert_allclose(bags.embedded(vectors).unit_vectors_at(np.arange(0, 3)), expected, rtol=1e-6)
    np.testing.assert_allclose(bags.embedded(vectors).unit_vectors_at(np.arange(1, 3)), expected[1:], rtol=1e-6)


def test_a_table_without_rows_has_no_bags():
    bags = Vocabulary().bags(pd.Series([], dtype="str"), lambda value: [value])
    assert bags.embedded(np.zeros((0, 4), np.float32)).unit_vectors_at(np.arange(0, 0)).shape == (0, 4)


def test_weights_say_how_much_each_text_counts():
    bags = Vocabulary().weighted_bags(pd.Series(["z"]), lambda value: [("x", 1.0), ("y", 0.5), ("", 9.0)])
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    expected = unit_rows(np.array([[2, 1]], dtype=np.float32))
    np.testing.assert_allclose(bags.embedded(vectors).unit_vectors_at(np.arange(0, 1)), expected, rtol=1e-6)
