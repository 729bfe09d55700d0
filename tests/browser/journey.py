"""What a visitor does in the browser, step by step."""

from pathlib import Path

from playwright.sync_api import Page, expect

WORK_SECONDS = 300
"""For heavy work with the real model, on a machine that is busy."""

QUIET_MILLISECONDS = 800
"""How long the page must not change: between a job's end and the page drawn with its result it is at rest briefly."""

_IS_UNCHANGED = """milliseconds => {
    const still = "[data-testid=stApp][data-test-script-state=notRunning]"
    const unsettled = "[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]"
    const page = document.body.innerText
    if (!document.querySelector(still) || document.querySelector(unsettled) || window.lastPage !== page) {
        window.lastPage = page
        window.quietSince = Date.now()
    }
    return Date.now() - window.quietSince >= milliseconds
}"""

COUNT_RUNS = """() => {
    const app = document.querySelector("[data-testid=stApp]")
    window.endedRuns = 0
    window.runs?.disconnect()
    window.runs = new MutationObserver(() => { window.endedRuns += app.dataset.testScriptState === "notRunning" })
    window.runs.observe(app, { attributeFilter: ["data-test-script-state"] })
}"""
"""Counts in `window.endedRuns` how often the server has ended a run of the page since."""


def wait_until_still(page: Page) -> None:
    """Wait until the server has nothing left to send and the page has not changed for a while."""
    page.evaluate("window.quietSince = Date.now()")
    page.wait_for_function(_IS_UNCHANGED, arg=QUIET_MILLISECONDS, polling=50, timeout=WORK_SECONDS * 1000)


def open_sample(page: Page) -> None:
    """Open the sample project from the home page; its audit runs by itself."""
    page.get_by_role("button", name="Open the sample project").click()
    page.get_by_role("heading", name="Backlink audit", level=1).wait_for()
    work_ends(page)


def open_page(page: Page, name: str) -> None:
    """Go to a page by its name in the menu, and wait for its title, which is the same."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name=name, level=1).wait_for()
    wait_until_still(page)


def open_inputs(page: Page) -> None:
    """Open the line behind which the files and settings of an audit are, where there is one and it is closed."""
    line = page.get_by_test_id("stExpander").filter(has_text="Change files and settings:").locator("summary").first
    if line.count() and line.evaluate("one => !one.parentElement.open"):
        line.click()
        wait_until_still(page)


def run(page: Page, label: str) -> None:
    """Press a page's button and wait for its work to end."""
    open_inputs(page)
    page.evaluate(COUNT_RUNS)
    page.get_by_role("button", name=label).click()
    page.wait_for_function("window.endedRuns > 0", timeout=WORK_SECONDS * 1000)
    work_ends(page)


def work_ends(page: Page) -> None:
    """Wait until work under way has ended, and its result or its problem is shown."""
    wait_until_still(page)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0, timeout=WORK_SECONDS * 1000)
    page.get_by_test_id("stMetric").or_(page.get_by_test_id("stAlert")).first.wait_for()
    wait_until_still(page)


def open_tab(page: Page, name: str) -> None:
    """Open a tab."""
    page.get_by_role("tab", name=name, exact=True).click()
    wait_until_still(page)


def open_view(page: Page, name: str) -> None:
    """Choose a view of the tab Explore."""
    page.get_by_role("tabpanel").get_by_role("radio", name=name, exact=True).click()
    wait_until_still(page)


def figures(page: Page) -> dict[str, str]:
    """Read the figures on screen, by label."""
    metrics = page.get_by_test_id("stMetric").all()
    texts = [
        (metric.get_by_test_id("stMetricLabel").inner_text(), metric.get_by_test_id("stMetricValue").inner_text())
        for metric in metrics
    ]
    return {label.strip(): value.strip() for label, value in texts}


def upload(page: Page, expander: str, name: str, data: bytes) -> None:
    """Open the expander that begins with these words and put a file into its uploader."""
    open_inputs(page)
    box = page.get_by_test_id("stExpander").filter(has_text=expander).last
    box.locator("summary").click()
    box.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    wait_until_still(page)


def download(page: Page, label: str, folder: Path) -> Path:
    """Press a download button and return the file."""
    with page.expect_download(timeout=WORK_SECONDS * 1000) as started:
        page.get_by_role("button", name=label, exact=True).click()
    target = folder / started.value.suggested_filename
    started.value.save_as(target)
    return target
