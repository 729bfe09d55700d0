"""The hostile files of `hostile_files`, through the terminal and through the browser: `python -m benchmarks.hostile`.

For each: what was said, after how long, with how much memory; in the browser also the slowest answer of the health
endpoint meanwhile. At the end: the server's memory beside that before the first file. Needs Chromium.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.hostile_files import FILES, VECTORS, export, write
from benchmarks.measure import machine, table

ROOT = Path(__file__).parent.parent
RESULT = Path(__file__).parent / "hostile.md"
SECONDS = 120
"""For one case; what takes longer counts as failed."""
FORGOTTEN_AFTER = 5
"""Seconds after which the server forgets a closed visit here; 120 as it is configured."""
SESSIONS = 20
"""Plain visits after the hostile ones, each with a file of 3,000 rows."""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_CRAWL = b"URL,Title\nhttps://shop.example/a,Tents\nhttps://shop.example/b,Poles\nhttps://shop.example/c,Pegs\n"


def main() -> None:
    """Run all cases and write the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files, vectors = write(folder, FILES), write(folder, VECTORS)
        (folder / "crawl.csv").write_bytes(_CRAWL)
        environment = os.environ | {"BACKLINK_AUDIT_CACHE": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
        rows = []
        with _server(environment, folder) as server, _chromium() as browser:
            for _ in range(2):  # whatever is loaded once is loaded
                _upload(browser, server, _sound(folder))
            before = _rest(server.pid)
            for case, path in (files | vectors).items():
                words = ["profile", str(path)]
                if path.suffix == ".npz":
                    words = ["clusters", str(folder / "crawl.csv"), "--embeddings", str(path)]
                said = _terminal([*words, "-o", str(folder / "out.xlsx")], environment)
                seen = _upload(browser, server, path) if path.suffix != ".npz" else ("", 0.0, 0.0, 0)
                rows.append((case, f"{path.stat().st_size / 1024**2:,.1f}", *said, *_shown(seen)))
                print(rows[-1], flush=True)
                _write(rows, "")
            after = _rest(server.pid)
            memory = (
                f"The server's memory: {before:,} MiB before the first of these files, {after:,} MiB "
                f"({after / before - 1:+.0%}) after the last"
            )
            _write(rows, f"{memory}.")
            for _ in range(SESSIONS):
                _upload(browser, server, _sound(folder), look=False)
            at_end = _rest(server.pid)
    _write(rows, f"{memory}, {at_end:,} MiB ({at_end / before - 1:+.0%}) after {SESSIONS} more visits.")


def _sound(folder: Path) -> Path:
    path = folder / "sound.csv"
    if not path.exists():
        path.write_bytes(export(rows=3_000))
    return path


def _terminal(words: list[str], environment: dict[str, str]) -> tuple[str, str, str]:
    """Run a command; return what it said last, its seconds, and its peak memory in MiB (that of its children too)."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "backlink_audit", *words], env=environment, cwd=ROOT, stderr=said, stdout=said
        )
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        said.seek(0)
        lines = said.read().decode("utf-8", "replace").strip().splitlines()
    code = os.waitstatus_to_exitcode(status)
    words_said = " ".join(lines[-1:]) if code else "done"
    if code not in (0, 2) or len(lines) > 1 and code:
        words_said = f"FAILED ({code}, {len(lines)} lines): {words_said}"
    return _short(words_said), f"{time.monotonic() - start:.1f}", f"{usage.ru_maxrss / 1024:,.0f}"


class _Server:
    """The running app: its address, its process, and how slowly it said that it is well."""

    def __init__(self, port: int, pid: int) -> None:
        self.address, self.pid = f"http://127.0.0.1:{port}", pid
        self.slowest, self.peak = 0.0, 0
        self.stop = threading.Event()

    def watch(self) -> None:
        """Ask for its health again and again."""
        while not self.stop.wait(0.1):
            start = time.monotonic()
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=60).read()
            except (urllib.error.URLError, OSError):
                pass
            self.slowest = max(self.slowest, time.monotonic() - start)
            self.peak = max(self.peak, _memory(self.pid))


@contextmanager
def _server(environment: dict[str, str], folder: Path) -> Iterator[_Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.disconnectedSessionTTL", str(FORGOTTEN_AFTER), "--server.fileWatcherType", "none"]
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        server = _Server(port, process.pid)
        try:
            while process.poll() is None:
                try:
                    urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=5).read()
                    break
                except (urllib.error.URLError, OSError):
                    time.sleep(0.3)
            threading.Thread(target=server.watch, daemon=True).start()
            yield server
        finally:
            server.stop.set()
            process.kill()
            process.wait()


@contextmanager
def _chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=FLAGS)


def _upload(browser: Browser, server: _Server, path: Path, *, look: bool = True) -> tuple[str, float, float, int]:
    """Upload a file as a new visitor, and look at two pages; return what was said, seconds, slowest health, peak."""
    server.slowest, server.peak, start = 0.0, 0, time.monotonic()
    context = browser.new_context()
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.set_default_timeout(SECONDS * 1000)
    try:
        page.goto(server.address)
        page.get_by_role("heading", level=1).wait_for()
        page.locator("input[type=file]").first.set_input_files(path)
        loaded = (
            page.get_by_test_id("stSidebar").get_by_text("row", exact=False).filter(has_text=re.compile(r"\(.*row"))
        )
        refused = page.get_by_test_id("stAlert").filter(has_text=path.name)
        loaded.or_(refused).first.wait_for()
        said = refused.first.inner_text() if refused.count() else "loaded"
        seconds = time.monotonic() - start
        if said == "loaded" and look:
            _look(page)
            seconds = time.monotonic() - start
        if page.get_by_test_id("stException").count():
            said = f"FAILED: {said}, with a traceback"
        if any(
            not url.startswith((server.address, "data:", "blob:", server.address.replace("http", "ws")))
            for url in asked
        ):
            said = f"FAILED: {said}, and something outside was asked for"
    except Exception as problem:
        said, seconds = f"FAILED: {str(problem)}", time.monotonic() - start
    finally:
        context.close()
    return _short(said), seconds, server.slowest, server.peak


def _look(page: Page) -> None:
    """Open the pages that look at every title and URL without a run."""
    for name in ("Backlink profile", "Risk review"):
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
        page.get_by_role("heading", name=name, level=1).wait_for()
        page.locator("[data-testid=stMetric]:visible, [data-testid=stAlert]:visible").first.wait_for()


def _shown(seen: tuple[str, float, float, int]) -> tuple[str, ...]:
    said, seconds, slowest, peak = seen
    return (said, f"{seconds:.1f}", f"{slowest:.2f}", f"{peak:,}") if said else ("", "", "", "")


def _rest(pid: int) -> int:
    """Wait until the closed visits are forgotten, and return the server's memory in MiB."""
    time.sleep(FORGOTTEN_AFTER + 35)
    return _memory(pid)


def _memory(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024**2
    except (OSError, IndexError):
        return 0


def _short(words: str) -> str:
    words = " ".join(words.split()).replace("|", "\\|")
    return words if len(words) < 160 else f"{words[:157]}…"


def _write(rows: list[tuple[str, ...]], memory: str) -> None:
    header = ("File", "MB", "Terminal", "s", "peak MiB", "Browser", "s", "slowest health, s", "peak MiB")
    failed = sum("FAILED" in cell for row in rows for cell in row)
    RESULT.write_text(
        f"# Hostile files\n\nMade by `python -m benchmarks.hostile` on {machine()}\n\n{table(header, rows)}\n\n"
        f"{memory} Failed: {failed}.\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
