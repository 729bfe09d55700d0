"""Pictures of the app and of a report, on the sample project.

    python -m benchmarks.pictures           docs/pictures, which the README shows: `make pictures`
    python -m benchmarks.pictures FOLDER    every page at two widths, light and dark, for looking at

Needs Chromium.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page

from backlink_audit import sample
from backlink_audit.ui import menu
from benchmarks.processes import ROOT
from benchmarks.served import Server, chromium, served
from tests.browser import journey

PICTURES = ROOT / "docs" / "pictures"
WIDE, NARROW = (1400, 900), (420, 900)
REPORT = (900, 1100)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
START = tuple(page.button for pages in menu.MENU.values() for page in pages if page.button and page is not menu.CHECK)
"""Buttons that a page may have before its result is there. The link check is not asked for."""


def main() -> None:
    """Take the pictures."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        environment = os.environ | {"HF_HUB_OFFLINE": "1", "BACKLINK_AUDIT_CACHE": str(folder / "cache")}
        with served(environment, folder) as server:
            if len(sys.argv) > 1:
                every_page(browser, server, Path(sys.argv[1]))
            else:
                for_the_readme(browser, server, folder)


def for_the_readme(browser: Browser, server: Server, folder: Path) -> None:
    """Write the audit of the sample project in light and dark, and the cover and tasks of a report."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for scheme in SCHEMES:
        page = _with_sample(browser, server, scheme, WIDE)
        page.screenshot(path=PICTURES / f"audit-{scheme}.png")
        page.context.close()
    answers_in_ai(browser, server)
    report = folder / "report.html"
    store = ["--store", str(folder / "store.sqlite")]
    for role in ("older", "backlinks"):
        _run("watch", "Long Road", _sample_file(folder, role), *store)
    _run("report", "Long Road", "-o", str(report), "--name", "Your agency", *store)
    page = browser.new_page(viewport={"width": REPORT[0], "height": REPORT[1]})
    page.goto(report.as_uri())
    page.screenshot(path=PICTURES / "report.png")
    page.close()


def answers_in_ai(browser: Browser, server: Server) -> None:
    """Write the page AI answers of the sample project."""
    page = _with_sample(browser, server, "light", WIDE)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=menu.AI_ANSWERS.title, exact=True).click()
    journey.wait_until_still(page)
    _start(page)
    page.screenshot(path=PICTURES / "ai-answers.png")
    page.context.close()


def every_page(browser: Browser, server: Server, target: Path) -> None:
    """Write a picture of every page of the menu, whole, at both widths in light and dark."""
    target.mkdir(parents=True, exist_ok=True)
    for size in (WIDE, NARROW):
        for scheme in SCHEMES:
            page = _with_sample(browser, server, scheme, WIDE)
            for name in list(_names(page)):
                page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
                page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
                journey.wait_until_still(page)
                _start(page)
                page.set_viewport_size({"width": size[0], "height": _height(page, size)})
                journey.wait_until_still(page)
                page.screenshot(path=target / f"{name.replace(' ', '-').lower()}-{size[0]}-{scheme}.png")
            page.context.close()


def _with_sample(browser: Browser, server: Server, scheme: Literal["light", "dark"], size: tuple[int, int]) -> Page:
    context = browser.new_context(color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.set_default_timeout(journey.WORK_SECONDS * 1000)
    page.goto(server.address)
    journey.open_sample(page)
    return page


def _names(page: Page) -> Iterator[str]:
    for link in page.get_by_test_id("stSidebarNav").get_by_role("link").all():
        yield link.inner_text().split("\n")[-1].strip()


def _start(page: Page) -> None:
    for label in START:
        button = page.get_by_role("button", name=label, exact=True)
        if button.count() and not page.get_by_test_id("stMetric").count():
            button.first.click()
            journey.work_ends(page)
    page.get_by_role("button", name="Stop", exact=True).wait_for(state="hidden")  # some begin by themselves
    journey.wait_until_still(page)


def _height(page: Page, size: tuple[int, int]) -> int:
    """Return how high the page is at this width, at most eight screens."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    journey.wait_until_still(page)
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    return int(min(max(height + 20, size[1]), 8 * size[1]))


def _run(*words: str) -> None:
    """Run a command of the terminal; alerts are none of our business here."""
    subprocess.run([sys.executable, "-m", "backlink_audit", *words], check=False, stderr=subprocess.DEVNULL)


def _sample_file(folder: Path, role: str) -> str:
    [(name, data), *_] = sample.files()[role]
    (folder / name).write_bytes(data)
    return str(folder / name)


if __name__ == "__main__":
    main()
