"""A server of our own and a real Chromium. Locally a missing Chromium skips these tests; in CI it fails them."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).parent.parent.parent
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 120

# On a busy machine a click is answered late; what never comes still fails.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def chromium() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path:
        return path
    if os.environ.get("CI") == "true":
        pytest.fail("Chromium is not installed, and in CI the browser journeys must run.")
    pytest.skip("Chromium is not installed.")


@pytest.fixture(scope="session")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on a free port, with the real model and a cache of its own; gives its address."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@contextmanager
def serving(folder: Path, *options: str, **settings: str) -> Iterator[str]:
    """Run the app as `started` does; gives its address."""
    with started(folder, *options, **settings) as (address, _):
        yield address


@contextmanager
def started(folder: Path, *options: str, **settings: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Run the app as it is shipped, on a free port, with these options of `backlink-audit app` and these variables.

    Its cache and its log are in the folder. Gives its address and its process.
    """
    port = free_port()
    command = [sys.executable, "-m", "backlink_audit", "app", "--address", "127.0.0.1", "--port", str(port), *options]
    # One thread: on a busy machine two that wait for each other are many times slower.
    ours = {"BACKLINK_AUDIT_CACHE": str(folder / "cache"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    ours["BACKLINK_AUDIT_STORE"] = str(folder / "projects.sqlite")  # never that of whoever runs the tests
    environment = os.environ | ours | settings
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/_stcore/health", process, folder / "log.txt")
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(
    chromium: str, playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    context = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("chromium"),
        executable_path=chromium,
        args=FLAGS,
        viewport={"width": 1400, "height": 1000},
        accept_downloads=True,
    )
    yield context
    context.close()


@pytest.fixture
def visitors(chromium: str, playwright: Playwright, server: str) -> Iterator[list[Page]]:
    """The home page, visited by four people: contexts that share no cookies and no storage."""
    browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    pages = [browser.new_context(accept_downloads=True).new_page() for _ in range(4)]
    for page in pages:
        page.set_default_timeout(60_000)
        page.goto(server)
        page.get_by_role("heading", level=1).wait_for()
    yield pages
    browser.close()


@pytest.fixture
def page(browser: BrowserContext, server: str) -> Iterator[Page]:
    """A fresh visit of the home page."""
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto(server)
    page.get_by_role("heading", level=1).wait_for()
    yield page
    page.evaluate("localStorage.clear()")  # a menu that was closed would stay so for the next visit
    page.close()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until_it_answers(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server that was started answers at this address; a test fails with its log where it does not."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"The server did not start:\n{log.read_text()}")
