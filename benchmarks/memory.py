"""Whether a server's memory comes back after hostile uploads and after plain visits: `make memory`.

Each visit is a browser of its own. The plain ones run an audit and look at three pages.
"""

import os
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from benchmarks.hostile_files import FILES, export, write
from benchmarks.measure import machine
from benchmarks.served import ALONE, Server, bring, chromium, open_page, served
from benchmarks.trust_results import write as write_result

UPLOADS = 20
"""Hostile ones: the first of `hostile_files.FILES`."""
SESSIONS = 20
WARMING = 2
"""Visits before the first look: what is loaded once is loaded then."""
ROWS = 3_000
"""Of a plain visit's file."""
ALLOWED = 0.10
"""Share by which the memory may have grown."""
SECONDS = 300
"""For one step of a visit."""


def main() -> None:
    """Measure, and write the section."""
    before_all = machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hostile = list(write(folder, dict(list(FILES.items())[:UPLOADS])).values())
        sound = folder / "sound.csv"
        sound.write_bytes(export(rows=ROWS))
        environment = os.environ | ALONE | {"BACKLINK_AUDIT_CACHE": str(folder / "cache")}
        with served(environment, folder) as server, chromium() as browser:
            for _ in range(WARMING):
                visit(browser, server, sound)
            start = server.at_rest()
            server.begin()
            for path in hostile:
                print(path.name, visit(browser, server, path), server.megabytes(), flush=True)
            after_uploads, peak = server.at_rest(), server.peak.bytes // 1024**2
            for _ in range(SESSIONS):
                print(sound.name, visit(browser, server, sound), server.megabytes(), flush=True)
            at_end, tracebacks = server.at_rest(), server.tracebacks()
    write_result(
        "Memory comes back",
        f"`make memory` on {before_all}.\n\n"
        f"- after {WARMING} visits: {start:,} MiB\n"
        f"- after {UPLOADS} hostile uploads: {grown(start, after_uploads)}, at most {peak:,} MiB meanwhile\n"
        f"- after {SESSIONS} more visits, each with an audit of {ROWS:,} rows: {grown(start, at_end)}\n"
        f"- exceptions in the server's log: {tracebacks}\n\n"
        f"Allowed: {ALLOWED:.0%} more than at first.",
    )


def grown(start: int, now: int) -> str:
    """Say how much memory there is now, and how much more that is than at the start.

    >>> grown(500, 520)
    '520 MiB (+4 %)'
    """
    return f"{now:,} MiB ({now / start - 1:+.0%})".replace("%", " %")


def visit(browser: Browser, server: Server, path: Path) -> str:
    """Come, upload a file, run the audit if it is loaded, look at two more pages, and go; return what was said."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(SECONDS * 1000)
    page.goto(server.address)
    said = bring(page, path)
    if said == "loaded":
        page.get_by_test_id("stSidebarNav").get_by_role("link", name="Backlink audit", exact=True).click()
        page.get_by_role("button", name="Run the audit").click()
        page.locator(
            "[data-testid=stMetric]:visible, [data-testid=stMain] [data-testid=stAlert]:visible"
        ).first.wait_for()
        expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0, timeout=SECONDS * 1000)
        for name in ("Backlink profile", "Risk review"):
            open_page(page, name)
    context.close()
    return said


if __name__ == "__main__":
    main()
