"""The risk review in a real browser: mark one and many, filter, download, and load again."""

import os
import re
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser import journey

pytestmark = pytest.mark.browser

EXISTING = b"# from the agency\r\ndomain:old-spam.com\r\n"
FILTERED = re.compile("^Apply to all .* filtered$")
FIRST_ROW = {"x": 18, "y": 53}
"""Where the checkbox of a table's first row is drawn, in pixels."""


def open_review(page: Page) -> None:
    journey.open_sample(page)
    journey.open_page(page, "Risk review")
    by_domain(page)


def by_domain(page: Page) -> None:
    """Decide for each domain, not for each campaign."""
    page.get_by_role("radio", name="Domain", exact=True).click()
    page.get_by_role("button", name=FILTERED).wait_for()
    journey.wait_until_still(page)


def expect_figure(page: Page, label: str, value: str | re.Pattern[str]) -> None:
    metric = page.get_by_test_id("stMetric").filter(has_text=label)
    expect(metric.get_by_test_id("stMetricValue")).to_have_text(value)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).last.click()
    page.get_by_role("option", name=option, exact=True).click()
    page.keyboard.press("Tab")
    journey.wait_until_still(page)


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("BACKLINK_AUDIT_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def press(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name).click()
    journey.wait_until_still(page)


def load(page: Page, name: str, data: bytes) -> None:
    page.get_by_test_id("stMain").locator("input[type=file]").last.set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": data}
    )
    journey.wait_until_still(page)


def test_domains_are_marked_filtered_and_disavowed_and_the_review_is_loaded_again(page, server, tmp_path):
    open_review(page)
    expect_figure(page, "To disavow", "0")

    choose(page, "Any of these signals", "Link-seller words")
    choose(page, "New state", "remove (asked)")
    press(page, FILTERED)
    confirm = page.get_by_role("dialog").get_by_role("button", name=re.compile("^Apply to"))
    if confirm.count():  # asked where one of them may be worth keeping, which an audit knows
        confirm.click()
        journey.wait_until_still(page)
    expect_figure(page, "Decided", re.compile(r"^(?:[2-9]|\d\d) of"))
    decided = int(journey.figures(page)["Decided"].split()[0])

    page.get_by_test_id("stDataFrame").click(position=FIRST_ROW)
    page.get_by_role("button", name="Apply to the 1 selected").wait_for()
    choose(page, "New state", "disavow")
    press(page, "Apply to the 1 selected")
    expect_figure(page, "To disavow", "1")
    expect_figure(page, "Decided", re.compile(f"^{decided} of"))
    picture(page, "risk")

    journey.open_tab(page, "Disavow file")
    load(page, "disavow.txt", EXISTING)
    expect_figure(page, "Comments", "2")
    written = journey.download(page, "Download disavow.txt", tmp_path).read_bytes().decode()
    lines = written.splitlines()
    assert lines[:3] == ["# from the agency", "domain:old-spam.com", "# Added by Backlink Audit"]
    assert len(lines) == 4
    assert lines[3].startswith("domain:")

    journey.open_tab(page, "Download")
    saved = journey.download(page, f"Review ({decided} decided, csv)", tmp_path)
    review = pd.read_csv(saved)
    assert review["State"].value_counts().to_dict() == {"remove (asked)": decided - 1, "disavow": 1}
    assert f"domain:{review.loc[review['State'] == 'disavow', 'Item'].item()}" == lines[3]

    page.goto(server)
    open_review(page)
    expect_figure(page, "Decided", re.compile("^0 of"))
    page.get_by_text("Load a saved review or start again", exact=True).click()
    load(page, "review.csv", saved.read_bytes())
    expect_figure(page, "Decided", re.compile(f"^{decided} of"))
    expect_figure(page, "To disavow", "1")


def test_many_rows_are_asked_about_and_the_decision_is_undone(page):
    open_review(page)
    page.get_by_role("radio", name="To review", exact=True).click()
    journey.wait_until_still(page)
    asked = int(re.sub(r"\D", "", page.get_by_role("button", name=FILTERED).inner_text()))
    choose(page, "New state", "disavow")
    press(page, FILTERED)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{asked} domains will get the state “disavow”")
    expect(dialog).to_contain_text("The largest: ")
    expect(dialog).to_contain_text("may be worth keeping")
    picture(page, "risk-question")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    journey.wait_until_still(page)
    expect_figure(page, "To disavow", "0")

    press(page, FILTERED)
    press(page, re.compile(r"^Apply to \d+ of"))
    expect(dialog).to_have_count(0)
    marked = int(journey.figures(page)["To disavow"].replace(",", ""))
    assert 0 < marked < asked
    expect(page.get_by_text(f"{marked} domains set to “disavow”.")).to_be_visible()
    picture(page, "risk-undo")
    page.set_viewport_size({"width": 420, "height": 900})
    journey.wait_until_still(page)
    picture(page, "risk-undo-narrow")
    press(page, "Undo")
    expect_figure(page, "To disavow", "0")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    press(page, FILTERED)
    expect(dialog).to_be_visible()
    picture(page, "risk-question-narrow")


def test_on_a_narrow_screen_profile_and_risk_are_not_wider_than_the_page(page):
    page.set_viewport_size({"width": 420, "height": 900})
    page.get_by_role("button", name="Open the sample project").click()
    journey.wait_until_still(page)
    for address, title, tabs in (
        ("profile", "Backlink profile", ("Overview", "Attributes", "New and lost")),
        ("risk", "Risk review", ("Review", "Signals", "Disavow file")),
    ):
        page.get_by_test_id("stExpandSidebarButton").click()
        page.locator(f"a[href$='/{address}']").click()
        page.get_by_role("heading", name=title, level=1).wait_for()
        journey.wait_until_still(page)
        for tab in tabs:
            journey.open_tab(page, tab)
            widths = page.get_by_test_id("stMain").evaluate("main => [main.scrollWidth, main.clientWidth]")
            assert widths[0] <= widths[1], tab
