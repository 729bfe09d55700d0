"""The link score of 100,000 pages with 5 million links: the whole command, from the export to the csv.

    python -m benchmarks.link_score [PAGES [LINKS]]

The export is made up, with all columns of the tool; one page in fifty has no link, a few are linked from everywhere.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.link_score"
PAGES, LINKS = 100_000, 5_000_000
HEADER = (
    '"Type","Source","Destination","Size (Bytes)","Alt Text","Anchor","Status Code","Status","Follow","Target","Rel",'
    '"Path Type","Link Path","Link Position","Link Origin"\n'
)
ROW = (
    '"Hyperlink","{}","{}","54730","","Article number {}","200","OK","true","","","Root-Relative",'
    '"//body/div[2]/nav/ul[1]/li[4]/a","{}","HTML"\n'
)
POSITIONS = ("Content", "Navigation", "Header", "Footer")
ROWS_AT_ONCE = 100_000


def write_links(path: Path, pages: int, links: int) -> None:
    """Write an inlinks export of a made-up site."""
    rng = np.random.default_rng(0)
    urls = [f"https://www.shop.example/section-{page % 97}/about-something-{page}" for page in range(pages)]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        file.write(HEADER)
        sources = np.sort(rng.integers(0, pages, links))
        sources[sources % 50 == 0] = 1
        targets, positions = rng.zipf(1.3, links) % pages, rng.integers(0, len(POSITIONS), links)
        for start in range(0, links, ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            rows = zip(sources[part].tolist(), targets[part].tolist(), positions[part].tolist(), strict=True)
            file.write("".join(ROW.format(urls[a], urls[b], b, POSITIONS[place]) for a, b, place in rows))


def command(export: str, out: str) -> dict[str, float]:
    """Time the command as a process of its own."""
    figures: dict[str, float] = {}
    with timed(figures):
        subprocess.run([sys.executable, "-m", "backlink_audit", "authority", export, "-o", out], check=True)
    return figures


def main(pages: int, links: int) -> None:
    """Measure, and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "links.csv"
        write_links(export, pages, links)
        size = export.stat().st_size
        made = run_step(MODULE, "command", str(export), str(Path(folder) / "out.csv"))
    row = [f"{pages:,}", f"{links:,}", f"{size / 1e6:,.0f}", f"{made['seconds']:.1f}", f"{made['peak']:,.0f}"]
    body = table(("pages", "links", "export MB", "seconds", "peak MiB"), [row])
    write_section("Link score", f"{before}. From the export to the csv, all in one process.\n\n{body}")


STEPS = {step.__name__: step for step in (command,)}

if __name__ == "__main__" and not step_asked_for(STEPS):
    given = [int(number) for number in sys.argv[1:3]]
    main(*(given + [PAGES, LINKS][len(given) :]))
