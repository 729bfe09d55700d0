"""The main job in a real browser: files in, numbers on screen, the same numbers in the workbook."""

import re

import openpyxl
import pandas as pd
import pytest
from playwright.sync_api import expect

from backlink_audit import sample
from tests.browser import journey

pytestmark = pytest.mark.browser

RUN = "Run the audit"
EARLIER = "These results are for the earlier file or settings"


def rows(workbook, sheet):
    header, *values = workbook[sheet].iter_rows(values_only=True)
    return pd.DataFrame(values, columns=header)


def test_from_the_sample_project_to_a_workbook_with_the_numbers_on_screen(page, tmp_path):
    journey.open_sample(page)
    journey.open_page(page, "Backlink audit")
    journey.run(page, RUN)
    on_screen = journey.figures(page)
    headline = page.get_by_test_id("stHeading").nth(1).inner_text()
    tasks = page.get_by_role("tabpanel").get_by_role("radio").all_inner_texts()
    journey.open_tab(page, "Downloads")
    workbook = openpyxl.load_workbook(journey.download(page, "Workbook (xlsx)", tmp_path), read_only=True)
    scored, domains = rows(workbook, "Scored backlinks"), rows(workbook, "Referring domains")
    summary = rows(workbook, "Summary").set_index("What")["Value"]

    assert on_screen["Backlinks"] == f"{len(scored):,}"
    assert on_screen["Referring domains"] == f"{len(domains):,}"
    assert on_screen["Median DR"] == f"{domains['DR'].astype(float).median():g}"
    assert on_screen["Followed"] == summary["Followed"]
    assert headline.startswith(f"{len(domains):,} sites link to ") and f"with {len(scored):,} live links" in headline
    for task in rows(workbook, "Do this now").itertuples():
        assert f"{task[1]} · {task.Number:,}" in tasks
    journey.open_tab(page, "Explore")
    journey.open_view(page, "Scores")
    on_screen = journey.figures(page)
    assert on_screen["Mean similarity"] == f"{scored['Similarity'].astype(float).mean():.3f}"
    assert on_screen["Median similarity"] == f"{scored['Similarity'].astype(float).median():.3f}"
    assert on_screen["Mean CAS"] == f"{scored['CAS'].astype(float).mean():.3f}"


def test_an_upload_replaces_the_file_and_the_old_numbers_are_marked(page, tmp_path):
    name, data = sample.files()["older"][0]
    journey.open_sample(page)
    journey.open_page(page, "Backlink audit")
    journey.run(page, RUN)
    before = journey.figures(page)

    journey.upload(page, "Backlinks:", name, data)
    expect(page.get_by_text(EARLIER)).to_be_visible()
    assert journey.figures(page) == before

    journey.run(page, RUN)
    expect(page.get_by_text(EARLIER)).to_have_count(0)
    after = journey.figures(page)
    assert after != before

    journey.open_tab(page, "Downloads")
    table = pd.read_csv(journey.download(page, "Table (csv)", tmp_path))
    assert after["Backlinks"] == f"{len(table):,}"


def test_a_box_in_the_chart_fills_the_table_beneath_it(page):
    journey.open_sample(page)
    journey.open_page(page, "Backlink audit")
    journey.run(page, RUN)
    total = journey.figures(page)["Backlinks"]
    journey.open_tab(page, "Explore")
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text(f"{total} links", exact=True)).to_be_visible()

    plot = panel.locator(".js-plotly-plot .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    panel.get_by_role("button", name="Box Select").click()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + 0.9 * box["height"], steps=8)
    page.mouse.up()
    journey.wait_until_still(page)
    expect(panel.get_by_text(f"{total} links", exact=True)).to_have_count(0)
    assert 0 < int(panel.get_by_text(re.compile(r"^\d+ links?$")).inner_text().split()[0]) < int(total)


def test_a_file_that_cannot_be_used_leaves_a_sentence_and_the_page_works_on(page):
    page.locator("input[type=file]").first.set_input_files(
        {"name": "holiday.csv", "mimeType": "text/csv", "buffer": b"Colour,Size\nred,1\n"}
    )
    page.get_by_text("holiday.csv: no column has the Referring page URL").wait_for()
    journey.open_sample(page)
    journey.open_page(page, "Backlink audit")
    assert page.get_by_role("tab", name="Do this now").is_visible()


def test_on_a_narrow_screen_nothing_is_wider_than_the_page(page):
    page.set_viewport_size({"width": 420, "height": 900})
    journey.open_sample(page)
    journey.run(page, RUN)
    for tab in ("Do this now", "Links", "Domains", "Explore", "Downloads"):
        journey.open_tab(page, tab)
        widths = page.get_by_test_id("stMain").evaluate("main => [main.scrollWidth, main.clientWidth]")
        assert widths[0] <= widths[1], tab
