"""The app on a port of its own, asked for its health and watched from outside, and a browser for its visitors."""

import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.processes import EVERY_SECONDS, ROOT, Peak, end, memory, outside, watched

START_SECONDS = 180
ALONE = {"HF_HUB_OFFLINE": "1"}
"""Settings under which a server does nothing but what its visitors ask."""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TRACEBACK = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)


class Server:
    """The running app: its address, its slowest health check, the most memory that it and its children took."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.address, self.process = f"http://127.0.0.1:{port}", process
        self.log, self.calls = folder / "log.txt", folder / "calls.txt"
        self.peak, self.slowest = Peak(process.pid), 0.0
        self.ended = threading.Event()

    def begin(self) -> None:
        """Forget the slowest answer and the most memory so far."""
        self.slowest = 0.0
        self.peak.begin()

    def watch(self) -> None:
        """Ask for its health and look at its memory, again and again."""
        while not self.ended.wait(EVERY_SECONDS):
            start = time.monotonic()
            self.is_well()
            self.slowest = max(self.slowest, time.monotonic() - start)
            self.peak.look()

    def is_well(self) -> bool:
        """Whether the health endpoint says so."""
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=60) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def megabytes(self) -> int:
        """Return the memory that the server takes now, in MiB."""
        return sum(memory(self.process.pid).values()) // 1024**2

    def outside(self) -> tuple[str, ...]:
        """Return the addresses beyond this machine that it connected to; () where there is no strace."""
        return outside(self.calls)

    def tracebacks(self) -> int:
        """Return how many exceptions are in its log."""
        return len(TRACEBACK.findall(self.log.read_text(errors="replace")))


@contextmanager
def served(environment: Mapping[str, str], folder: Path, *, traced: bool = False) -> Iterator[Server]:
    """Start the app as it is shipped, without a switch of our own but its port, and end it.

    Args:
        environment: Of its process.
        folder: Where its log goes.
        traced: Whether its connections are watched.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "backlink_audit", "app", "--port", str(port)]
    if traced:
        command = watched(command, folder / "calls.txt")
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
        server = Server(port, process, folder)
        try:
            last = time.monotonic() + START_SECONDS
            while not server.is_well():
                if process.poll() is not None or time.monotonic() > last:
                    raise RuntimeError(f"The server did not start:\n{server.log.read_text()}")
                time.sleep(0.2)
            threading.Thread(target=server.watch, daemon=True).start()
            yield server
        finally:
            server.ended.set()
            end(process)


def chromium_path() -> str:
    """Return where Chromium is. Raises RuntimeError where it is not."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise RuntimeError("Chromium is not installed.")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Give a browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()


def bring(page: Page, path: Path) -> str:
    """Upload a file as backlinks on the home page; return "loaded", or why it was refused."""
    page.get_by_role("heading", level=1).wait_for()
    page.locator("input[type=file]").first.set_input_files(path)
    loaded = page.get_by_test_id("stSidebar").get_by_text("row", exact=False).filter(has_text=re.compile(r"\(.*row"))
    refused = page.get_by_test_id("stAlert").filter(has_text=path.name)
    loaded.or_(refused).first.wait_for()
    return refused.first.inner_text() if refused.count() else "loaded"


def open_page(page: Page, name: str) -> None:
    """Open a page from the menu and wait for its first figures, or what it says instead."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name=name, level=1).wait_for()
    page.locator("[data-testid=stMetric]:visible, [data-testid=stAlert]:visible").first.wait_for()
