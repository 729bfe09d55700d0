"""The links of a site in a real browser: authority with a what-if, and the links that need work."""

import pandas as pd
import pytest
from openpyxl import load_workbook

from tests.browser import journey

pytestmark = pytest.mark.browser


def test_links_that_internal_links_suggests_are_tried_out(page, tmp_path):
    journey.open_sample(page)
    journey.open_page(page, "Internal links")
    journey.work_ends(page)
    journey.open_page(page, "Authority")
    journey.work_ends(page)
    assert int(journey.figures(page)["Underlinked"]) >= 0
    journey.open_tab(page, "What if")
    page.get_by_text("links are added").or_(page.get_by_text("link is added")).first.wait_for()
    journey.open_tab(page, "Download")
    table = pd.read_csv(journey.download(page, "Table (csv)", tmp_path))
    assert table["Share"].sum() == pytest.approx(1) and table["From outside"].sum() == pytest.approx(1)
    assert str(len(table)) == journey.figures(page)["Pages"]


def test_the_links_to_mend_on_screen_are_those_of_the_workbook(page, tmp_path):
    journey.open_sample(page)
    journey.open_page(page, "Existing links")
    journey.work_ends(page)
    shown = journey.figures(page)
    journey.open_tab(page, "Download")
    workbook = load_workbook(journey.download(page, "Workbook (xlsx)", tmp_path), read_only=True)
    for verdict in ("Mend", "Reword"):
        assert len(list(workbook[verdict].iter_rows(min_row=2))) == int(shown[verdict])


def test_the_redirect_map_on_screen_is_that_of_the_workbook_and_of_the_server_rules(page, tmp_path):
    journey.open_sample(page)
    journey.open_page(page, "Redirects")
    journey.work_ends(page)
    shown = journey.figures(page)
    assert int(shown["Sure"]) > int(shown["No good target"]) > 0 and float(shown["CAS at risk"]) > 0
    journey.open_tab(page, "Sections")
    page.get_by_text("old pages have a target").wait_for()
    journey.open_tab(page, "Download")
    workbook = load_workbook(journey.download(page, "Workbook (xlsx)", tmp_path), read_only=True)
    assert len(list(workbook["Redirect map"].iter_rows(min_row=2))) == int(shown["Old URLs to redirect"])
    page.get_by_role("radio", name="sure").click()
    journey.wait_until_still(page)
    rules = journey.download(page, "Apache (.htaccess)", tmp_path).read_text().splitlines()
    assert sum(line.startswith("RewriteRule") for line in rules) == int(shown["Sure"])
