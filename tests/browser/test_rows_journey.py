"""The choice of links above the figures, and a row in full beneath its table, in a real browser."""

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser import journey

pytestmark = pytest.mark.browser

FIRST_BOX = {"x": 18, "y": 36 + 33}
"""Where the box of a table's first row of three lines is drawn, in pixels."""


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
    expect(page.get_by_text(f"{live} links", exact=True)).to_be_visible()

    choose_links(page, "Everything")
    everything = int(journey.figures(page)["Backlinks"])
    assert everything > live
    expect(page.get_by_text(f"{everything} links", exact=True)).to_be_visible()
    expect(page.get_by_text("These results are for the earlier file or settings")).to_have_count(0)
    journey.open_tab(page, "Downloads")
    table = pd.read_csv(journey.download(page, "Table (csv)", tmp_path))
    assert len(table) == everything
    assert set(table["State"]) > {"live"}


def test_a_row_shows_its_reasons_and_its_links_beneath_the_table(page):
    journey.open_sample(page)
    journey.open_tab(page, "Links")
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("Why:")).to_have_count(0)
    grid = panel.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    grid.click(position=FIRST_BOX)
    journey.wait_until_still(page)
    expect(panel.get_by_text("Why:")).to_be_visible()
    links = [link.get_attribute("href") or "" for link in panel.get_by_role("link").all()]
    assert len(links) >= 2
    assert all(link.startswith(("http://", "https://")) for link in links)
    story = [*("Verdict", "Referring page", "Anchor", "Target URL", "DR", "UR", "Relevance", "Why")]
    assert seen_headers(page) >= set(story)


def seen_headers(page: Page) -> set[str]:
    """The headers of the columns that are in sight at 1,400 pixels: the grid shows no others to screen readers."""
    canvas = page.get_by_role("tabpanel").get_by_test_id("stDataFrame").first
    return set(canvas.evaluate("grid => [...grid.querySelectorAll('[role=columnheader]')].map(one => one.innerText)"))
