"""Killed without warning, nothing is lost: a server in a run, and runs in parts at fifty moments: `make kills`."""

import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.export import write_export
from benchmarks.measure import machine
from benchmarks.processes import ROOT
from benchmarks.served import ALONE, bring, chromium, served
from benchmarks.trust_results import write
from tests.browser import journey

KILLS = 50
KILLS_EACH = 5
"""Kills of one run before it may come to its end."""
ROWS, ROWS_PER_PART = 12_000, 600
SERVER_ROWS = 6_000
MODEL = "Instant"
"""Of the run in parts; the server's visitor takes the default model."""
SECONDS = 1_200
"""For all kills."""
Figures = dict[str, str]


def main() -> None:
    """Kill, and write the sections."""
    if sys.argv[1:2] == ["--child"]:
        _in_parts(*map(Path, sys.argv[2:5]))
        return
    before = machine()
    environment = os.environ | ALONE | {"OMP_NUM_THREADS": "1"}
    for title, check in (("A server killed in a run", server), ("Fifty kills of a run in parts", parts)):
        with tempfile.TemporaryDirectory() as name:
            write(title, f"`make kills` on {before}.\n\n{check(Path(name), environment)}")


def server(folder: Path, environment: dict[str, str]) -> str:
    """Run undisturbed, then killed half way and begun again; say how long each took and whether the figures agree."""
    path = folder / "links.csv"
    write_export(path, SERVER_ROWS)
    by_terminal = _terminal(path, folder, environment | {"BACKLINK_AUDIT_CACHE": str(folder / "terminal")})
    undisturbed, cut = ({"BACKLINK_AUDIT_CACHE": str(folder / name)} for name in ("whole", "cut"))
    with chromium() as browser:
        whole, figures, _ = _audit(browser, folder, environment | undisturbed)
        _, _, killed_after = _audit(browser, folder, environment | cut, kill_after=whole / 2)
        again, figures_again, _ = _audit(browser, folder, environment | cut)
    same = figures == figures_again
    agrees = all(figures[label] == by_terminal[label] for label in by_terminal)
    return (
        f"An audit of {SERVER_ROWS:,} links with the default model, in the browser, from the click to the figures.\n\n"
        f"- undisturbed, nothing in the cache: {whole:.1f} s\n"
        f"- killed with SIGKILL {killed_after:.1f} s after the click\n"
        f"- started again, the same file: {again:.1f} s ({again / whole:.0%} of the first)\n"
        f"- the same figures: {'yes' if same else 'NO'} ({figures})\n"
        f"- the terminal's: {'yes' if agrees else 'NO'} ({by_terminal})"
    )


def _terminal(path: Path, folder: Path, environment: dict[str, str]) -> Figures:
    import pandas as pd

    out = folder / "terminal.csv"
    command = [sys.executable, "-m", "backlink_audit", "audit", str(path), "-o", str(out)]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)
    table = pd.read_csv(out)
    return {
        "Backlinks": f"{len(table):,}",
        "Mean similarity": f"{table['Similarity'].mean():.3f}",
        "Mean CAS": f"{table['CAS'].mean():.3f}",
    }


def _audit(
    browser: Browser, folder: Path, environment: dict[str, str], kill_after: float = 0.0
) -> tuple[float, Figures, float]:
    """Start a server, audit the file in it, and end it; return seconds, figures, and when it was killed."""
    with served(environment, folder) as app:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(journey.WORK_SECONDS * 1000)
        page.goto(app.address)
        bring(page, folder / "links.csv")
        journey.open_page(page, "Backlink audit")
        start = time.monotonic()
        page.get_by_role("button", name="Run the audit").click()
        if kill_after:
            time.sleep(kill_after)
            running = page.get_by_role("button", name="Stop", exact=True).count()
            app.process.kill()
            if not running:
                raise RuntimeError("The run had ended before the kill.")
            return 0.0, {}, time.monotonic() - start
        page.get_by_test_id("stMetric").first.wait_for()
        seconds = time.monotonic() - start
        journey.wait_until_still(page)
        figures = journey.figures(page)
        context.close()
    return seconds, figures, 0.0


def parts(folder: Path, environment: dict[str, str]) -> str:
    """Kill runs in parts, end each, and compare what they write with what an undisturbed one writes."""
    source, out = folder / "links.csv", folder / "out.csv"
    write_export(source, ROWS)
    environment = environment | {"BACKLINK_AUDIT_CACHE": str(folder / "cache")}
    start = time.monotonic()
    _child(source, folder / "whole", out, environment).wait()
    whole = time.monotonic() - start
    wanted, chance = _digest(out), random.Random(7)
    work = _seconds_of_work(source, folder / "timed", out, environment)
    killed, different, ended, seen = 0, 0, 0, list[int]()
    while killed < KILLS and time.monotonic() - start < SECONDS:
        runs = folder / f"run-{ended}"
        for _ in range(KILLS_EACH):
            child = _child(source, runs, out, environment)
            time.sleep(chance.uniform(0, 0.6) * work)
            if child.poll() is None:
                killed += 1
            child.kill()
            child.wait()
            seen.append(sum(path.is_file() for path in runs.rglob("*")))
        out.unlink(missing_ok=True)
        if _child(source, runs, out, environment).wait():
            raise RuntimeError("A run that was killed could not be ended.")
        different += _digest(out) != wanted
        ended += 1
        shutil.rmtree(runs)
        print(killed, "killed,", different, "different", flush=True)
    return (
        f"{ROWS:,} links in parts of {ROWS_PER_PART:,}, model {MODEL}; a whole run takes {whole:.1f} s, "
        f"{work:.1f} of them at work.\n\n"
        f"- killed with SIGKILL at work: {killed}, {KILLS_EACH} times in each of {ended} runs\n"
        f"- files in the run's folder at the kills: {min(seen)} to {max(seen)}, {len(set(seen))} different numbers\n"
        f"- files written after them that differ by a byte from the undisturbed run's: {different} of {ended}"
    )


def _seconds_of_work(source: Path, folder: Path, out: Path, environment: dict[str, str]) -> float:
    child = _child(source, folder, out, environment)
    start = time.monotonic()
    child.wait()
    return time.monotonic() - start


def _child(source: Path, folder: Path, out: Path, environment: dict[str, str]) -> "subprocess.Popen[str]":
    """Start a run in parts, and return it when it is at work."""
    command = [sys.executable, "-m", "benchmarks.kills", "--child", str(source), str(folder), str(out)]
    child = subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    return child


def _in_parts(source: Path, runs: Path, out: Path) -> None:
    """Do as `backlink-audit audit --engine parts` does, with smaller parts."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.parts import split
    from backlink_audit.pipelines.audit.part_tables import tables
    from backlink_audit.pipelines.audit.parts import audit_parts
    from backlink_audit.pipelines.run_folders import open_folder, stages_folder
    from backlink_audit.report.files import save
    from backlink_audit.settings import AuditSettings

    settings = AuditSettings(model=MODEL)
    with open_folder([source], runs) as folder:
        encoder = load_encoder(settings.model)
        print("at work", flush=True)
        links = split([source], folder, rows_per_part=ROWS_PER_PART, whole_below=0)
        stages = stages_folder(links, settings, encoder.identity)
        save(tables(audit_parts(links, settings, encoder, stages)), out)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
