"""Two years of snapshots in one project: is what was won and lost right, how fast is it, and how large is the store?

    python -m benchmarks.history [SNAPSHOTS [ROWS]]

Every version of the made-up export lacks some rows of the one before and has as many new ones. Each is audited with
Instant and saved; each pair of neighbours is compared in the store, link by link with what `changes` finds in the two
files. The cache of vectors is the user's own: what an audit costs is measured elsewhere.
"""

import csv
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

import pandas as pd

from benchmarks.export import write_export
from benchmarks.measure import machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.history"
SNAPSHOTS, ROWS = 24, 100_000
MOVED = 0.03
"""Share of the rows that each version lost and won since the one before."""
FIRST_DAY = date(2024, 1, 1)
MONTH = timedelta(days=30)
PROJECT = "Two years"


def write_versions(folder: Path, snapshots: int, rows: int) -> list[Path]:
    """Write the versions: a window of rows that moves down one long export."""
    step = round(MOVED * rows)
    write_export(folder / "all.csv", rows + step * (snapshots - 1))
    with (folder / "all.csv").open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    paths = []
    for number in range(snapshots):
        paths.append(folder / f"links-{FIRST_DAY + number * MONTH}.csv")
        with paths[-1].open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *lines[number * step : number * step + rows]])
    return paths


def keep(export: str, store: str) -> dict[str, float]:
    """Audit a version and save it as a snapshot: seconds of both."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.load import load
    from backlink_audit.pipelines.audit.run import audit_backlinks
    from backlink_audit.projects.projects import create, find
    from backlink_audit.projects.snapshots import save
    from backlink_audit.projects.store import open_store
    from backlink_audit.settings import AuditSettings

    figures: dict[str, float] = {}
    path = Path(export)
    with timed(figures, "audit"):
        links = load([(path.name, path.read_bytes())])
        audit = audit_backlinks(links, AuditSettings(model="Instant"), load_encoder("Instant"))
    with open_store(store) as opened, timed(figures, "save"):
        snapshot, _ = save(opened, find(opened, PROJECT) or create(opened, PROJECT), audit)
    return figures | {"links": float(len(audit.scored)), "bytes": float(snapshot.bytes)}


def pair(older: str, newer: str, store: str, place: str) -> dict[str, float]:
    """Compare two neighbours in the store and in their files: seconds, new and lost links, whether all are equal."""
    from backlink_audit.exports.load import load
    from backlink_audit.pipelines.changes.run import compare_exports
    from backlink_audit.projects.comparison import compare
    from backlink_audit.projects.projects import find_or_refuse
    from backlink_audit.projects.snapshots import every_snapshot
    from backlink_audit.projects.store import open_store

    figures: dict[str, float] = {}
    with open_store(store) as opened:
        snapshots = every_snapshot(opened, find_or_refuse(opened, PROJECT))[int(place) :]
        with timed(figures):
            in_store = compare(opened, snapshots[0], snapshots[1]).links
    exports = [load([(Path(one).name, Path(one).read_bytes())]) for one in (older, newer)]
    in_files = compare_exports(exports[0], exports[1]).links
    assert in_files is not None
    moved = [_moved(links) for links in (in_store, in_files)]
    counts = in_files["change"].value_counts()
    return figures | {
        "new": float(counts.get("new", 0)),
        "lost": float(counts.get("lost", 0)),
        "equal": float(moved[0].equals(moved[1])),
    }


def opened(store: str) -> dict[str, float]:
    """Open the history: read it from the store and draw what its first tab shows."""
    from backlink_audit.projects.history import history
    from backlink_audit.projects.projects import find_or_refuse
    from backlink_audit.projects.store import open_store
    from backlink_audit.report.charts import history as charts

    figures: dict[str, float] = {}
    with open_store(store) as kept, timed(figures):
        found = history(kept, find_or_refuse(kept, PROJECT))
        assert found is not None and not found.uncompared
        charts.over_time(found.figures, "domains", "Referring domains", found.before)
        charts.moves(found.figures)
        charts.verdicts(found.figures)
    return figures


def _moved(links: pd.DataFrame) -> pd.DataFrame:
    """Return the links that are new or lost, in one order."""
    columns = ["referring_url", "target_url", "anchor", "change"]
    rows = links.loc[links["change"].isin(["new", "lost"]), columns].astype("str")
    return rows.sort_values(columns, ignore_index=True)


def main(snapshots: int, rows: int) -> None:
    """Measure, and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_versions(Path(folder), snapshots, rows)
        store = str(Path(folder) / "store.sqlite")
        kept = [run_step(MODULE, "keep", str(path), store) for path in paths]
        size = Path(store).stat().st_size
        neighbours = enumerate(zip(paths, paths[1:], strict=False))
        pairs = [run_step(MODULE, "pair", str(a), str(b), store, str(place)) for place, (a, b) in neighbours]
        history = run_step(MODULE, "opened", store)
    equal = sum(one["equal"] for one in pairs)
    saving = sorted(one["save"] for one in kept)
    body = [
        ["pairs whose new and lost links are those of `changes`", f"{equal:.0f} of {len(pairs)}"],
        ["new and lost links of a pair", f"{_range(pairs, 'new')} and {_range(pairs, 'lost')}"],
        [
            "saving a snapshot beyond its audit, seconds",
            f"median {saving[len(saving) // 2]:.1f}, most {saving[-1]:.1f}",
        ],
        ["audit of a version (Instant), seconds", _range(kept, "audit", ".1f")],
        ["comparing two neighbours in the store, seconds", _range(pairs, "seconds", ".1f")],
        ["opening the history with its first three charts, seconds", f"{history['seconds']:.2f}"],
        ["store", f"{size / 2**20:,.0f} MiB, {size / (snapshots * rows):.0f} bytes per row"],
        ["peak of saving and of comparing, MiB", f"{_most(kept, 'peak')} and {_most(pairs, 'peak')}"],
    ]
    text = table(("what", "figure"), body)
    write_section("History", f"{snapshots} snapshots of {rows:,} rows. {before}.\n\n{text}")


def _range(steps: list[dict[str, float]], name: str, form: str = ",.0f") -> str:
    least, most = (f"{pick(one[name] for one in steps):{form}}" for pick in (min, max))
    return least if least == most else f"{least} to {most}"


def _most(steps: list[dict[str, float]], name: str) -> str:
    return f"{max(one[name] for one in steps):,.0f}"


if __name__ == "__main__" and not step_asked_for({"keep": keep, "pair": pair, "opened": opened}):
    main(*(int(one) for one in sys.argv[1:3] or (SNAPSHOTS, ROWS)))
