import pandas as pd
import pytest

from backlink_audit.ui import column_looks, tall_rows


def test_a_page_is_its_title_above_its_address_with_a_link_beside_it():
    links = pd.DataFrame(
        {"referring_title": ["Oak \n chairs", ""], "referring_url": ["https://www.a.example/x", "http://b.example/"]}
    )
    drawn = tall_rows.drawn(links, ["referring_page"])
    assert drawn["referring_page"].tolist() == ["Oak chairs\na.example/x", "b.example"]
    assert drawn["open_referring_page"].tolist() == links["referring_url"].tolist()
    assert column_looks.configure(drawn)["open_referring_page"]["type_config"]["type"] == "link"


def test_long_sentences_are_cut_in_tall_rows_alone():
    links = pd.DataFrame({"referring_title": ["x"], "referring_url": ["https://a.example/"], "anchor": ["word " * 100]})
    assert tall_rows.drawn(links, ["anchor"])["anchor"].item() == "word " * 100
    assert tall_rows.drawn(links, ["referring_page", "anchor"])["anchor"].item().endswith("…")


@pytest.mark.parametrize("name", ["why", "asks", "to_do"])
def test_a_table_with_a_sentence_has_rows_of_three_lines(name):
    assert tall_rows.row_height(["url", name]) == tall_rows.TALL_ROW
    assert tall_rows.row_height(["url"]) is None
