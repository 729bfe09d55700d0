from io import BytesIO

import openpyxl
import pandas as pd
import pytest

from backlink_audit.labels import INLINK_VERDICTS, PROTECT
from backlink_audit.report import workbook
from backlink_audit.report.workbook import MARKED, write_workbook


def read_back(sheets, **changes):
    buffer = BytesIO()
    written = write_workbook(sheets, buffer)
    return openpyxl.load_workbook(buffer), written


def test_values_come_back_as_they_went_in():
    table = pd.DataFrame(
        {
            "Title": ["NULL", "", "=1+1"],
            "CAS": [45.0, None, -0.025],
            "Followed": [True, False, True],
            "First seen": pd.to_datetime(["2025-10-06", "", "2024-01-01"]),
        }
    )
    book, _ = read_back({"Scored backlinks": table})
    rows = list(book["Scored backlinks"].iter_rows(values_only=True))
    assert rows[0] == ("Title", "CAS", "Followed", "First seen")
    assert rows[1][:3] == ("NULL", 45, True)
    assert rows[1][3].isoformat() == "2025-10-06T00:00:00"
    assert rows[2] == (None, None, False, None)
    assert rows[3][:2] == ("=1+1", -0.025)


def test_text_that_looks_like_a_formula_is_text_and_web_addresses_are_links():
    table = pd.DataFrame(
        {
            "Anchor": ["=cmd()", "+1 (555)", "@name", "-x"],
            "URL": ["https://a.example/x?y#z", "", "HTTP://b", "https://c"],
        }
    )
    book, _ = read_back({"Links": table})
    sheet = book["Links"]
    assert [cell.data_type for cell in sheet["A"][1:]] == ["s"] * 4
    assert sheet["B2"].value == "https://a.example/x?y#z"
    assert (sheet["B2"].hyperlink.target, sheet["B2"].hyperlink.location) == ("https://a.example/x?y", "z")
    assert sheet["B3"].hyperlink is None


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "https://a.example/ b"])
def test_a_column_with_anything_else_than_web_addresses_is_text(url):
    book, _ = read_back({"Links": pd.DataFrame({"URL": ["https://a.example/", url]})})
    assert not any(cell.hyperlink for cell in book["Links"]["A"])


def test_links_beyond_excels_limit_are_text_and_counted(monkeypatch):
    monkeypatch.setattr(workbook, "MAX_LINKS", 2)
    book, written = read_back({"Links": pd.DataFrame({"URL": [f"https://a.example/{n}" for n in range(5)]})})
    assert [bool(cell.hyperlink) for cell in book["Links"]["A"][1:]] == [True, True, False, False, False]
    assert "URLs without a link in sheet “Links”: 3, as an" in book["Notes"]["A2"].value
    assert written.unlinked == {"Links": 3}


def test_numbers_and_dates_stand_as_the_tool_wrote_them():
    table = pd.DataFrame(
        {"UR": ["47", "4.4"], "DR": [47.0, 4.4], "First seen": ["2025-10-06 07:31:55", ""], "Date": ["03/04/2025", ""]}
    )
    sheet = read_back({"Links": table})[0]["Links"]
    assert [(cell.value, cell.number_format) for cell in sheet["A"][1:]] == [(47, "General"), (4.4, "General")]
    assert [(cell.value, cell.number_format) for cell in sheet["B"][1:]] == [(47, "General"), (4.4, "General")]
    assert sheet["C2"].value.isoformat() == "2025-10-06T07:31:55"
    assert sheet["C2"].number_format == "yyyy-mm-dd"
    assert sheet["D2"].value == "03/04/2025"


def test_a_month_is_written_as_a_month():
    sheet = read_back({"Months": pd.DataFrame({"Month": pd.to_datetime(["2024-07-01"])})})[0]["Months"]
    assert sheet["A2"].number_format == "mmmm yyyy"


def test_of_a_wide_table_the_first_columns_stand_still_and_what_says_nothing_is_left_out():
    table = pd.DataFrame({"Verdict": ["Fine", "Fine"], "Why": ["a", "b"], **{f"c{n}": [n, n + 1] for n in range(6)}})
    book, written = read_back({"Links": table.assign(Lang="en", Empty="")})
    header = [cell.value for cell in book["Links"][1]]
    assert header == list(table.columns)
    assert book["Links"].freeze_panes == "C2"
    assert written.left_out == {"Links": ["Lang (en)", "Empty (empty)"]}
    assert "Columns not included in sheet “Links”" in book["Notes"]["A2"].value


def test_a_row_of_several_lines_is_as_high_as_they_are():
    book, _ = read_back({"Notes": pd.DataFrame({"Note": ["short", "a word " * 20]})})
    heights = book["Notes"].row_dimensions
    assert heights[2].height is None and heights[3].height == 3 * workbook.LINE_POINTS


def test_the_summary_has_a_chart_of_verdicts_and_one_of_relevance():
    verdicts = pd.DataFrame({"Verdict": [PROTECT.word, "Fine"], "Links": [3, 1]})
    relevance = pd.DataFrame({"Relevance": ["90–100", "80–90"], "Links": [3, 1]})
    book, _ = read_back({"Summary": pd.DataFrame({"Part": ["a"]}), "Verdicts": verdicts, "Relevance": relevance})
    drawn = [chart.ser[0].val.numRef.f for chart in book["Summary"]._charts]
    assert drawn == ["Verdicts!$B$2:$B$3", "Relevance!$B$2:$B$3"]


def test_a_url_longer_than_excel_links_allow_is_kept_whole():
    url = "https://a.example/" + "x" * 3000
    book, written = read_back({"Links": pd.DataFrame({"URL": [url]})})
    assert book["Links"]["A2"].value == url
    assert book["Links"]["A2"].hyperlink is None
    assert not written.cut


def test_cells_cut_at_the_limit_are_counted_and_said():
    book, written = read_back({"Pages": pd.DataFrame({"Content": ["x" * 40_000, "short"]})})
    assert written.cut == {("Pages", "Content"): 1}
    assert len(book["Pages"]["A2"].value) == 32_767
    assert "1 cell(s) of “Content” in sheet “Pages”" in book["Notes"]["A2"].value


def test_rows_beyond_the_limit_go_on_over_further_sheets(monkeypatch):
    monkeypatch.setattr(workbook, "MAX_ROWS", 4)
    book, written = read_back({"Links": pd.DataFrame({"n": range(8)})})
    assert written.sheets[:3] == ["Links", "Links (2)", "Links (3)"]
    values = [cell.value for title in written.sheets[:3] for cell in book[title]["A"][1:]]
    assert values == list(range(8))


def test_more_rows_than_are_turned_at_a_time_all_arrive(monkeypatch):
    monkeypatch.setattr(workbook, "ROWS_AT_A_TIME", 3)
    book, _ = read_back({"Links": pd.DataFrame({"n": range(10)})})
    assert [cell.value for cell in book["Links"]["A"][1:]] == list(range(10))


def test_header_is_frozen_and_filtered_and_scores_have_three_decimals():
    book, _ = read_back({"Links": pd.DataFrame({"Similarity": [0.5], "Verdict": [PROTECT.word]})})
    sheet = book["Links"]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:B2"
    assert sheet["A2"].number_format == "0.000"
    assert len(sheet.conditional_formatting) == 2


@pytest.mark.parametrize(("values", "kept"), [(["200", "3.7"], [200, 3.7]), (["007", "1"], ["007", "1"])])
def test_the_users_numbers_are_numbers_unless_that_would_change_them(values, kept):
    book, _ = read_back({"Links": pd.DataFrame({"Code": values})})
    assert [cell.value for cell in book["Links"]["A"][1:]] == kept


def test_an_empty_table_is_a_header():
    book, _ = read_back({"Links": pd.DataFrame({"URL": pd.Series([], dtype="str")})})
    assert list(book["Links"].iter_rows(values_only=True)) == [("URL",)]


def test_sheet_names_excel_refuses_are_made_acceptable():
    _, written = read_back({"a/b:c" * 10: pd.DataFrame({"n": [1]}), "a-b-c" * 10: pd.DataFrame({"n": [1]})})
    assert written.sheets == [("a-b-c" * 10)[:31], ("a-b-c" * 10)[:27] + " (2)"]


def test_a_place_that_cannot_be_written_is_the_systems_error(tmp_path):
    with pytest.raises(OSError, match="directory"):
        write_workbook({}, tmp_path)


def test_days_before_excels_calendar_are_blank():
    table = pd.DataFrame({"First seen": pd.to_datetime(["0001-01-01", "2025-10-06"], format="ISO8601")})
    book, _ = read_back({"Links": table})
    assert book["Links"]["A2"].value is None
    assert book["Links"]["A3"].value.isoformat() == "2025-10-06T00:00:00"


def test_every_verdict_of_links_inside_a_site_has_its_colour():
    assert {label.word for label in INLINK_VERDICTS} <= {label.word for label in MARKED["verdict"]}
