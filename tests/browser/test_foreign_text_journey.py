"""Words of a file are never markup: on no page does the browser ask for anything that a file names.

Every place of every file is marked: names, headers, sheets, titles, anchors, content, URLs, the decisions of a review.
"""

import csv
import io
from collections.abc import Iterator
from itertools import cycle
from urllib.parse import urlsplit

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from backlink_audit.ui import menu
from tests.browser import journey
from tests.crawls import CRAWL_HEADER, LINKS_HEADER, as_csv
from tests.exported import AHREFS

pytestmark = pytest.mark.browser

HOST = "foreign.example"
MARKS = (
    f"![i](https://{HOST}/1.png)",
    f"![i](https:{HOST}/2.png)",
    f"![i](https&#58;&#47;&#47;{HOST}/3.png)",
    f"\\![i](//{HOST}/4.png)",
    f"<img src=https://{HOST}/5.png>",
    f"]( ![i](https://{HOST}/6.png) **x** `y` $z$ :red[w]",
    f"**![i](https://{HOST}/7.png)**",
    f"\n\n![i](https://{HOST}/8.png)\n\n# H",
)
NAME = f"![i](https:{HOST}) \\![i](https&#58;{HOST}) {{}}.csv"
"""A file's name has no slash: the browser would cut it there."""


def subjects() -> Iterator[str]:
    return cycle(("running shoes", "garden tools", "winter tents", "trail maps"))


def backlinks(site: str, rows: int) -> bytes:
    found = [
        AHREFS
        | {
            "Referring page title": f"{subject} {mark} {row // 3}",
            "Referring page URL": f"https://{'blog' if row % 3 else site[:4]}{row // 2}.example/{mark.strip()}/{row}",
            "Target URL": f"https://{site}/{subject.replace(' ', '-')}?{mark.strip()}",
            "Anchor": f"{mark} {subject}" if row % 4 else mark,
            "Left context": mark,
            "Lost status": "Lost" if row % 9 == 0 else "",
            "Drop reason": mark if row % 9 == 0 else "",
            "Language": mark if row % 5 == 0 else "en",
            "Type": "text",
            mark.strip(): mark,
        }
        for row, mark, subject in zip(range(rows), cycle(MARKS), subjects(), strict=False)
    ]
    return pd.DataFrame(found).fillna("").to_csv(index=False, quoting=csv.QUOTE_ALL).encode()


def crawl() -> bytes:
    rows = [
        (
            f"https://our-site.com/{subject.replace(' ', '-')}-{row}?{mark.strip()}",
            "text/html",
            200,
            "Indexable",
            f"{subject} {row} {mark} | {MARKS[0]}",
            f"{mark} {subject}",
            f"All about {subject}, {mark} and about running shoes {row}. " * 3,
        )
        for row, mark, subject in zip(range(24), cycle(MARKS), subjects(), strict=False)
    ]
    return as_csv((*CRAWL_HEADER, MARKS[1]), [(*row, MARKS[2]) for row in rows])


def inlinks() -> bytes:
    pages = [line[0] for line in csv.reader(io.StringIO(crawl().decode()))][1:]
    rows = [("Hyperlink", source, pages[0], MARKS[0], 200, "OK", "true", "Content") for source in pages[:6]]
    return as_csv(LINKS_HEADER, rows)


def workbook() -> bytes:
    file = io.BytesIO()
    with pd.ExcelWriter(file, engine="openpyxl") as book:
        pd.read_csv(io.BytesIO(backlinks("theirs.com", 20)), dtype=str).to_excel(
            book, sheet_name="<img src=foreign.example>", index=False
        )
    return file.getvalue()


FILES = {
    "Backlinks": (NAME.format(1), backlinks("our-site.com", 60)),
    "Crawl of your site": (NAME.format(2), crawl()),
    "All inlinks": (NAME.format(3), inlinks()),
    "Older backlinks": (NAME.format(4), backlinks("our-site.com", 30)),
    "Competitors": (NAME.format(5).replace(".csv", ".xlsx"), workbook()),
}


def bring(page: Page, role: str, name: str, data: bytes) -> None:
    page.get_by_role("button", name="Add or replace files").click()
    box = page.get_by_role("dialog").get_by_test_id("stExpander").filter(has_text=role).first
    box.locator("summary").first.click()
    box.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    expect(page.get_by_role("dialog")).to_have_count(0)
    journey.wait_until_still(page)


def assert_no_markup(page: Page) -> None:
    assert page.locator(f"img[src*='{HOST}']").count() == 0
    assert page.get_by_test_id("stException").all_inner_texts() == []


def test_no_page_asks_for_what_a_file_names(page: Page, server: str):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.route(f"**://{HOST}/**", lambda route: route.abort())
    for role, (name, data) in FILES.items():
        bring(page, role, name, data)
    page.get_by_role("button", name="Add or replace files").click()
    journey.wait_until_still(page)
    assert_no_markup(page)
    page.keyboard.press("Escape")
    for one in (one for pages in menu.MENU.values() for one in pages if one is not menu.HOME):
        journey.open_page(page, one.title)
        for expander in page.get_by_test_id("stMain").get_by_test_id("stExpander").all():
            expander.locator("summary").first.click()
        primary = page.get_by_test_id("stMain").locator("[data-testid=stBaseButton-primary]:visible:enabled")
        if one.needs and primary.count() and not page.get_by_role("tab").count():
            journey.run(page, primary.first.inner_text().strip())
        for tab in page.get_by_role("tab").all():
            tab.click()
            journey.wait_until_still(page)
            assert_no_markup(page)
        assert_no_markup(page)
    refused = f"![i](https:{HOST}) refused.csv"
    for data in (b"Colour,Size\nred,1\n", b"![i](https:foreign.example),b\n1,2\n"):
        page.get_by_role("button", name="Add or replace files").click()
        box = page.get_by_role("dialog").get_by_test_id("stExpander").filter(has_text="Crawl of your site").first
        box.locator("summary").first.click()
        box.locator("input[type=file]").set_input_files({"name": refused, "mimeType": "text/csv", "buffer": data})
        expect(box.get_by_test_id("stAlert")).to_contain_text(refused)
        assert_no_markup(page)
        page.keyboard.press("Escape")
    strangers = {urlsplit(url).hostname for url in asked if not url.startswith(("data:", "blob:"))}
    assert strangers == {urlsplit(server).hostname}
