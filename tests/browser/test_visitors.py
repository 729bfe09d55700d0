"""Four visitors of one server, each with a file of their own, all at the same time."""

import pandas as pd
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser import journey
from tests.exported import AHREFS

pytestmark = pytest.mark.browser

RUN = "Run the audit"
SUBJECTS = ("running shoes", "tax law", "garden tools", "jazz records")
LINKS = (30, 41, 52, 63)


def export(visitor: int) -> bytes:
    """Links to a site of this visitor alone, as many as nobody else has, from two pages of each referring domain."""
    subject, site = SUBJECTS[visitor], site_of(visitor)
    rows = [
        AHREFS
        | {
            "Referring page title": f"A guide to {subject}, part {row}",
            "Referring page URL": f"https://www.reader-{visitor}-{row // 2}.com/{subject.replace(' ', '-')}-{row}",
            "Target URL": f"https://www.{site}/{subject.replace(' ', '-')}/{row % 5}",
            "Anchor": f"{subject} {row}",
        }
        for row in range(LINKS[visitor])
    ]
    return pd.DataFrame(rows).to_csv(index=False).encode()


def site_of(visitor: int) -> str:
    return f"{SUBJECTS[visitor].replace(' ', '-')}.com"


def bring(page: Page, visitor: int) -> None:
    name = f"visitor-{visitor}.csv"
    file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": export(visitor)}
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text(name).first.wait_for()
    journey.wait_until_still(page)
    journey.open_page(page, "Backlink audit")


def test_four_visitors_at_once_each_get_their_own_numbers(visitors, tmp_path):
    for visitor, page in enumerate(visitors):
        bring(page, visitor)
    for page in visitors:
        page.get_by_role("button", name=RUN).click()
    for visitor, page in enumerate(visitors):
        expect(page.get_by_test_id("stMetric").first).to_be_visible(timeout=journey.WORK_SECONDS * 1000)
        journey.wait_until_still(page)
        shown = journey.figures(page)
        assert shown["Backlinks"] == str(LINKS[visitor])
        assert shown["Referring domains"] == str((LINKS[visitor] + 1) // 2)
        journey.open_tab(page, "Downloads")
        table = pd.read_csv(journey.download(page, "Table (csv)", tmp_path))
        assert len(table) == LINKS[visitor]
        assert table["Target URL"].str.contains(f"https://www.{site_of(visitor)}/", regex=False).all()
        journey.open_tab(page, "Explore")
        journey.open_view(page, "Scores")
        assert journey.figures(page)["Mean similarity"] == f"{table['Similarity'].mean():.3f}"
