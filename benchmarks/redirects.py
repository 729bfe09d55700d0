"""The redirect map of 50,000 old pages to 50,000 new ones: seconds and peak memory of the whole run.

    python -m benchmarks.redirects [PAGES]

Both crawls are made up: every old page has another address, title and text on the new site, one in ten is gone.
"""

import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.redirects"
PAGES, GONE = 50_000, 10
WORDS, VOCABULARY = 80, 60_000
HEADER = ("Address", "Content Type", "Status Code", "Indexability", "Title 1", "H1-1", "Content")


def write_crawls(old: Path, new: Path, pages: int) -> None:
    """Write both crawls: the new texts have three quarters of the old one's words."""
    rng = np.random.default_rng(0)
    texts = (rng.zipf(1.1, (pages, WORDS)) % VOCABULARY).astype(int)
    changed = np.where(rng.random(texts.shape) < 0.25, rng.integers(0, VOCABULARY, texts.shape), texts)
    changed[::GONE] = rng.integers(0, VOCABULARY, (len(changed[::GONE]), WORDS))
    for path, rows, folder in ((old, texts, "shop"), (new, changed, "store")):
        with path.open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, quoting=csv.QUOTE_ALL)
            out.writerow(HEADER)
            for page, numbers in enumerate(rows.tolist()):
                title = " ".join(f"w{number}" for number in numbers[:6])
                url = f"https://www.shop.example/{folder}/{title.replace(' ', '-')}-{page}"
                content = " ".join(f"w{number}" for number in numbers)
                out.writerow((url, "text/html", 200, "Indexable", title, title, content))


def match(old: str, new: str) -> dict[str, float]:
    """Time the map, from the files to the rows."""
    from backlink_audit.exports.load import load
    from backlink_audit.redirects.run import map_redirects
    from backlink_audit.settings import RedirectSettings

    figures: dict[str, float] = {}
    with timed(figures):
        crawls = [load([(Path(name).name, Path(name).read_bytes())], "pages") for name in (old, new)]
        result = map_redirects(crawls[0], crawls[1], RedirectSettings(brands=()))
    moved = np.array([int(url.rsplit("-", 1)[1]) for url in result.table["old_url"]])
    led = result.table["new_url"].str.rsplit("-", n=1).str[-1]
    stays = moved % GONE != 0
    right = (led == moved.astype(str)).to_numpy()
    sure = (result.table["confidence"] == "sure").to_numpy()
    return {
        **figures,
        "right": float(right[stays].mean()),
        "sure": float(sure.sum()),
        "sure_right": float((right & stays)[sure].mean()) if sure.any() else float("nan"),
    }


def main(pages: int) -> None:
    """Measure, and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder) / "old.csv", Path(folder) / "new.csv"
        write_crawls(old, new, pages)
        made = run_step(MODULE, "match", str(old), str(new))
    row = [f"{pages:,} x {pages:,}", f"{made['seconds']:,.0f}", f"{made['peak']:,.0f}", f"{made['right']:.3f}"]
    row += [f"{made['sure']:,.0f}", f"{made['sure_right']:.4f}"]
    body = table(("pages", "seconds", "peak MiB", "right at rank 1", "sure", "of them right"), [row])
    note = "Made-up crawls, from the files to the rows."
    write_section("Redirects", f"{before}. {note}\n\n{body}")


STEPS = {step.__name__: step for step in (match,)}

if __name__ == "__main__" and not step_asked_for(STEPS):
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAGES)
