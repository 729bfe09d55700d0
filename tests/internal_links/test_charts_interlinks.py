import numpy as np
import pandas as pd
import pytest

from backlink_audit.internal_links import charts
from tests.report.suggestions import SITES, suggestions


@pytest.fixture
def pairs():
    return suggestions()


def test_the_network_draws_every_page_and_link_once(pairs):
    drawn = charts.network(pairs.head(7), len(pairs))
    lines, dots = drawn.data
    assert len(lines.x) == 3 * 7
    assert list(dots.customdata) == list(dict.fromkeys([*pairs.head(7)["source_url"], *pairs.head(7)["target_url"]]))


def test_the_network_is_the_same_twice(pairs):
    first, second = charts.network(pairs, 30), charts.network(pairs, 30)
    assert list(first.data[1].x) == pytest.approx(list(second.data[1].x))


def test_pages_of_the_same_title_keep_their_own_row_in_the_heat_map():
    cosines = pd.DataFrame(np.eye(3), index=SITES[:3], columns=SITES[:3])
    drawn = charts.heat_map(cosines, ["Plumber", "Plumber", "Baker"])
    assert len(set(drawn.data[0].x)) == 3
    assert drawn.data[0].z.shape == (3, 3)


def test_empty_tables_say_so(pairs):
    none = pairs.head(0)
    for drawn in (
        charts.network(none, 0),
        charts.heat_map(pd.DataFrame(), []),
    ):
        assert drawn.layout.annotations[0].text


def test_a_heat_map_of_many_pages_has_their_names_in_the_hover_alone():
    pages = [f"https://a.example/{number}" for number in range(charts.MOST_HEAT_NAMES + 1)]
    drawn = charts.heat_map(pd.DataFrame(np.eye(len(pages)), index=pages, columns=pages), pages)
    assert drawn.layout.xaxis.showticklabels is drawn.layout.yaxis.showticklabels is False
    assert pages[0] in drawn.data[0].hovertext[0][0]


def test_the_cells_of_a_heat_map_have_hundredths_and_its_columns_the_numbers_of_the_rows():
    cosines = pd.DataFrame([[1, 0.456], [0.456, 1]], index=SITES[:2], columns=SITES[:2])
    cells = charts.heat_map(cosines, ["Plumber", "Baker"]).data[0]
    assert [list(row) for row in cells.text] == [["", "46"], ["46", ""]]
    assert (list(cells.x), list(cells.y)) == (["1", "2"], ["Plumber 1", "Baker 2"])
