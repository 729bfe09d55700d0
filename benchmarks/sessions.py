"""Eight browsers for half an hour: seeded random use by visitors who mean well, on one server: `make sessions`.

Nothing but 127.0.0.1 is visited. Every sentence, figure and table is compared with the terminal's for the same file.
"""

import os
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright

from benchmarks.measure import machine, write_section
from benchmarks.served import FLAGS, Server, chromium_path, served
from benchmarks.visits import Facts, Tally, Visitor, facts, facts_of_sample, make_file

SESSIONS = 8
MINUTES = float(os.environ.get("SESSIONS_MINUTES", "30"))
EARLY = MINUTES / 6
"""Minutes after which the memory is looked at for the first time: 5 of 30."""
SEED = 2026
EVERY_SECONDS = 5
ALLOWED = 0.20
"""Share by which the memory at the end may differ from the early one."""


def main() -> None:
    """Ask the terminal, let the visitors go, and write the section."""
    before = machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        files = [make_file(folder / f"visitor-{number}.csv", Random(SEED + number)) for number in range(SESSIONS)]
        asked = environment | {"BACKLINK_AUDIT_CACHE": str(folder / "terminal")}
        with ProcessPoolExecutor(1, get_context("spawn"), take_on, (asked,)) as terminal:
            known = {path: facts(path, terminal) for path in files}
            of_sample = facts_of_sample(folder, terminal)
        print("The terminal has been asked.", flush=True)
        with served(environment | {"BACKLINK_AUDIT_CACHE": str(folder / "app")}, folder) as server:
            start = time.monotonic()
            memory: list[tuple[float, int]] = []
            watch = threading.Thread(target=_watch, args=(server, start, memory), daemon=True)
            watch.start()
            with ThreadPoolExecutor(SESSIONS) as visitors:
                own = [{path: known[path] for path in (files[n], files[(n + 1) % SESSIONS])} for n in range(SESSIONS)]
                jobs = [visitors.submit(_visits, server, n, own[n], of_sample, start) for n in range(SESSIONS)]
                tallies = [job.result() for job in jobs]
            server.ended.set()
            watch.join()
            write_section("Eight visitors for half an hour", _report(before, tallies, memory, server))


def take_on(environment: dict[str, str]) -> None:
    """Give this process these settings: the terminal's has a cache of its own."""
    os.environ.update(environment)


def _visits(server: Server, number: int, own: dict[Path, Facts], of_sample: Facts, start: float) -> Tally:
    """Visit again and again until the time is over."""

    def is_over() -> bool:
        return time.monotonic() - start > MINUTES * 60

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        visitor = Visitor(browser, server.address, Random(SEED + number), own, of_sample)
        while not is_over():
            visitor.visit(is_over)
            print(number, round((time.monotonic() - start) / 60, 1), visitor.tally, flush=True)
        browser.close()
    return visitor.tally


def _watch(server: Server, start: float, memory: list[tuple[float, int]]) -> None:
    """Note minutes and MiB until the server ends."""
    while not server.ended.wait(EVERY_SECONDS):
        memory.append(((time.monotonic() - start) / 60, server.megabytes()))


def _report(before: str, tallies: list[Tally], memory: list[tuple[float, int]], server: Server) -> str:
    done: dict[str, int] = {}
    for tally in tallies:
        for what, times in tally.done.items():
            done[what] = done.get(what, 0) + times
    wrong = [sentence for tally in tallies for sentence in tally.wrong]
    failed = [sentence for tally in tallies for sentence in tally.failed]
    early, late = around(memory, EARLY), around(memory, min(MINUTES, memory[-1][0]))
    lines = [
        f"`make sessions` on {before}; {SESSIONS} browsers, {MINUTES:g} minutes, seed {SEED}.\n",
        f"- visits: {sum(tally.visits for tally in tallies):,}; steps: {sum(done.values()):,} "
        f"({', '.join(f'{what} {times:,}' for what, times in sorted(done.items()))})",
        f"- held against the terminal: {sum(tally.checked for tally in tallies):,} sentences, figures and tables; "
        f"wrong: {len(wrong)}",
        f"- exceptions on pages, and steps without an end: {len(failed)}; in the server's log: {server.tracebacks()}",
        f"- slowest answer of the health endpoint: {server.slowest:.2f} s",
        f"- memory: {early:,} MiB after {EARLY:g} minutes, {late:,} MiB at the end ({late / early - 1:+.0%}; "
        f"{ALLOWED:.0%} allowed), at most {max(megabytes for _, megabytes in memory):,} MiB",
        *(f"- wrong: {sentence}" for sentence in wrong[:20]),
        *(f"- failed: {sentence}" for sentence in failed[:20]),
    ]
    return "\n".join(lines)


def around(memory: list[tuple[float, int]], minute: float) -> int:
    """Return the mean memory of the minute before, in MiB.

    >>> around([(1.0, 100), (4.5, 200), (5.0, 300), (9.0, 900)], 5.0)
    250
    """
    held = [megabytes for at, megabytes in memory if minute - 1 < at <= minute]
    return round(sum(held) / max(1, len(held)))


if __name__ == "__main__":
    main()
