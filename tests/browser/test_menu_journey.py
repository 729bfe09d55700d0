"""The menu: it makes way for the page that was chosen in it, and the browser's title names that page."""

import pytest
from playwright.sync_api import expect

from tests.browser import journey
from tests.browser.conftest import serving

pytestmark = pytest.mark.browser

NOTE_WHAT_IS_NOT_FOUND = """
    window.notFound = false
    new MutationObserver(() => { window.notFound ||= /not found/i.test(document.body?.innerText ?? "") })
        .observe(document, { subtree: true, childList: true, characterData: true })
"""
"""Streamlit says it in a window that goes away by itself."""


def test_on_a_narrow_screen_the_menu_makes_way_for_the_chosen_page(page):
    page.set_viewport_size({"width": 420, "height": 900})
    journey.wait_until_still(page)
    for address, title in (("profile", "Backlink profile"), ("gap", "Gap")):
        page.get_by_test_id("stExpandSidebarButton").click()
        page.get_by_test_id("stSidebarNav").locator(f"a[href$='/{address}']").click()
        page.get_by_role("heading", name=title, level=1).wait_for()
        expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
        journey.wait_until_still(page)
        assert page.get_by_test_id("stSidebar").bounding_box()["x"] < 0


def test_on_a_wide_screen_the_menu_stays(page):
    journey.open_page(page, "Gap")
    assert page.get_by_test_id("stSidebar").bounding_box()["x"] == 0


@pytest.mark.parametrize(("path", "heading"), [("home", "Which links matter"), ("risk", "Risk review")])
def test_the_first_visit_of_a_server_finds_every_page_by_its_name(browser, tmp_path, path, heading):
    page = browser.new_page()
    page.add_init_script(NOTE_WHAT_IS_NOT_FOUND)
    with serving(tmp_path) as address:
        page.goto(f"{address}/{path}")
        page.get_by_role("heading", name=heading, level=1).wait_for()
        journey.wait_until_still(page)
        assert page.evaluate("window.notFound") is False
    page.close()


def test_the_browsers_title_names_the_page(page):
    expect(page).to_have_title("Backlink Audit")
    journey.open_page(page, "Risk review")
    expect(page).to_have_title("Risk review · Backlink Audit")


def test_the_first_page_has_a_menu_of_links_without_the_roles_of_a_list(page):
    expect(page.get_by_test_id("stSidebarNavItems").first).to_have_attribute("role", "none")
    expect(page.get_by_test_id("stSidebarNavItems").locator("li").last).to_have_attribute("role", "none")
