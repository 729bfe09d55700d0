import pandas as pd

from backlink_audit.ui.show import Selection
from backlink_audit.ui.worktable import rows_with
from tests.report.scored import scored_links

TABLE = pd.DataFrame({"x": [0.1, 0.5, 0.9], "y": [10.0, 20.0, 30.0], "text": ["A (b)", "c*d", ""]}, index=[7, 8, 9])


def test_without_a_selection_every_row_is_left():
    assert Selection().rows(TABLE, "x", "y").index.tolist() == [7, 8, 9]


def test_a_box_takes_the_rows_inside_it_drawn_or_not():
    selection = Selection(boxes=({"x": [0.6, 0.05], "y": [5, 25]},))
    assert selection.rows(TABLE, "x", "y").index.tolist() == [7, 8]


def test_points_take_the_rows_their_marks_name():
    selection = Selection(points=({"customdata": 9}, {"customdata": 7}))
    assert selection.rows(TABLE, "x", "y").index.tolist() == [7, 9]


def test_the_search_is_literal_and_in_either_case():
    assert rows_with(TABLE, ["text"], "a (B").index.tolist() == [7]
    assert rows_with(TABLE, ["text"], "*").index.tolist() == [8]


def test_the_search_finds_rows_with_all_the_words_in_any_columns_accents_and_case_aside():
    table = pd.DataFrame(
        {
            "title": ["Été à Genève", "Summer in Geneva", None, "Ete"],
            "url": ["https://a.example/velo", "https://b.example/", "https://geneve.example/été", "https://c.example/"],
        }
    )
    assert rows_with(table, ["title", "url"], "GENEVE  été").index.tolist() == [0, 2]
    assert rows_with(table, ["title", "url"], "ete vélo").index.tolist() == [0]
    assert rows_with(table, ["title"], "geneve ete").index.tolist() == [0]
    assert rows_with(table, ["title", "url"], "geneva geneve").empty


def test_a_blank_search_leaves_all():
    assert len(rows_with(TABLE, ["text"], "  ")) == 3


def test_the_search_passes_over_numbers():
    links = scored_links(20)
    assert rows_with(links, list(links.columns), "chairs-17").index.tolist() == [17]
    assert rows_with(links, ["url_rating"], "7").empty
