import re

import pandas as pd
import pytest

from backlink_audit.labels import VERDICTS
from backlink_audit.ui import columns
from tests.report.scored import scored_links


def test_a_column_is_described_by_its_name_or_its_label():
    assert columns.describe("cas") == columns.describe("CAS")
    assert columns.describe("referring_url").style == "url"


def test_every_column_of_a_table_is_configured():
    links = scored_links(5)
    assert set(columns.configure(links)) == set(links.columns)


def test_labels_given_replace_the_glossarys():
    table = pd.DataFrame({"url_rating": [1.0]})
    assert columns.configure(table, {"url_rating": "Page ascore"})["url_rating"]["label"] == "Page ascore"
    assert list(columns.labelled(table, {"url_rating": "Page ascore"})) == ["Page ascore"]


def test_verdicts_are_drawn_in_their_own_colours():
    mark = columns.configure(scored_links(5))["verdict"]["type_config"]
    drawn = {(option["value"], option["color"]) for option in mark["options"]}
    assert drawn >= {(label.word, label.colour) for label in VERDICTS}


def test_coloured_words_become_marks_and_blanks_stay_blank():
    shown = columns.for_screen(pd.DataFrame({"band": ["relevant", ""], "url": ["a", "b"]}))
    assert shown["band"].tolist() == [["relevant"], []]
    assert shown["url"].tolist() == ["a", "b"]


def test_columns_that_hold_nothing_are_left_out():
    table = pd.DataFrame({"a": ["", ""], "b": [None, None], "c": ["", "x"], "d": [float("nan"), 0.0]})
    assert columns.filled(table, ("a", "b", "c", "d", "e")) == ["c", "d"]


def test_shares_are_drawn_as_percent_with_one_decimal():
    table = pd.DataFrame({"followed_share": [0.173, 1.0]})
    assert columns.for_screen(table)["followed_share"].tolist() == pytest.approx([17.3, 100.0])
    assert columns.configure(table)["followed_share"]["type_config"]["format"] == "%.1f%%"


def test_a_page_is_its_title_above_its_address_with_a_link_beside_it():
    links = pd.DataFrame(
        {"referring_title": ["Oak \n chairs", ""], "referring_url": ["https://www.a.example/x", "http://b.example/"]}
    )
    drawn = columns.drawn(links, ["referring_page"])
    assert drawn["referring_page"].tolist() == ["Oak chairs\na.example/x", "b.example"]
    assert drawn["open_referring_page"].tolist() == links["referring_url"].tolist()
    assert columns.configure(drawn)["open_referring_page"]["type_config"]["type"] == "link"


def test_long_sentences_are_cut_in_tall_rows_alone():
    links = pd.DataFrame({"referring_title": ["x"], "referring_url": ["https://a.example/"], "anchor": ["word " * 100]})
    assert columns.drawn(links, ["anchor"])["anchor"].item() == "word " * 100
    assert columns.drawn(links, ["referring_page", "anchor"])["anchor"].item().endswith("…")


@pytest.mark.parametrize("name", ["why", "asks", "to_do"])
def test_a_table_with_a_sentence_has_rows_of_three_lines(name):
    assert columns.row_height(["url", name]) == columns.TALL_ROW
    assert columns.row_height(["url"]) is None


def test_ratings_and_clicks_are_written_without_decimals_that_the_tool_did_not_write():
    def written(name, *values):
        return columns.configure(pd.DataFrame({name: values}))[name]["type_config"]["format"]

    assert written("authority", 91.0, 8.0) == "localized" and written("authority", 91.0, 0.1) == "%.12g"
    assert written("mean_relevance", 91.0, 2.417) == "%.1f"
    assert written("clicks", 9882.0, 1.0) == "localized" and written("average_position", 13.28) == "%.12g"


def test_a_column_of_addresses_is_as_wide_as_what_is_shown_of_them():
    def width(*urls):
        return columns.configure(pd.DataFrame({"url": urls}))["url"]["width"]

    assert width("https://a.example/x", "https://a.example/y") == columns.LEAST_WIDTH
    assert width(*["https://a.example/" + "x" * 200] * 2) == columns.MOST_WIDTH


def test_targets_of_one_site_are_told_apart_by_their_paths():
    def shown(*urls):
        return columns.configure(pd.DataFrame({"target_url": urls}))["target_url"]["type_config"]["display_text"]

    one, several = (
        shown("https://www.a.example/x/", "http://a.example"),
        shown("https://a.example/x", "https://b.example/y"),
    )
    assert re.findall(one, "https://www.a.example/x/") == ["/x"]
    assert re.findall(one, "http://a.example") == ["a.example"]
    assert re.findall(several, "https://b.example/y") == ["b.example/y"]
