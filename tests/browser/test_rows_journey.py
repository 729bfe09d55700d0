"""The choice of links above the figures, and a row in full beside its table, in a real browser."""

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser import journey

pytestmark = pytest.mark.browser

FIRST_ROW = {"x": 250, "y": 36 + 17}
"""A cell of a table's first row, in pixels."""


def choose_links(page: Page, label: str) -> None:
    journey.open_inputs(page)
    page.get_by_role("radiogroup", name="Links shown").or_(page.get_by_test_id("stButtonGroup")).first.get_by_text(
        label, exact=True
    ).click()
    journey.wait_until_still(page)


def test_the_choice_of_links_changes_figures_table_and_download_without_a_new_run(page, tmp_path):
    journey.open_sample(page)
    live = int(journey.figures(page)["Backlinks"])
    journey.open_tab(page, "Links")
    expect(page.get_by_role("tabpanel").get_by_text(f"{live} links", exact=True)).to_be_visible()

    choose_links(page, "Everything")
    everything = int(journey.figures(page)["Backlinks"])
    assert everything > live
    expect(page.get_by_role("tabpanel").get_by_text(f"{everything} links", exact=True)).to_be_visible()
    expect(page.get_by_text("These results are for the earlier file or settings")).to_have_count(0)
    journey.open_tab(page, "Downloads")
    table = pd.read_csv(journey.download(page, "Table (csv)", tmp_path))
    assert len(table) == everything
    assert set(table["State"]) > {"live"}


def test_a_click_on_a_cell_opens_the_row_beside_the_table(page):
    journey.open_sample(page)
    journey.open_tab(page, "Links")
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("Why:")).to_have_count(0)
    grid = panel.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    story = ["Verdict", "Referring page", "Why", "Target URL", "DR", "Relevance", "Anchor"]
    assert seen_headers(page) >= set(story)
    grid.click(position=FIRST_ROW)
    journey.wait_until_still(page)
    expect(panel.get_by_text("Why:")).to_be_visible()
    links = [link.get_attribute("href") or "" for link in panel.get_by_role("link").all()]
    assert len(links) >= 2
    assert all(link.startswith(("http://", "https://")) for link in links)
    detail, table = panel.get_by_text("Why:").bounding_box(), grid.bounding_box()
    assert detail and table and detail["x"] > table["x"] + table["width"], "beside it"


def seen_headers(page: Page) -> set[str]:
    """The headers of the columns that are in sight at 1,400 pixels: the grid shows no others to screen readers."""
    canvas = page.get_by_role("tabpanel").get_by_test_id("stDataFrame").first
    return set(canvas.evaluate("grid => [...grid.querySelectorAll('[role=columnheader]')].map(one => one.innerText)"))
