import re

import pandas as pd
import pytest

from backlink_audit.glossary import GLOSSARY, TERMS
from backlink_audit.labels import contrast, luminance
from backlink_audit.ui import column_looks
from tests.report.scored import scored_links


def test_every_column_of_a_table_is_configured():
    links = scored_links(5)
    assert set(column_looks.configure(links)) == set(links.columns)


def test_a_column_is_pinned_only_where_it_is_the_first():
    first = column_looks.configure(pd.DataFrame({"state": ["keep"], "verdict": ["Fine"]}))
    assert first["state"]["pinned"] and not first["verdict"].get("pinned")


def test_labels_given_replace_the_glossarys():
    table = pd.DataFrame({"url_rating": [1.0]})
    assert column_looks.configure(table, {"url_rating": "Page ascore"})["url_rating"]["label"] == "Page ascore"
    assert list(column_looks.labelled(table, {"url_rating": "Page ascore"})) == ["Page ascore"]


@pytest.mark.parametrize("name", [term.name for term in GLOSSARY if term.marks])
def test_the_word_of_every_mark_can_be_read_and_its_colour_stays_near_the_labels(name):
    mark = column_looks.configure(pd.DataFrame({name: ["x"]}))[name]["type_config"]
    for label, option in zip(TERMS[name].marks, mark["options"], strict=True):
        colour = option["color"]
        assert option["value"] == label.word
        # So does Streamlit's table choose the colour of the word.
        assert contrast("#000000" if luminance(colour) > 0.5 else "#FFFFFF", colour) >= 4.5
        assert contrast(label.colour, colour) < 1.6


def test_coloured_words_become_marks_and_blanks_stay_blank():
    shown = column_looks.for_screen(pd.DataFrame({"band": ["relevant", ""], "url": ["a", "b"]}))
    assert shown["band"].tolist() == [["relevant"], []]
    assert shown["url"].tolist() == ["a", "b"]


def test_shares_are_drawn_as_percent_with_one_decimal():
    table = pd.DataFrame({"followed_share": [0.173, 1.0]})
    assert column_looks.for_screen(table)["followed_share"].tolist() == pytest.approx([17.3, 100.0])
    assert column_looks.configure(table)["followed_share"]["type_config"]["format"] == "%.1f%%"


def test_ratings_and_clicks_are_written_without_decimals_that_the_tool_did_not_write():
    def written(name, *values):
        return column_looks.configure(pd.DataFrame({name: values}))[name]["type_config"]["format"]

    assert written("authority", 91.0, 8.0) == "localized" and written("authority", 91.0, 0.1) == "%.12g"
    assert written("mean_relevance", 91.0, 2.417) == "%.1f"
    assert written("clicks", 9882.0, 1.0) == "localized" and written("average_position", 13.28) == "%.12g"


def test_a_column_of_addresses_is_as_wide_as_what_is_shown_of_them():
    def width(*urls):
        return column_looks.configure(pd.DataFrame({"url": urls}))["url"]["width"]

    assert width("https://a.example/x", "https://a.example/y") == column_looks.LEAST_WIDTH
    assert width(*["https://a.example/" + "x" * 200] * 2) == column_looks.MOST_WIDTH


def test_targets_of_one_site_are_distinguished_by_their_paths():
    def shown(*urls):
        return column_looks.configure(pd.DataFrame({"target_url": urls}))["target_url"]["type_config"]["display_text"]

    one, several = (
        shown("https://www.a.example/x/", "http://a.example"),
        shown("https://a.example/x", "https://b.example/y"),
    )
    assert re.findall(one, "https://www.a.example/x/") == ["/x"]
    assert re.findall(one, "http://a.example") == ["a.example"]
    assert re.findall(several, "https://b.example/y") == ["b.example/y"]


def test_a_month_is_written_as_a_month_and_a_day_as_a_day():
    days = pd.to_datetime(["2024-07-01"])
    looks = column_looks.configure(pd.DataFrame({"month": days, "first_seen": days}))
    assert [looks[name]["type_config"]["format"] for name in looks] == ["MMMM YYYY", "YYYY-MM-DD"]


def test_a_page_is_its_site_and_title_in_one_line_or_its_address_with_a_link_beside_it():
    links = pd.DataFrame(
        {"referring_title": ["Oak \n chairs", ""], "referring_url": ["https://www.a.example/x", "http://b.example/"]}
    )
    drawn = column_looks.drawn(links, ["referring_page"])
    assert drawn["referring_page"].tolist() == ["a.example · Oak chairs", "b.example"]
    beside = column_looks.drawn(
        links.assign(referring_domain=["a.example", "b.example"]), ["referring_domain", "referring_page"]
    )
    assert beside["referring_page"].tolist() == ["Oak chairs", "b.example"]
    assert drawn["open_referring_page"].tolist() == links["referring_url"].tolist()
    assert column_looks.configure(drawn)["open_referring_page"]["type_config"]["type"] == "link"


def test_a_text_over_several_lines_is_one_line_and_whole():
    words = pd.DataFrame({"anchor": ["word\n" * 100], "why": ["x " * 300]})
    drawn = column_looks.drawn(words, ["anchor", "why"])
    assert drawn.iloc[0].tolist() == [("word " * 100).strip(), ("x " * 300).strip()]


REASON = "oak.example, a page: “Oak · oil”, with the anchor “oak”. Relevance 95.5: its title is close to the site's pages. Followed. DR 40."


def test_a_reason_repeats_nothing_that_stands_beside_it():
    table = pd.DataFrame({"why": [REASON], "anchor": ["oak"], "referring_title": ["Oak"], "referring_url": ["x"]})
    drawn = column_looks.drawn(table, ["referring_page", "why", "anchor"])["why"].tolist()
    assert drawn == ["oak.example, a page. Its title is close to the site's pages. Followed. DR 40."]
    assert column_looks.drawn(table, ["referring_page", "why"])["why"].tolist() == [REASON]


def test_a_reason_without_grounds_for_its_relevance_reads_on():
    why = "A list about “oak”, with the anchor “x”. Relevance 7. Not followed."
    table = pd.DataFrame({"why": [why], "anchor": ["x"], "referring_title": ["Oak"], "referring_url": ["x"]})
    drawn = column_looks.drawn(table, ["referring_page", "why", "anchor"])["why"].tolist()
    assert drawn == ["A list about “oak”. Not followed."]


def test_sentences_are_cut_at_what_a_cell_holds_and_only_there():
    table = pd.DataFrame({"why": [REASON * 3, "Short."], "verdict": ["Fine", "Fine"]})
    cut = column_looks.for_screen(table, column_looks.LINES)["why"].tolist()
    assert cut[0].endswith("…") and REASON.startswith(cut[0][:-1]) and cut[1] == "Short."
    assert column_looks.for_screen(table)["why"].tolist() == table["why"].tolist()
