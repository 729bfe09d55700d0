import pandas as pd

from backlink_audit.site.vectors import encode_columns
from tests.toy import ToyEncoder


def test_every_column_gets_its_matrix_and_blank_texts_are_zero(toy: ToyEncoder) -> None:
    first, second = encode_columns(toy, [pd.Series(["oak", ""]), pd.Series(["", "", "oak"])])
    assert (first[0] == second[2]).all() and first[0].any()
    assert not first[1].any() and not second[:2].any()
    assert toy.seen == ["oak", "oak"]


def test_columns_without_any_text_ask_for_nothing(toy: ToyEncoder) -> None:
    empty, blank = encode_columns(toy, [pd.Series([], dtype="str"), pd.Series([""])])
    assert empty.shape == (0, toy.dimensions) and not blank.any()
    assert toy.seen == []
