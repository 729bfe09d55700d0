"""The first look: a preview by Instant, then the result in its place."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from backlink_audit.embedding import distil, models
from tests.browser import journey
from tests.browser.conftest import serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MARK = "Preview by Instant; all-MiniLM-L6-v2 in about"
"""It is shown for some seconds: torch and the model are loaded meanwhile."""


@pytest.fixture
def with_instant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose cache has Instant."""
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "cache"))
    distil.distil(models.find_model("Instant"))
    return tmp_path


def test_a_preview_is_replaced_in_place_by_the_result(browser: BrowserContext, with_instant: Path):
    with serving(with_instant, BACKLINK_AUDIT_PREVIEWS="1") as address:
        page = browser.new_page()
        page.set_default_timeout(journey.WORK_SECONDS * 1000)
        page.goto(address)
        page.get_by_role("button", name="Open the sample project").click()
        page.get_by_text(MARK).first.wait_for()
        expect(page.get_by_text(MARK)).to_have_count(0, timeout=journey.WORK_SECONDS * 1000)
        journey.work_ends(page)
        assert journey.figures(page)["Backlinks"] != "0"
        expect(page.get_by_text("Preview by")).to_have_count(0)
        page.close()
