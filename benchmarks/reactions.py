"""How quickly the app reacts with 100,000 links: server and page together, in a real browser.

    python -m benchmarks.reactions [ROWS]

Each action is done three times; the slowest counts. The audit is made with Instant: how the scores came about does not
change how quickly they are shown. Needs Chromium.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, Position

from backlink_audit.embedding.models import load_encoder
from benchmarks.export import write_export
from benchmarks.measure import machine, table, write_section
from benchmarks.served import bring, chromium, open_page, served
from tests.browser import journey

ROWS = 100_000
TIMES = 3
RUN_MILLISECONDS = 15 * 60 * 1000
FIRST_BOX: Position = {"x": 18, "y": 36 + 17}
"""Where the box of a table's first row is drawn, in pixels."""
IS_DRAWN = """() => window.endedRuns > 0
    && document.querySelector("[data-testid=stApp][data-test-script-state=notRunning]")
    && !document.querySelector("[data-stale=true], [data-testid=stSkeleton]")"""
"""The server has answered, and nothing of the former page is left."""


def reaction(page: Page, act: Callable[[], object]) -> float:
    """Return the seconds from a click to the page that it makes."""
    journey.wait_until_still(page)
    page.evaluate(journey.COUNT_RUNS)
    start = time.perf_counter()
    act()
    page.wait_for_function(IS_DRAWN, polling="raf", timeout=RUN_MILLISECONDS)
    return time.perf_counter() - start


def first_page(environment: dict[str, str], folder: Path) -> float:
    """Return the seconds from the start of the server to its first page."""
    start = time.perf_counter()
    with chromium() as browser:
        opened = time.perf_counter() - start
        with served(environment, folder) as server:
            page = browser.new_page()
            page.goto(server.address)
            page.get_by_role("button", name="Open the sample project").wait_for()
            return time.perf_counter() - start - opened


def audited(page: Page, export: Path) -> None:
    """Upload the export and audit it with Instant."""
    bring(page, export)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Backlink audit", exact=True).click()
    journey.wait_until_still(page)
    journey.open_inputs(page)
    page.get_by_text("Settings", exact=True).click()
    journey.wait_until_still(page)
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_role("button", name="Run the audit").click()
    page.get_by_test_id("stMetric").first.wait_for(timeout=RUN_MILLISECONDS)


def tab(page: Page, name: str) -> Callable[[], None]:
    """Return the click on a tab."""
    return lambda: page.get_by_role("tab", name=name, exact=True).click()


def view(page: Page, name: str) -> Callable[[], None]:
    """Return the click on a view of the open tab."""
    return lambda: page.get_by_role("tabpanel").get_by_role("radio", name=name, exact=True).click()


def choose(page: Page, box: str, option: int) -> Callable[[], None]:
    """Return the choice of an option in a box of the open tab."""

    def act() -> None:
        page.get_by_role("tabpanel").get_by_role("combobox", name=box).first.click()
        page.get_by_role("option").nth(option).click()

    return act


def actions(page: Page) -> dict[str, list[float]]:
    """Return the seconds of each action, several times over."""
    found: dict[str, list[float]] = {}

    def note(name: str, act: Callable[[], object]) -> None:
        found.setdefault(name, []).append(reaction(page, act))

    for turn in range(TIMES):
        for name in ("Domains", "Downloads", "Explore"):
            note(f"Tab {name}", tab(page, name))
        for name in ("Topics", "Scores", "Strength"):
            note(f"Explore, {name}", view(page, name))
        for name in ("Do this now", "Links"):
            note(f"Tab {name}", tab(page, name))
        note("Sort all links", choose(page, "Order", turn + 1))
        note("Filter by verdict", choose(page, "Verdict", 1))  # the first, "Select all", would filter nothing
        grid = page.get_by_role("tabpanel").get_by_test_id("stDataFrame").first
        grid.scroll_into_view_if_needed()
        note("Open a detail", partial(grid.click, position=FIRST_BOX))
        start = time.perf_counter()
        open_page(page, "Backlink profile")
        open_page(page, "Backlink audit")
        found.setdefault("Another page and back", []).append(time.perf_counter() - start)
    return found


LIMITS = {"Another page and back": 1.5, "App start to first page": 4.0}
"""Seconds; every other action: one."""


def main(rows: int) -> None:
    """Measure, and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export = folder / "backlinks.csv"
        write_export(export, rows)
        load_encoder("Instant")
        environment = os.environ | {"HF_HUB_OFFLINE": "1"}
        first_page(environment, folder)  # the disk is warm from here on
        found = {"App start to first page": [first_page(environment, folder) for _ in range(TIMES)]}
        with chromium() as browser, served(environment, folder) as server:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            page.set_default_timeout(120_000)
            page.goto(server.address)
            audited(page, export)
            open_page(page, "Backlink profile")
            open_page(page, "Backlink audit")
            found |= actions(page)
    lines = [
        [what, f"{max(times):.2f}", f"{min(times):.2f}", f"{LIMITS.get(what, 1.0):g}"] for what, times in found.items()
    ]
    body = table(("action", "slowest, s", "quickest, s", "limit, s"), lines)
    title = f"Reaction times with {rows:,} links, in Chromium"
    write_section(title, f"{before}. Each {TIMES} times, from the click to the page drawn.\n\n{body}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
