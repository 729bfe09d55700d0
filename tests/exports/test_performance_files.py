"""Clicks and visits come in as csv, zip and workbook, for one period or two; what is not wanted is named."""

import io
import subprocess
import zipfile
from time import perf_counter

import openpyxl
import pandas as pd
import pytest

from backlink_audit.errors import MissingColumns, UnreadableFile, WrongExport
from backlink_audit.exports import read
from backlink_audit.exports.load import load, recognise_file
from backlink_audit.exports.read import read_tables
from backlink_audit.exports.search_console import join_dates
from backlink_audit.site.pages import read_figures
from tests.exports.made import sample, xlsx_bytes

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


def test_two_periods_are_distinguished_the_later_one_first():
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
    with pytest.raises(WrongExport, match=r"Search Console pages”, but backlinks are required"):
        load([("pages.csv", PAGES.encode())], "backlinks")
    with pytest.raises(WrongExport, match="Semrush backlinks”, but pages with clicks or visits are required"):
        load([("semrush.csv", sample("semrush_backlinks.csv"))], "performance")
    with pytest.raises(WrongExport, match="by query, country, device or day"):
        load([("queries.csv", QUERIES.encode())], "performance")


def test_a_zip_that_is_cut_off_or_without_a_table_is_refused():
    with pytest.raises(UnreadableFile, match="damaged"):
        load([("performance.zip", zipped(Pages=PAGES)[:60])], "performance")
    with pytest.raises(UnreadableFile, match="the file has no table"):
        load([("performance.zip", zipped(Pages=""))], "performance")


def test_the_chart_of_a_zip_of_a_workbook_and_of_its_own_file_says_the_clicks_of_each_day():
    files = {"zip": [("all.zip", zipped(Chart=CHART, Pages=PAGES))]}
    files["workbook"] = [("all.xlsx", workbook(Chart=CHART, Queries=QUERIES, Pages=PAGES))]
    files["csv"] = [("Chart.csv", CHART.encode()), ("Pages.csv", PAGES.encode())]
    for given in files.values():
        export = load(given, "performance")
        assert export.by_date is not None
        assert len(export.table) == 1 and export.by_date["clicks"].tolist() == [1, 1]
        assert export.by_date["date"].dt.day.tolist() == [1, 2]


def test_an_empty_chart_says_nothing_and_a_chart_alone_names_no_page():
    for packed in (zipped, workbook):
        export = load([("all", packed(Chart=CHART.splitlines()[0], Pages=PAGES))], "performance")
        assert export.by_date is not None
        assert len(export.table) == 1 and export.by_date.empty
    with pytest.raises(WrongExport, match="by query, country, device or day"):
        load([("Chart.csv", CHART.encode())], "performance")


def test_weeks_and_months_have_a_first_and_a_last_day():
    chart = "Date range,Clicks\n2024-12-30 - 2025-01-05,7\n2025-01-06 – 2025-01-12,3\n"
    by_date = load([("c.csv", chart.encode()), ("p.csv", PAGES.encode())], "performance").by_date
    assert by_date is not None
    assert (by_date["until"] - by_date["date"]).dt.days.tolist() == [6, 6]


def test_files_of_different_periods_are_named():
    search = ("all.zip", zipped(Chart=CHART, Pages=PAGES))
    same = sample("ga4_pages.csv").replace(b"20251231", b"20250102")
    other = load([search, ("ga4.csv", sample("ga4_pages.csv"))], "performance").notes[-1]
    assert "different periods" in other and "all.zip: 2025-01-01 to 2025-01-02; ga4.csv: 2025-01-01 to 20" in other
    assert load([search, ("ga4.csv", same)], "performance").notes == ()


def test_search_console_in_other_languages_and_by_hand():
    for header in (
        "Häufigste Seiten,Klicks,Impressionen,CTR,Position",
        "Páginas principales,Clics,Impresiones,CTR,Posición",
    ):
        export = load([("p.csv", f"{header}\nhttps://shop.example/oak,12,400,3%,8.4\n".encode())], "performance")
        assert export.table[["clicks", "average_position"]].to_numpy().tolist() == [[12, 8.4]]
    russian = "Самые популярные страницы,Клики,Показы,CTR,Позиция\nhttps://shop.example/oak,12,400,3%,8.4\n".encode()
    by_hand = {"page": "Самые популярные страницы", "clicks": "Клики", "average_position": "Позиция"}
    assert load([("p.csv", russian)], "performance", by_hand).table["clicks"].tolist() == [12]


def test_a_total_row_of_ga4_is_no_page():
    total = sample("ga4_pages.csv") + b",180,140,,,,,\nGrand total,180,140,,,,,\n"
    found = read_figures(
        load([("ga4.csv", total)], "performance"), pd.Series(["https://shop.example/oak"], dtype="str")
    )
    assert found is not None and found.table["views"].sum() == 180 and found.left_out == 2


def test_two_columns_of_one_metric_are_said_and_the_first_counts():
    text = "Page path and screen class,Views,Active users,Views\n/oak,9,5,4\n"
    export = load([("ga4.csv", text.encode())], "performance")
    assert export.table["views"].tolist() == [9]
    assert export.notes == ("the file has the column “Views” more than once; the first one is used.",)


def by_date_of(*files):
    found = load([(name, text.encode()) for name, text in (*files, ("p.csv", PAGES))], "performance")
    assert found.by_date is not None
    return found.by_date["clicks"].tolist(), found.notes


def dates_of(name, text):
    return join_dates([(name, text.encode(), read_tables(text.encode(), name, dates=True)[1])]).rows


@pytest.mark.parametrize("packed", [zipped, workbook])
def test_a_file_of_clicks_is_read_once_for_its_pages_and_its_dates(packed, monkeypatch):
    times: dict[str, int] = {}

    def counted(module, name):
        real = getattr(module, name)

        def call(*given, **named):
            times[name] = times.get(name, 0) + 1
            return real(*given, **named)

        monkeypatch.setattr(module, name, call)

    counted(read, "read_delimited")
    counted(subprocess, "run")
    export = load([("all", packed(Chart=CHART, Pages=PAGES)), ("Chart.csv", CHART.encode())], "performance")
    assert export.by_date is not None and len(export.by_date) == 2 and len(export.table) == 1
    assert times == ({"read_delimited": 3} if packed is zipped else {"read_delimited": 1, "run": 1})


def test_one_long_cell_of_spaces_is_read_at_once():
    chart = f"Date,Clicks\n2025{' ' * 100_000}x,1\n2025-01-01,2\n"
    begun = perf_counter()
    rows = dates_of("c.csv", chart)
    assert rows["clicks"].tolist() == [2] and perf_counter() - begun < 1


@pytest.mark.parametrize("second", ["Query", "Landing page + query string", "Seite"])
def test_a_table_with_more_than_dates_and_figures_is_no_chart_and_is_not_passed_over(second):
    text = f"Date,{second},Clicks\n2025-01-01,/a,5\n2025-01-01,/b,50\n"
    assert dates_of("q.csv", text).empty
    with pytest.raises(MissingColumns, match=r"q\.csv"):
        by_date_of(("q.csv", text))
    by_hand = load([("q.csv", text.encode())], "performance", {"page": second, "clicks": "Clicks"})
    assert by_hand.by_date is not None and by_hand.by_date.empty and by_hand.table["clicks"].sum() == 55


def test_days_that_two_files_have_count_once_whichever_comes_first():
    week = ("week.csv", "Date range,Clicks\n2025-01-06 - 2025-01-12,70\n")
    days = ("days.csv", "Date,Clicks\n" + "".join(f"2025-01-{day:02},10\n" for day in range(5, 15)))
    assert by_date_of(days, week)[0] == [10] * 10
    clicks, notes = by_date_of(week, days)
    assert clicks == [10, 70, 10, 10]
    assert notes[0] == "week.csv has clicks by date but no pages, so only its clicks per month are used."
    assert (
        "7 rows of clicks by date in days.csv are excluded: an earlier row or file already has these days" in notes[2]
    )
    assert by_date_of(("twice.csv", "Date,Clicks\n2025-01-06,1\n2025-01-06,1\n"))[0] == [1]


def test_days_go_before_their_weeks_and_a_row_left_out_takes_none_with_it():
    days = [(f"2025-01-{day:02}", 1) for day in range(1, 15)]
    weeks = [("2025-01-01 - 2025-01-07", 7), ("2025-01-08 - 2025-01-14", 7), ("2025-01-01 - 2025-01-31", 31)]
    mixed = "Date range,Clicks\n" + "".join(f"{span},{clicks}\n" for span, clicks in weeks + days)
    assert by_date_of(("mixed.csv", mixed))[0] == [1] * 14
    spans = "Date range,Clicks\n2025-01-01 - 2025-01-07,1\n2025-01-05 - 2025-01-11,2\n2025-01-09 - 2025-01-15,4\n"
    assert by_date_of(("spans.csv", spans))[0] == [1, 4]


def test_rows_longer_than_a_month_are_left_out_and_said():
    chart = "Date range,Clicks\n2025-01-01 - 2025-01-31,31\n2024-01-01 - 2024-12-30,366\nTotal,397\n"
    clicks, notes = by_date_of(("c.csv", chart))
    assert clicks == [31]
    assert (
        "2 rows of clicks by date in c.csv are excluded: the date cannot be read, or the period is longer" in notes[1]
    )


LANGUAGES = {
    "ja": ("上位のページ,クリック数,表示回数,CTR,掲載順位", "1,240", "2.5%"),
    "zh": ("排名靠前的网页,点击次数,展示,点击率,排名", "1,240", "2.5%"),
    "ko": ("인기 페이지,클릭수,노출,CTR,게재순위", "1,240", "2.5%"),
    "ru": ("Популярные страницы;Kлики;Показы;CTR;Позиция", "1 240", "2,5%"),
    "cs": ("Nejvýznamnější stránky;Prokliky;Zobrazení;CTR;Pozice", "1\u00a0240", "2,5 %"),
    "pl": ("Najpopularniejsze strony;Kliknięcia;Wyświetlenia;CTR;Pozycja", "1\u00a0240", "2,5%"),
    "tr": ("En çok tıklanan sayfalar;Tıklamalar;Gösterimler;TO;Konum", "1.240", "%2,5"),
    "ar": ("أهم الصفحات,النقرات,مرّات الظهور,نسبة النقر,الموضع", "1,240", "2.5٪"),
    "he": ("דפים מובילים,קליקים,הופעות,שיעור קליקים,מיקום", "1,240", "2.5%"),
    "sv": ("De vanligaste sidorna;Klick;Visningar;CTR;Position", "1\u00a0240", "2,5 %"),
    "th": ("หน้ายอดนิยม,จำนวนคลิก,การแสดงผล,CTR,อันดับ", "1,240", "2.5%"),
    "el": ("Κορυφαίες σελίδες;Κλικ;Εμφανίσεις;CTR;Θέση", "1.240", "2,5%"),
    "hi": ("शीर्ष पृष्ठ,क्लिक,इंप्रेशन,CTR,स्थान", "1,240", "2.5%"),
}
"""Of each language a header of Search Console's pages, a count and a percentage as it writes them."""


def of_language(header: str, count: str, percent: str, subject: str = "https://shop.example/p{}") -> bytes:
    between = ";" if ";" in header else ","
    counts = [count, "8", "0"]
    shown = [count.replace("1", "49").replace("240", "600").replace("4949", "49"), "320", "12"]
    ratios = [percent, percent, percent.replace("2.5", "0").replace("2,5", "0")]
    rows = zip([subject.format(row) for row in range(3)], counts, shown, ratios, ["3", "12", "40"], strict=True)
    quoted = [between.join(f'"{cell}"' for cell in row) for row in rows]
    return "\n".join([header, *quoted]).encode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_performance_is_recognised_by_its_values_in_any_language(language):
    pages = recognise_file("p.csv", of_language(*LANGUAGES[language]))
    assert pages.format.name == "Search Console pages"
    assert pages.table["clicks"].tolist() == [1240, 8, 0] and pages.table["average_position"].tolist() == [3, 12, 40]
    assert list(pages.raw.columns) == LANGUAGES[language][0].replace(";", ",").split(",")
    with pytest.raises(WrongExport, match="performance by query"):
        recognise_file("q.csv", of_language(*LANGUAGES[language], "oak table {}"))


def test_a_workbook_in_another_language_has_its_pages_and_days():
    def sheet(first: str, subjects: list[str]) -> list[list[object]]:
        return [[first, "クリック数", "表示回数", "CTR", "掲載順位"], *([one, 5, 200, 0.025, 8.5] for one in subjects)]

    book = xlsx_bytes(
        sheet("日付", ["2026-05-01", "2026-05-02"]),
        sheet("クエリ", ["机", "椅子"]),
        sheet("ページ", ["https://shop.example/a"]),
    )
    export = load([("検索.xlsx", book)], "performance")
    assert export.table["clicks"].tolist() == [5]
    assert export.by_date is not None and export.by_date["clicks"].tolist() == [5, 5]


SUBJECTS = ("https://shop.example/{}", "/oak/{}", "shop{}.example", "2026-05-0{}", "oak {}")
NOT_PERFORMANCE = (
    [("12", "40", "3%", "8"), ("25", "100", "9%", "2"), ("3", "9", "50%", "7")],  # a ratio of something else
    [("120", "40", "300%", "8"), ("25", "10", "250%", "2"), ("3", "1", "300%", "7")],  # more clicks than views
    [("1.5", "60", "2.5%", "8"), ("2.5", "100", "2.5%", "2"), ("0.5", "20", "2.5%", "7")],  # counts with fractions
    [("Oak", "40", "3%", "8"), ("Tea", "100", "9%", "2"), ("Pine", "9", "50%", "7")],
    [("200", "1", "12", "34"), ("404", "2", "0", "3"), ("301", "0", "5", "9")],  # a crawl
    [("31", "64", "12", "2026-01-02"), ("12", "40", "3", "2026-02-02"), ("9", "8", "1", "2026-03-02")],  # ratings
    [("5", "10", "50%", "-3"), ("1", "4", "25%", "-8"), ("2", "8", "25%", "-1")],
    [("0", "0", "0", "0"), ("0", "0", "0", "0"), ("0", "0", "0", "0")],
)


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("figures", NOT_PERFORMANCE)
def test_other_tables_with_numbers_are_not_taken_for_performance(subject, figures):
    rows = [",".join([subject.format(number), *row]) for number, row in enumerate(figures, start=1)]
    with pytest.raises(MissingColumns):
        recognise_file("file.csv", "\n".join(["Un,Deux,Trois,Quatre,Cinq", *rows]).encode())


OTHER_TABLES = """
Landing page,Entrances,Goal completions,Goal rate,Pages per visit
Landing page,Leads,Hits,Lead rate,Minutes on page
Zielseite,Bestellungen,Besuche,Conversion-Rate,Umsatz
Seite,Absprünge,Einstiege,Absprungrate,Seiten pro Besuch
Page de destination,Commandes,Visites,Taux de conversion,Panier moyen
Página de destino,Compras,Visitas,Tasa de conversión,Valor
Страница входа,Заказы,Визиты,Конверсия,Глубина просмотра
着陸頁,訂單,訪客,轉換率,平均頁數
Product link,Orders,Visitors,Conversion rate,Stock
Product link,Returned,Sold,Return rate,Stars
Product link,Price,List price,Share of list price,Reviews
Offer,Disapproved,Countries x offers,Share disapproved,Feeds
Category,In stock,Products,Share in stock,Suppliers
Artículo,Ventas,Unidades,Margen,Proveedores
SKU,Damaged,Delivered,Damage rate,Weight
Ranking page,Traffic estimate,Search volume total,Visibility,Best place
Tracked page,Top 3,Top 100,Share of top 3,Average place
Search term,Estimated visits,Volume per month,Share of voice,Place
Keyword phrase,Easy results,Results,Ease,Words
Keyword idea,Questions,Searches a month,Share of questions,Bid
Address of the page,Errors,Requests,Error rate,Latency
Address of the page,4xx,Hits,Share of 4xx,Bots
Path asked for,Blocked,Requests,Blocked share,Networks
Host,Cached,Served,Cache ratio,Countries
Server,Used GB,Total GB,Used,Disks
Crawled page,Broken links,Links on page,Broken share,Level
Crawled page,Title length,Text length,Title to text,Headings
Crawled page,Images without text,Images,Share without text,Megabytes
Crawled page,Hidden words,Words of the page,Hidden share,Seconds
Sitemap,Not indexed,Submitted,Not indexed %,Files
Newsletter,Opens,Sent,Open rate,Unsubscribes
Campaign page,Opened,Delivered,Share opened,Bounces
Affiliate link,Sales,Referrals,Conversion,Commission
Final address,Conversions,Interactions,Conv. rate,Cost per conversion
Video,Likes,Plays,Like rate,Minutes
Post,Shares,Reach,Engagement rate,Comments
Form,Submitted,Started,Completion,Fields
Variant,Wins,Trials,Win ratio,Days running
Answer page,Citations by engine,Answers,Share of answers,Engines
Linking site,Lost links,All links,Lost share,Years
School,Passed,Pupils,Pass rate,Teachers
Region,Votes,Voters,Turnout,Seats
""".strip().splitlines()
"""Of other tools, with a ratio of two counts that holds and a number from 1: all that Search Console's figures are."""
OTHER_LISTS = ("Bookmark,Saved on", "Article,Published", "URL,Last modified", "Supplier,Contract ends", "Shop,Since")


@pytest.mark.parametrize("subject", ["https://shop.example/{}", "oak {}"])
@pytest.mark.parametrize("header", OTHER_TABLES)
def test_tables_of_other_tools_are_not_taken_for_search_console(header, subject):
    figures = ("25,1000,2.5%,3.2", "10,400,2.5%,2.1", "8,80,10%,4")
    rows = [f"{subject.format(number)},{row}" for number, row in enumerate(figures)]
    with pytest.raises(MissingColumns, match="do not match any known export"):
        recognise_file("shop.example-file.csv", "\n".join([header, *rows]).encode())


@pytest.mark.parametrize("header", OTHER_LISTS)
def test_lists_of_addresses_with_a_date_are_not_taken_for_linking_pages(header):
    days = ("2026-05-01", "2026-05-02", "2026-05-03") if header != "Shop,Since" else ("2001", "2004", "1999")
    rows = [f"https://site{number}.example/page,{day}" for number, day in enumerate(days)]
    with pytest.raises(MissingColumns, match="do not match any known export"):
        recognise_file("shop.example-file.csv", "\n".join([header, *rows]).encode())


def test_costs_beside_clicks_are_no_position():
    rows = "https://shop.example/a,25,1000,2.5%,12.4\nhttps://shop.example/b,0,80,0%,0\n"
    with pytest.raises(MissingColumns):
        recognise_file("ads.csv", f"Final address,Ad clicks,Impr.,CTR,Cost\n{rows}".encode())
