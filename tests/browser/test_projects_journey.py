"""A project in a real browser: a reload loses nothing, its history, its outreach desk, its report."""

import re
import zipfile
from email import message_from_bytes
from email.policy import default

import pytest
from playwright.sync_api import Page, expect

from tests.browser import journey
from tests.browser.test_risk_journey import FILTERED, FIRST_ROW, by_domain, choose, press

pytestmark = pytest.mark.browser


def keep_the_sample(page: Page, name: str) -> None:
    """Open the sample project and keep it as a project of this name."""
    journey.open_sample(page)
    journey.open_page(page, "Projects")
    page.get_by_label("Name of the new project").fill(name)
    page.keyboard.press("Tab")
    press(page, "Save as a project")
    page.get_by_text(f"{name} (open)").wait_for()


def reload(page: Page, title: str) -> None:
    page.reload()
    page.get_by_role("heading", name=title, level=1).wait_for()
    journey.work_ends(page)


def test_a_reload_in_the_middle_of_the_review_comes_back_to_it_and_history_has_the_audit(page, tmp_path):
    keep_the_sample(page, "Review")
    journey.open_page(page, "Risk review")
    by_domain(page)
    choose(page, "New state", "keep")
    press(page, FILTERED)
    expect(page.get_by_text("set to “keep”").first).to_be_visible()
    journey.wait_until_still(page)
    before = journey.figures(page)
    assert not before["Decided"].startswith("0 ")
    reload(page, "Risk review")
    assert "project=review" in page.url
    assert journey.figures(page) == before

    journey.open_page(page, "History")
    expect(page.get_by_text("One snapshot:")).to_be_visible()
    links = journey.figures(page)["Backlinks"]
    journey.open_tab(page, "Report")
    html = journey.download(page, "Report (HTML)", tmp_path).read_text()
    assert f"<dt>Backlinks</dt><dd>{links}</dd>" in html


def test_prospects_of_the_gap_stay_on_the_desk_and_become_letters(page, tmp_path):
    keep_the_sample(page, "Outreach")
    journey.open_page(page, "Gap")
    journey.work_ends(page)
    press(page, re.compile("^Add these .* to the outreach desk$"))
    page.get_by_text(re.compile("added to the outreach desk")).wait_for()
    journey.open_page(page, "Outreach desk")
    found = int(journey.figures(page)["Prospects"])
    assert found > 1
    page.get_by_test_id("stDataFrame").first.click(position=FIRST_ROW)
    page.get_by_label("Contact (email)").fill("ann@site.example")
    page.get_by_label("Note").fill("asked Ann")
    choose(page, "State", "contacted")
    press(page, "Save")
    expect(page.get_by_test_id("stMetric").filter(has_text="In contact").get_by_test_id("stMetricValue")).to_have_text(
        "1"
    )
    reload(page, "Outreach desk")
    after = journey.figures(page)
    assert (after["Prospects"], after["In contact"], after["To contact"]) == (str(found), "1", str(found - 1))

    journey.open_tab(page, "Emails")
    note = page.get_by_text(re.compile(r"^\d+ prospects? gets? no email")).inner_text()
    written = found - 1 - int(note.split()[0])
    with zipfile.ZipFile(journey.download(page, f"Drafts ({written:,}, zip of .eml)", tmp_path)) as archive:
        names = archive.namelist()
        letter = message_from_bytes(archive.read(names[0]), policy=default)
    assert len(names) == written > 0
    assert letter["Subject"].startswith("A source for")
