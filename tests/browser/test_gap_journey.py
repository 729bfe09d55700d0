"""The gap in a real browser: two competitors, another threshold, a pitch of one's own, and the file to take home."""

import openpyxl
import pandas as pd
import pytest

from backlink_audit import sample
from tests.browser import journey

pytestmark = pytest.mark.browser

RUN = "Find prospects"


def test_two_files_a_threshold_and_a_pitch_give_the_workbook_on_screen(page, tmp_path):
    files = sample.files()
    journey.open_page(page, "Gap")
    for role, words in (("backlinks", "A backlink export of your site"), ("competitors", "Up to five competitors")):
        uploads = [{"name": name, "mimeType": "text/csv", "buffer": data} for name, data in files[role]]
        box = page.get_by_test_id("stFileUploader").filter(has_text=words).first
        box.locator("input[type=file]").set_input_files(uploads)
        page.get_by_text(uploads[-1]["name"]).first.wait_for()
        journey.wait_until_still(page)
    journey.run(page, RUN)
    before = journey.figures(page)

    slider = page.get_by_role("slider", name="Minimum DR")
    for _ in range(20):
        slider.press("ArrowRight")
    page.get_by_role("heading", name="of DR 50").wait_for()
    journey.wait_until_still(page)
    after = journey.figures(page)
    assert int(after["Prospects"]) < int(before["Prospects"])
    assert after["Not linking to you"] == before["Not linking to you"]

    journey.open_tab(page, "Download")
    workbook = openpyxl.load_workbook(journey.download(page, "Workbook (xlsx)", tmp_path), read_only=True)
    header, *values = workbook["Prospects"].iter_rows(values_only=True)
    prospects = pd.DataFrame(values, columns=header)
    assert after["Prospects"] == str(len(prospects))
    rated = prospects[prospects["Authority scale"] == "DR"]
    assert 0 < len(rated) < len(prospects)
    assert rated["Authority"].astype(float).min() >= 50
