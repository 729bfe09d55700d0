"""The server as `backlink-audit app` starts it: what it does not do, and whom it takes for local."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect

from backlink_audit.projects.projects import create
from backlink_audit.projects.store import open_store
from backlink_audit.ui.projects import OFF
from tests.browser import journey
from tests.browser.conftest import FLAGS, serving, started

pytestmark = pytest.mark.browser

NAME = "audit.example"


@pytest.fixture
def outside(chromium: str, playwright: Playwright) -> Iterator[Browser]:
    """A browser to which the app's name is this machine."""
    flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    browser = playwright.chromium.launch(executable_path=chromium, args=flags)
    yield browser
    browser.close()


def watches(process: int) -> list[Path]:
    """What the process has the system watch for changes (Linux)."""
    return [path for path in Path(f"/proc/{process}/fd").iterdir() if "inotify" in os.readlink(path)]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux shows what a process watches")
def test_no_file_is_watched_by_the_server_that_is_shipped(browser: BrowserContext, tmp_path: Path):
    with started(tmp_path) as (address, process):
        page = browser.new_page()
        page.set_default_timeout(journey.WORK_SECONDS * 1000)
        page.goto(address)
        journey.open_sample(page)
        assert watches(process.pid) == []
        page.close()


def test_behind_a_proxy_nobody_is_local_whatever_they_write(outside: Browser, tmp_path: Path):
    """A proxy on the same machine passes the visitor's name on: this server sees what it sees of these visits."""
    with open_store(str(tmp_path / "projects.sqlite")) as store:
        create(store, "Long Road")
    with serving(tmp_path, "--host", NAME) as address:
        for host in (NAME, "127.0.0.1", "localhost"):
            page = outside.new_page()
            page.set_default_timeout(journey.WORK_SECONDS * 1000)
            page.goto(f"{address.replace('127.0.0.1', host)}/projects")
            expect(page.get_by_text(OFF)).to_be_visible()
            expect(page.get_by_text("Long Road")).to_have_count(0)
            page.close()
    with serving(tmp_path) as address:
        page = outside.new_page()
        page.goto(f"{address}/projects")
        expect(page.get_by_text("Long Road")).to_be_visible()
