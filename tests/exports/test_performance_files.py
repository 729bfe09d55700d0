"""Clicks and visits come in as csv, zip and workbook, for one period or two; what is not wanted is named."""

import io
import zipfile

import openpyxl
import pytest

from backlink_audit.errors import UnreadableFile, WrongExport
from backlink_audit.exports.load import load
from tests.exports.made import sample

CHART = "Date,Clicks,Impressions,CTR,Position\n2025-01-01,1,2,50%,4\n2025-01-02,1,2,50%,4\n"
QUERIES = "Top queries,Clicks,Impressions,CTR,Position\noak,1,2,50%,4\n"
PAGES = "Top pages,Clicks,Impressions,CTR,Position\nhttps://shop.example/oak,12,400,3%,8.4\n"
LATER, EARLIER = "10/1/25 - 12/31/25", "10/1/24 - 12/31/24"


def zipped(**files: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.csv", text)
    return data.getvalue()


def workbook(**sheets: str) -> bytes:
    book, data = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, text in sheets.items():
        sheet = book.create_sheet(name)
        for line in text.splitlines():
            sheet.append([float(cell) if cell.replace(".", "", 1).isdigit() else cell for cell in line.split(",")])
    book.save(data)
    return data.getvalue()


@pytest.mark.parametrize("packed", [zipped, workbook])
def test_the_table_of_pages_is_found_behind_chart_and_queries(packed):
    export = load([("performance", packed(Chart=CHART, Queries=QUERIES, Pages=PAGES))], "performance")
    row = export.table.iloc[0]
    assert (len(export.table), row["page"]) == (1, "https://shop.example/oak")
    assert (row["clicks"], row["impressions"], row["average_position"]) == (12, 400, 8.4)


def test_two_periods_are_told_apart_the_later_one_first():
    names = [f"{period} {name}" for name in ("Clicks", "Impressions", "CTR", "Position") for period in (LATER, EARLIER)]
    text = f"Top pages,{','.join(names)}\nhttps://shop.example/oak,30,3,304,9,9.9%,1%,16.2,19\n"
    row = load([("pages.csv", text.encode())], "performance").table.iloc[0]
    assert (row["clicks"], row["clicks_before"]) == (30, 3)
    assert (row["impressions"], row["impressions_before"]) == (304, 9)
    assert (row["average_position"], row["average_position_before"]) == (16.2, 19)


def test_ga4_is_read_with_and_without_its_comment_lines():
    whole = sample("ga4_pages.csv")
    bare = b"\n".join(line for line in whole.splitlines() if not line.startswith(b"#"))
    for data in (whole, bare):
        table = load([("ga4.csv", data)], "performance").table
        assert table[["page", "views", "users"]].to_numpy().tolist() == [["/oak", 120, 90], ["/", 60, 50]]


def test_what_is_wanted_and_what_came_is_one_sentence():
    with pytest.raises(WrongExport, match=r"Search Console pages”, but backlinks are needed here"):
        load([("pages.csv", PAGES.encode())], "backlinks")
    with pytest.raises(WrongExport, match="Semrush backlinks”, but pages with clicks or visits are needed here"):
        load([("semrush.csv", sample("semrush_backlinks.csv"))], "performance")
    with pytest.raises(WrongExport, match="by query, country, device or day"):
        load([("queries.csv", QUERIES.encode())], "performance")


def test_a_zip_that_is_cut_off_or_without_a_table_is_refused():
    with pytest.raises(UnreadableFile, match="damaged"):
        load([("performance.zip", zipped(Pages=PAGES)[:60])], "performance")
    with pytest.raises(UnreadableFile, match="no table in it"):
        load([("performance.zip", zipped(Pages=""))], "performance")
