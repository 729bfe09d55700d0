"""The visitor's way through internal links: bring a crawl and its links, run, change, look, take the file home."""

from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Page, expect

from backlink_audit import sample
from tests.browser.journey import (
    download,
    figures,
    open_inputs,
    open_page,
    open_tab,
    open_view,
    run,
    wait_until_still,
)

pytestmark = pytest.mark.browser


def bring(page: Page, role: str, label: str) -> None:
    """Upload the sample's file for a role on the page that is open."""
    name, data = sample.files()[role][0]
    box = page.get_by_test_id("stFileUploader").filter(has_text=label).first
    box.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    page.get_by_test_id("stExpander").filter(has_text=name).first.wait_for()
    wait_until_still(page)


def test_the_workbook_holds_the_links_on_screen_whatever_the_chart_shows(page: Page, tmp_path: Path):
    open_page(page, "Internal links")
    bring(page, "pages", "Crawl of your site")
    page.get_by_test_id("stExpander").filter(has_text="All inlinks (optional)").locator("summary").click()
    bring(page, "inlinks", "All inlinks")
    run(page, "Find the links")
    first = figures(page)["Links suggested"]
    open_tab(page, "Explore")
    open_view(page, "Radial tree")
    page.get_by_text("Settings of the chart", exact=True).click()
    slider = page.get_by_role("slider", name="Pages to link from")
    slider.press("ArrowLeft")
    wait_until_still(page)
    assert figures(page)["Links suggested"] == first
    open_tab(page, "Download")
    book = openpyxl.load_workbook(download(page, "Workbook (xlsx)", tmp_path), read_only=True)
    rows = list(book["Opportunities"].iter_rows(min_row=2, values_only=True))
    assert f"{len(rows) + book['Without an anchor'].max_row - 1:,}" == first
    assert all(anchor and anchor in sentence for *_, anchor, sentence in (row[:7] for row in rows))


def test_a_higher_minimum_leaves_fewer_links(page: Page):
    open_page(page, "Internal links")
    bring(page, "pages", "Crawl of your site")
    run(page, "Find the links")
    before = int(figures(page)["Links suggested"].replace(",", ""))
    open_inputs(page)
    page.get_by_text("Settings", exact=True).click()
    slider = page.get_by_role("slider", name="Minimum similarity")
    for _ in range(15):
        slider.press("ArrowRight")
    wait_until_still(page)
    expect(page.get_by_text("are for the earlier file or settings")).to_be_visible()
    run(page, "Find the links")
    assert int(figures(page)["Links suggested"].replace(",", "")) < before
