"""The window of all files in a real browser: a file that cannot be used, and one that is removed."""

import pytest
from playwright.sync_api import expect

from tests.browser import journey

pytestmark = pytest.mark.browser


def open_role(page, role):
    page.get_by_role("button", name="Add or replace files").click()
    page.get_by_role("dialog").wait_for()
    journey.wait_until_still(page)
    box = page.get_by_role("dialog").get_by_test_id("stExpander").filter(has_text=role).first
    box.locator("summary").click()
    journey.wait_until_still(page)
    return box


def test_a_file_that_cannot_be_used_says_so_in_the_window_and_a_good_one_closes_it(page):
    box = open_role(page, "Crawl of your site")
    for name, data in (("holiday.csv", b"Colour,Size\nred,1\n"), ("empty.csv", b"")):
        box.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
        journey.wait_until_still(page)
        expect(box.get_by_test_id("stAlert")).to_contain_text(name)
    data = b"Address,Title 1\nhttps://shop.example/,Garden chairs\n"
    box.locator("input[type=file]").set_input_files({"name": "crawl.csv", "mimeType": "text/csv", "buffer": data})
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar").get_by_text("crawl.csv (1 row)")).to_be_visible()


def test_links_to_win_back_lose_what_the_older_file_had_once_it_is_removed(page):
    journey.open_sample(page)
    journey.open_page(page, "Changes")
    journey.work_ends(page)
    journey.open_tab(page, "Reclaim")
    heading = page.get_by_role("tabpanel").get_by_role("heading").first
    heading.wait_for()
    journey.wait_until_still(page)
    both = heading.inner_text()
    open_role(page, "Older backlinks").get_by_role("button", name="Remove").click()
    journey.wait_until_still(page)
    expect(page.get_by_text("These results are for the earlier file or settings")).to_be_visible()
    page.get_by_role("button", name="Find links to reclaim").click()
    expect(heading).not_to_have_text(both)
