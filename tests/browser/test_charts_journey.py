"""A click on a point of a chart selects that point, and nothing else."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import journey

pytestmark = pytest.mark.browser


def click_mark(page: Page, trace: str) -> None:
    """Click the first mark of a named trace."""
    plot = page.get_by_role("tabpanel").locator(".js-plotly-plot").first
    plot.scroll_into_view_if_needed()
    number = plot.evaluate("(plot, name) => plot.data.findIndex(trace => trace.name === name)", trace)
    mark: Locator = plot.locator(".scatterlayer .trace").nth(number).locator(".points path").first
    box = mark.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.wait_for_timeout(200)
    page.mouse.down()
    page.mouse.up()
    journey.wait_until_still(page)


def test_a_click_on_the_bar_of_a_verdict_opens_its_links(page):
    journey.open_sample(page)
    number = page.get_by_role("radio", name=re.compile("^Review · ")).inner_text().removeprefix("Review · ")
    plot = page.get_by_role("tabpanel").locator(".js-plotly-plot").filter(has_text="Weak").first
    plot.scroll_into_view_if_needed()
    bar = plot.get_by_text(f"{number} (", exact=False).first.bounding_box()
    assert bar
    page.mouse.click(bar["x"] - 12, bar["y"] + bar["height"] / 2)
    journey.wait_until_still(page)
    expect(page.get_by_role("tab", name="Links", exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel").get_by_text(re.compile(rf"^{number} of \d+ links$"))).to_be_visible()


def test_a_click_on_a_link_shows_that_link_alone(page):
    journey.open_sample(page)
    journey.open_tab(page, "Explore")
    click_mark(page, "Protect")
    expect(page.get_by_role("tabpanel").get_by_text("1 link", exact=True)).to_be_visible()


def test_a_click_on_a_referring_page_shows_it_and_no_page_of_the_site(page):
    journey.open_sample(page)
    journey.open_page(page, "Topic clusters")
    journey.work_ends(page)
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("68 pages", exact=True)).to_be_visible()
    click_mark(page, "Referring page")
    expect(panel.get_by_text("1 referring page", exact=True)).to_be_visible()
    expect(panel.get_by_text(re.compile(r"^\d+ pages?$"))).to_have_count(0)
