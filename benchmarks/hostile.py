"""The hostile files of `hostile_files`, through the terminal and through the browser: `make hostile`.

For each: what was said, after how long, with how much memory (children counted); in the browser also the slowest answer
of the health endpoint meanwhile. A traceback, a crash, a late answer, or a word to anybody outside counts as failed.
Needs Chromium; which addresses were connected to is known where strace is installed.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.hostile_files import FILES, VECTORS, export, write
from benchmarks.measure import machine, table, write_section
from benchmarks.processes import STRACE, run
from benchmarks.served import ALONE, Server, bring, chromium, open_page, served

SECONDS = 400
"""For one case, on a machine that may be busy; what takes longer counts as failed."""
LATEST = 2.0
"""Seconds within which the health endpoint must answer."""
HEADER = ("File", "MB", "Terminal", "s", "peak MiB", "Browser", "s", "slowest health, s", "peak MiB")
WORST = {
    3: "seconds in the terminal",
    4: "MiB there",
    6: "seconds in the browser",
    7: "seconds until its health was said",
    8: "MiB there",
}
_CRAWL = b"URL,Title\nhttps://shop.example/a,Tents\nhttps://shop.example/b,Poles\nhttps://shop.example/c,Pegs\n"
Row = tuple[str, ...]


def main() -> None:
    """Run all cases and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = FILES | VECTORS
        files = write(folder, kinds)
        (folder / "crawl.csv").write_bytes(_CRAWL)
        (folder / "sound.csv").write_bytes(export(rows=3_000))
        places = {"BACKLINK_AUDIT_CACHE": folder / "cache", "BACKLINK_AUDIT_STORE": folder / "projects.sqlite"}
        environment = os.environ | ALONE | {name: str(place) for name, place in places.items()}
        rows: list[Row] = []
        with served(environment, folder, traced=True) as server, chromium() as browser:
            for _ in range(2):  # whatever is loaded once is loaded
                _upload(browser, server, folder / "sound.csv", _look_at_two_pages)
            for case, path in files.items():
                seen = ("",) * 4 if path.suffix == ".npz" else _upload(browser, server, path, _look_at_two_pages)
                ran = _terminal(path, folder, environment)
                size = f"{path.stat().st_size / 1024**2:,.1f}"
                rows.append((case, size, *ran, *seen))
                print(rows[-1], flush=True)
                _write(rows, before, len(kinds))


def _terminal(path: Path, folder: Path, environment: Mapping[str, str]) -> Row:
    """Run the command for a file; return what it said last, its seconds and its peak memory."""
    words = ["profile", str(path)]
    if path.suffix == ".jl":
        words = ["clusters", str(path)]
    if path.suffix == ".npz":
        words = ["clusters", str(folder / "crawl.csv"), "--embeddings", str(path)]
    command = [sys.executable, "-m", "backlink_audit", *words, "-o", str(folder / "out.xlsx")]
    ran = run(command, environment, SECONDS)
    said = " ".join(ran.lines[-1:]) if ran.code else "done"
    if ran.code not in (0, 2) or (ran.code and len(ran.lines) > 1):
        said = f"FAILED ({ran.code}, {len(ran.lines)} lines): {said}"
    if ran.outside:
        said = f"FAILED: {said}, and spoke to {', '.join(ran.outside)}"
    return _short(said), f"{ran.seconds:.1f}", f"{ran.peak / 1024**2:,.0f}"


def _look_at_two_pages(page: Page, path: Path) -> str:
    """Upload a file as backlinks and look at two pages; return what was said."""
    said = bring(page, path)
    if said == "loaded":
        for name in ("Backlink profile", "Risk review"):
            open_page(page, name)
    return said


def _upload(browser: Browser, server: Server, path: Path, bring_it: Callable[[Page, Path], str]) -> Row:
    """Bring a file as a new visitor; return what was said, seconds, slowest health, peak."""
    connected = server.outside()
    server.begin()
    start = time.monotonic()
    context = browser.new_context()
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.set_default_timeout(SECONDS * 1000)
    try:
        page.goto(server.address)
        said = bring_it(page, path)
        if page.get_by_test_id("stException").count():
            said = f"FAILED: {said}, with a traceback"
    except Exception as problem:
        said = f"FAILED: {problem}"
    seconds = time.monotonic() - start
    context.close()
    ours = (server.address, server.address.replace("http", "ws"), "data:", "blob:")
    foreign = [url for url in asked if not url.startswith(ours)] + list(server.outside()[len(connected) :])
    if foreign:
        said = f"FAILED: {said}, and asked {', '.join(foreign)}"
    if server.slowest > LATEST:
        said = f"FAILED: {said}, and its health came late"
    return _short(said), f"{seconds:.1f}", f"{server.slowest:.2f}", f"{server.peak.bytes / 1024**2:,.0f}"


def _short(words: str) -> str:
    words = " ".join(words.split()).replace("|", "\\|")
    return words if len(words) < 160 else f"{words[:157]}…"


def _write(rows: list[Row], before: str, cases: int) -> None:
    """Write how many cases failed, and the rows of those; the others were printed."""
    failed = [row for row in rows if any("FAILED" in cell for cell in row)]
    watched = "connections beyond this machine watched by strace" if STRACE else "no strace: connections not watched"
    worst = [f"{name} {max(_numbers(rows, place), default=0):,.1f}" for place, name in WORST.items()]
    text = (
        f"`make hostile` on {before}; {watched}. Memory: all processes together.\n\n"
        f"Cases: {len(rows)} of {cases}. Failed: {len(failed)}. The most of any case: {'; '.join(worst)}."
    )
    write_section("Hostile files", f"{text}\n\n{table(HEADER, failed)}" if failed else text)


def _numbers(rows: list[Row], place: int) -> list[float]:
    return [float(row[place].replace(",", "")) for row in rows if row[place]]


if __name__ == "__main__":
    main()
