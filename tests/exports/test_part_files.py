"""A part's file is there whole or not at all."""

import numpy as np
import pandas as pd
import pytest

from backlink_audit.exports.parts import drafted, has_part, place, read_part, read_parts, write_part, write_sorted

TABLE = pd.DataFrame({"Ref. domains": ["a", "b"], "n": [1, 2]}, index=[5, 9])


def test_a_part_is_read_back_with_its_index(tmp_path):
    write_part(TABLE, tmp_path, "cleaned", 3)
    pd.testing.assert_frame_equal(read_part(tmp_path, "cleaned", 3), TABLE)
    pd.testing.assert_frame_equal(read_part(tmp_path, "cleaned", 3, ["n"]), TABLE[["n"]])
    pd.testing.assert_frame_equal(read_part(tmp_path, "cleaned", 3, ["Ref. domains"]), TABLE[["Ref. domains"]])


def test_a_folder_that_looks_like_a_column_adds_none(tmp_path):
    folder = tmp_path / "site=shop"
    folder.mkdir()
    write_part(TABLE, folder, "raw", 0)
    assert list(read_parts(folder, "raw", 1)[0].columns) == list(TABLE.columns)


def test_a_part_that_could_not_be_written_is_missing(tmp_path, monkeypatch):
    def half(table, path):
        path.write_bytes(b"PAR1")
        raise OSError

    monkeypatch.setattr(pd.DataFrame, "to_parquet", half)
    with pytest.raises(OSError):
        write_part(TABLE, tmp_path, "cleaned", 0)
    assert not has_part(tmp_path, "cleaned", 0)
    assert list(tmp_path.iterdir()) == []


def test_two_writers_of_the_same_part_do_not_meet(tmp_path):
    target = place(tmp_path, "cleaned", 0)
    with drafted(target) as first:
        first.write_text("first")
        with drafted(target) as second:
            second.write_text("second")
        assert target.read_text() == "second"
        assert first.read_text() == "first"
    assert target.read_text() == "first"


def test_one_column_keeps_a_counted_index(tmp_path):
    write_part(pd.DataFrame({"n": np.arange(3)}, index=pd.RangeIndex(4, 7)), tmp_path, "repeats", 0)
    assert read_part(tmp_path, "repeats", 0, ["n"]).index.tolist() == [4, 5, 6]


def test_rows_are_sorted_over_parts_without_holding_them_all(tmp_path):
    whole = pd.DataFrame({"URL": [f"u{n}" for n in range(23)], "cas": np.arange(23) * 7 % 23}, index=range(100, 123))
    order = whole.sort_values("cas").index
    places = pd.Series(np.arange(23), order)
    tables = [whole.iloc[:4], whole.iloc[4:4], whole.iloc[4:17], whole.iloc[17:]]
    assert write_sorted(iter(tables), places, tmp_path, "sorted", 10) == 3
    parts = read_parts(tmp_path, "sorted", 3)
    assert [len(part) for part in parts] == [10, 10, 3]
    pd.testing.assert_frame_equal(pd.concat(parts), whole.loc[order])
    assert len(list(tmp_path.iterdir())) == 3


def test_what_has_been_sorted_is_not_sorted_again(tmp_path):
    places = pd.Series([1, 0], TABLE.index)
    write_sorted([TABLE], places, tmp_path, "sorted", 1)
    assert write_sorted([], places, tmp_path, "sorted", 1) == 2
    assert [part.index.tolist() for part in read_parts(tmp_path, "sorted", 2)] == [[9], [5]]
